/** The last day of a verdict: on that day the same check has the same verdict, on the day after it has another one. */
import { describe, expect, test } from "vitest";
import { assessLocally } from "../../src/api/assess.ts";
import { checkDocuments } from "../../src/api/check.ts";
import { validityOf } from "../../src/api/validity.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { addDays, daysBetween } from "../../src/lifecycle/days.ts";
import type { Policy, Report } from "../../src/model/index.ts";
import { layerPolicies, parsePolicy } from "../../src/policy/policy.ts";
import { openSbom } from "../../src/sbom/open.ts";
import { asIsoDate, asProductSlug, type IsoDate } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";

const catalogue = loadCatalogue();
const { date } = catalogue.metadata;

type Document = Awaited<ReturnType<typeof openSbom>>;

const documentOf = (components: readonly object[]): Promise<Document> =>
  openSbom(
    new TextEncoder().encode(JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components })),
  );

const wordsOf = ({ verdict, exit }: Report) => ({ verdict: verdict.value, code: exit.code });

/** A sequence that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Packages of products with a purl: a release of a cycle, one older than all of them, or an unknown one. */
const products = catalogue
  .slugs()
  .flatMap((slug) => catalogue.product(slug) ?? [])
  .filter(
    ({ purls, cycles }) => purls.length > 0 && cycles.some(({ eol }) => eol.kind === "dated" && eol.date.value > date),
  );

function componentsOf(seed: number): readonly object[] {
  const next = numbers(seed);
  const known = Array.from({ length: 1 + next(4) }, () => {
    const product = products[next(products.length)];
    const living = product?.cycles.filter(
      ({ eol }) => eol.kind === "open" || (eol.kind === "dated" && eol.date.value > date),
    );
    const chosen = next(8) === 0 ? product?.cycles : living;
    const cycle = chosen?.[next(chosen.length)];
    const version = next(12) === 0 ? "0.0.1" : (cycle?.latest?.name ?? cycle?.name ?? "1");
    return {
      type: "library",
      name: product?.name,
      version,
      purl: `${product?.purls[0]}@${encodeURIComponent(version)}`,
    };
  });
  return [...known, { type: "library", name: "invented", version: "1.0", purl: "pkg:npm/%40example/invented@1.0" }];
}

const POLICIES: readonly Policy[] = [
  parsePolicy({}),
  parsePolicy({
    failOn: ["eol", "approaching", "score>=45", "kev", "superseded", "retired", "unknown"],
    warnDays: 45,
    strict: true,
    support: "standard",
  }),
  parsePolicy({
    failOn: ["eol", "score>=70"],
    support: "extended",
    minCoverage: 40,
    maxCatalogueAge: 600,
    signals: "bundled",
    inactiveMonths: 6,
    waivers: products
      .slice(0, 60)
      .map(({ slug }, at) => ({ target: slug, reason: "test", expires: addDays(date, at * 9) })),
  }),
];

async function expectLastDay(seed: number, policy: Policy, asOf: IsoDate): Promise<string> {
  const document = await documentOf(componentsOf(seed));
  const report = await reportOn(document, policy, asOf);
  const { validUntil, exitCodeUntil, next, limit } = await validityOf(report, { catalogue, isRemote: false });
  const now = wordsOf(report);
  expect(exitCodeUntil >= validUntil && validUntil >= asOf).toBe(true);
  expect(wordsOf(await reportOn(document, policy, validUntil))).toEqual(now);
  expect((await reportOn(document, policy, exitCodeUntil)).exit.code).toBe(now.code);
  if (next === undefined) {
    expect(["catalogue-age", "no-verdict"]).toContain(limit);
    return String(limit);
  }
  const then = wordsOf(await reportOn(document, policy, addDays(validUntil, 1)));
  expect(then).not.toEqual(now);
  expect(then).toEqual({ verdict: next.verdict, code: next.exitCode });
  return `${now.verdict} → ${then.verdict}`;
}

const withSupport = async (policy: Policy, asOf: IsoDate) => {
  if (policy.signals === "off") return {};
  const { listedLevels } = await import("../../src/support/listed.ts");
  const levelOf = listedLevels({ policy, facts: catalogue.facts, asOf, list: catalogue.newest });
  return { levelOf };
};

/** The check of a day, apart from the function under test: with `signals: bundled`, levels are determined again. */
async function reportOn(document: Document, policy: Policy, asOf: IsoDate): Promise<Report> {
  const { levelOf } = await withSupport(policy, asOf);
  return checkDocuments([{ file: "bom.json", digest: () => "sha256:00", document }], {
    catalogue,
    policy,
    asOf,
    assess: assessLocally(catalogue, asOf),
    tool: { name: "eolgate", version: "0.0.0" },
    links: linksUnder("https://eolgate.example"),
    ...(levelOf && {
      determineSupport: (components) =>
        Promise.resolve(components.map((each) => ({ ...each, support: levelOf(each) }))),
    }),
  });
}

test("the verdict of 300 documents holds until its last day and not beyond, under three policies", async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= 300; seed++)
    for (const [at, policy] of POLICIES.entries()) {
      const asOf = addDays(date, ((seed * 7 + at * 13) % 40) * 9);
      const kind = await expectLastDay(seed, policy, asOf);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
  for (const kind of ["pass → warn", "pass → fail", "warn → fail", "catalogue-age"])
    expect(seen.get(kind) ?? 0).toBeGreaterThan(3);
}, 120_000);

test("no day before the last one has another verdict", async () => {
  for (let seed = 1; seed <= 24; seed++) {
    const policy = POLICIES[seed % 3] ?? layerPolicies({});
    const document = await documentOf(componentsOf(seed));
    const report = await reportOn(document, policy, date);
    const { validUntil } = await validityOf(report, { catalogue, isRemote: false });
    for (let offset = 0; offset <= daysBetween(date, validUntil); offset++)
      expect(wordsOf(await reportOn(document, policy, addDays(date, offset)))).toEqual(wordsOf(report));
  }
}, 60_000);

describe("what ends a verdict", () => {
  const node = { type: "application", name: "node", version: "24.1.0", purl: "pkg:generic/node@24.1.0" };
  const product = catalogue.product(asProductSlug("nodejs"));
  const eol = product?.cycles.find(({ name }) => name === "24")?.eol;
  const end = eol?.kind === "dated" ? eol.date.value : date;
  const longer = { maxCatalogueAge: 3650 };
  const validity = async (fields: object, asOf = date) =>
    validityOf(await reportOn(await documentOf([node]), parsePolicy({ ...longer, ...fields }), asOf), {
      catalogue,
      isRemote: false,
    });

  test("a warning that its end is near, then the end itself", async () => {
    const first = await validity({ warnDays: 30 });
    expect(first).toMatchObject({
      validUntil: addDays(end, -31),
      exitCodeUntil: end,
      next: {
        verdict: "warn",
        exitCode: 0,
        changes: [{ condition: "approaching", product: "nodejs", cycle: "24", end, components: 1 }],
      },
    });
    expect(await validity({ warnDays: 30 }, addDays(end, -30))).toMatchObject({
      validUntil: end,
      exitCodeUntil: end,
      next: { verdict: "fail", exitCode: 1, changes: [{ condition: "eol", severity: "fail" }] },
    });
  });

  test.each([
    ["a policy that fails on a near end", { failOn: ["eol", "approaching"], warnDays: 20 }, -21, "approaching"],
    ["a score that grows as its end comes nearer", { failOn: ["score>=38"], warnDays: 0 }, -180, "score"],
  ])("%s", async (_, fields, offset, condition) => {
    expect(await validity(fields)).toMatchObject({
      validUntil: addDays(end, offset),
      next: { verdict: "fail", changes: [{ condition }] },
    });
  });

  test("a waiver, on its last day", async () => {
    const waivers = [{ target: "nodejs", reason: "migration", expires: addDays(end, 40) }];
    expect(await validity({ warnDays: 0, waivers }, addDays(end, 10))).toMatchObject({
      validUntil: addDays(end, 40),
      next: { changes: [{ condition: "eol", waiver: "nodejs" }] },
    });
  });

  test("a contract, on its last day", async () => {
    const contracts = [{ product: "nodejs", cycle: "24", vendor: "Example", until: addDays(end, 70) }];
    expect(await validity({ warnDays: 0, contracts }, addDays(end, 10))).toMatchObject({
      exitCodeUntil: addDays(end, 70),
    });
  });

  test("the age of the catalogue, where nothing else ends before", async () => {
    expect(await validity({ maxCatalogueAge: 20 })).toEqual({
      validUntil: addDays(date, 20),
      exitCodeUntil: addDays(date, 20),
      limit: "catalogue-age",
    });
  });

  test.each([
    ["a service", { isRemote: true }, {}, "service"],
    ["a document without a verdict", { isRemote: false }, { minCoverage: 100 }, "no-verdict"],
    ["sources on the network", { isRemote: false }, { signals: "cache" }, "support-levels"],
  ])("of %s nothing is known beyond the day", async (_, { isRemote }, fields, limit) => {
    const components = [node, { type: "library", name: "invented", version: "1" }];
    const report = await reportOn(await documentOf(components), parsePolicy(fields), date);
    expect(await validityOf(report, { catalogue, isRemote })).toEqual({ validUntil: date, exitCodeUntil: date, limit });
  });

  test("a failure for the same reason lasts until the catalogue is too old", async () => {
    expect(await validity({ maxCatalogueAge: 5000 }, asIsoDate(addDays(end, 5)))).toMatchObject({
      limit: "catalogue-age",
    });
  });
});
