/** The last day of a verdict: on that day the same check has the same verdict, on the day after it has another one. */
import { describe, expect, test } from "vitest";
import { validityOf } from "../../src/api/validity.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { addDays, daysBetween } from "../../src/lifecycle/days.ts";
import { layerPolicies, parsePolicy } from "../../src/policy/policy.ts";
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import { describeWithShared } from "../shared.ts";
import { soaked } from "../soaked.ts";
import {
  catalogue,
  date,
  documentOf,
  generated,
  POLICIES,
  published,
  reportOn,
  requireLastDay,
  statementOn,
  wordsOf,
} from "./last-days.ts";

test("the verdict of generated documents holds until its last day and not beyond, under three policies", async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= soaked(100, 300); seed++)
    for (const [at, policy] of POLICIES.entries()) {
      const asOf = addDays(date, ((seed * 7 + at * 13) % 40) * 9);
      const kind = await requireLastDay(await generated(seed), policy, asOf);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
  for (const kind of ["pass → warn", "pass → fail", "warn → fail", "catalogue-age"])
    expect(seen.get(kind) ?? 0).toBeGreaterThan(3);
}, 120_000);

test("no day before the last one has another verdict", async () => {
  for (let seed = 1; seed <= soaked(9, 24); seed++) {
    const policy = POLICIES[seed % 3] ?? layerPolicies({});
    const document = await generated(seed);
    const report = await reportOn(document, policy, date);
    const { validUntil } = await validityOf(report, { catalogue, isRemote: false });
    for (let offset = 0; offset <= daysBetween(date, validUntil); offset++)
      expect(wordsOf(await reportOn(document, policy, addDays(date, offset)))).toEqual(wordsOf(report));
  }
}, 60_000);

test("a statement has the same bytes when it is made again, with a catalogue that is loaded again", async () => {
  const again = loadCatalogue();
  for (let seed = 1; seed <= soaked(10, 30); seed++)
    for (const [at, policy] of POLICIES.entries()) {
      const asOf = addDays(date, ((seed * 11 + at * 7) % 40) * 9);
      const [one, other] = [await generated(seed), await generated(seed)];
      expect(await statementOn(one, policy, asOf)).toBe(await statementOn(other, policy, asOf, again));
    }
}, 60_000);

describeWithShared("a published document", "sboms/documents/", () => {
  test("has a verdict that holds until its last day and not beyond, under three policies", async () => {
    const documents = await published();
    expect(documents.length).toBeGreaterThan(30);
    for (const [index, document] of documents.entries())
      if (index % 6 === 0)
        for (const [at, policy] of POLICIES.entries())
          await requireLastDay(document, policy, addDays(date, ((index + at) % 40) * 9));
  }, 120_000);
});

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
