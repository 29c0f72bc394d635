/**
 * Evidence rules over the whole bundled catalogue: every release cycle of every product, and what is concluded about the
 * versions between and above them.
 */
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { assess } from "../../src/lifecycle/assess.ts";
import { addDays, daysBetween, firstDay, lastDay } from "../../src/lifecycle/days.ts";
import { lifecycleState } from "../../src/lifecycle/status.ts";
import type { Assessment, Product } from "../../src/model/index.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { monotonicCycles } from "../../src/resolve/version/older.ts";
import { purlKey } from "../../src/resolve/purl/key.ts";
import { resolveVersion } from "../../src/resolve/version/resolve.ts";
import { asIsoDate, type IsoDate } from "../../src/text/ids.ts";
import { policy, resolved } from "../policy/builders.ts";

const catalogue = loadCatalogue();
const products = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
const { date } = catalogue.metadata;
/** The day of the reference data, or of a catalogue that was refreshed later. */
const AS_OF = date < "2026-11-24" ? asIsoDate("2026-11-24") : date;

const severityOf = (assessment: Assessment, strict = false): string =>
  evaluatePolicy([resolved(assessment)], policy({ strict }), assessment.asOf).findings[0]?.outcome.severity ?? "none";

describe("age of statements", () => {
  const ageOf = ({ provenance: { claims } }: Assessment): number =>
    Math.min(...claims.map(({ retrievedAt }) => daysBetween(firstDay(retrievedAt), AS_OF)));
  const own = products.filter(({ record, models }) => record === "custom" && !models);
  const assessments = own.flatMap((product) => product.cycles.map((cycle) => assess(product, cycle, AS_OF)));

  test("no release cycle passes on a statement of our own records that is older than a year", () => {
    const old = assessments.filter((each) => ageOf(each) > 365);
    expect(old.length).toBeGreaterThan(500);
    expect(old.filter((each) => severityOf(each) === "pass").map(({ releaseCycle }) => releaseCycle)).toEqual([]);
    expect(old.filter((each) => severityOf(each, true) === "warn" && each.support.status === "active")).toEqual([]);
  });

  test("a younger statement does not warn because of its age", () => {
    const young = assessments.filter((each) => ageOf(each) <= 365);
    const named = young.filter(({ provenance: { verifiedAt } }) => verifiedAt !== null && verifiedAt.length === 10);
    expect(named.length).toBeGreaterThan(3_000);
    const aged = named.filter((each) =>
      each.doubts.some(({ kind, from }) => kind === "not-checked" && from !== null && from <= AS_OF),
    );
    expect(
      aged.filter(({ provenance: { status } }) => status === "custom").map(({ releaseCycle }) => releaseCycle),
    ).toEqual([]);
  });
});

describe("versions above a living branch", () => {
  interface Gap {
    readonly product: Product;
    readonly version: string;
    readonly below: Product["cycles"][number];
  }
  /** For each numbered cycle, the next version that no cycle contains. */
  const gaps = products.flatMap((product): Gap[] =>
    (monotonicCycles(product) ?? []).flatMap(({ cycle, numbers }) => {
      const next = [...numbers.slice(0, -1), (numbers.at(-1) ?? 0) + 1].join(".");
      const isTaken = product.cycles.some(({ name }) => name === next || name.startsWith(`${next}.`));
      return numbers.length < 2 || isTaken ? [] : [{ product, version: next, below: cycle }];
    }),
  );
  const days: readonly IsoDate[] = [0, 365, 730, 1_825].map((later) => addDays(AS_OF, later));

  test("nothing is concluded from a later major version", () => {
    expect(gaps.length).toBeGreaterThan(500);
    const wrong = gaps.flatMap(({ product, version, below }) => {
      const answer = resolveVersion(product, version, { asOf: AS_OF });
      const lives = lifecycleState(below.eol, AS_OF).status !== "eol";
      const isClosed = product.closedBranches?.includes(below.name) ?? false;
      return lives && !isClosed && answer.kind === "cycle" && answer.cycle.olderThan !== undefined
        ? [`${product.slug} ${version} older than ${answer.cycle.olderThan}`]
        : [];
    });
    expect(wrong).toEqual([]);
  });

  test("no version has ended before an older recorded cycle of its major version was released", () => {
    const wrong = gaps.flatMap(({ product, version, below }) =>
      days.flatMap((asOf) => {
        const answer = resolveVersion(product, version, { asOf });
        const end = answer.kind === "cycle" ? answer.cycle.eolNoLaterThan : undefined;
        const released = below.releaseDate?.value;
        return end && released && lastDay(end) < released
          ? [`${product.slug} ${version} ${lastDay(end)} on ${asOf}`]
          : [];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe("families", () => {
  const { newest } = catalogue;
  const members = products.flatMap((product) =>
    product.purls.flatMap((purl) => {
      const key = purlKey(purl);
      const entry = key.kind === "purl" ? catalogue.purl(key.key) : undefined;
      const [, type = "", path = ""] = (key.kind === "purl" && /^(npm|pypi)\/(.+)$/.exec(key.key)) || [];
      const version = newest?.find(type, path)?.version;
      const isWhole = ["lockstep", "same", "upstream"].includes(entry?.basis ?? "") && entry?.max === undefined;
      return entry === undefined || version === undefined || !isWhole || entry.part !== undefined
        ? []
        : [{ product, path, version, numbers: version.split(".").map(Number) }];
    }),
  );

  test("no package passes whose last version is older than the line of its family", () => {
    expect(members.length).toBeGreaterThan(700);
    const wrong = members.flatMap(({ product, path, version, numbers: [major = 0, minor = 0] }) => {
      const peers = members.filter((each) => each.product === product && each.numbers[0] === major);
      const newestMinor = Math.max(...peers.map(({ numbers }) => numbers[1] ?? 0));
      const answer = resolveVersion(product, version, { asOf: AS_OF });
      const passes =
        answer.kind === "cycle" && severityOf(assess(product, answer.cycle, AS_OF)) === "pass" && peers.length > 3;
      return passes && newestMinor >= 10 && minor * 2 < newestMinor ? [`${path} ${version} of ${product.slug}`] : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe("products of which only the newest release gets fixes", () => {
  const rolling = products.flatMap((product) => {
    const living = product.cycles.filter(({ eol }) => lifecycleState(eol, AS_OF).status !== "eol");
    const [only] = living;
    const place = only && monotonicCycles(product)?.find(({ cycle }) => cycle === only);
    return living.length === 1 && only?.rolling && place ? [{ product, numbers: place.numbers }] : [];
  });

  test("answer for every older release: it is superseded, or has ended", () => {
    expect(rolling.length).toBeGreaterThan(60);
    const open = rolling.flatMap(({ product, numbers: [major = 0, minor = 0] }) => {
      const below = minor > 0 ? `${major}.${minor - 1}.0` : `${major - 1}.9.0`;
      if (major === 0 && minor <= 1) return [];
      const answer = resolveVersion(product, below, { asOf: AS_OF });
      const isContained = answer.kind === "cycle" && answer.cycle.olderThan === undefined;
      const ended = answer.kind === "cycle" && lifecycleState(answer.cycle.eol, AS_OF).status === "eol";
      return isContained || ended ? [] : [`${product.slug} ${below}`];
    });
    expect(open).toEqual([]);
  });
});

describe("absence", () => {
  const LOCK_FILE = /package-lock|npm-shrinkwrap|pnpm-lock|yarn\.lock|composer\.lock|Cargo\.lock/;

  test("nothing is supported because a lock file of somebody else names no deprecation", () => {
    const cited = products.flatMap((product) =>
      product.cycles.filter(({ claims: [claim] }) => LOCK_FILE.test(`${claim?.url} ${claim?.via ?? ""}`)),
    );
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ eol }) => eol.kind === "open" || eol.kind === "unknown").map(({ name }) => name)).toEqual(
      [],
    );
    const confident = products.flatMap((product) =>
      product.cycles.flatMap((cycle) => {
        const { provenance } = assess(product, cycle, AS_OF);
        const [claim] = provenance.claims;
        return LOCK_FILE.test(claim?.url ?? "") && claim?.basis === "declared" && provenance.confidence !== "low"
          ? [`${product.slug}:${cycle.name}`]
          : [];
      }),
    );
    expect(confident).toEqual([]);
  });
});
