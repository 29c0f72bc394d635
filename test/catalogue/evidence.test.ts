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
