/** The gate's word on a release cycle is the same on every surface: the outcome of the default policy. */
import { describe, expect, test } from "vitest";
import { explain } from "../../src/api/explain.ts";
import { createLocal } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { assess } from "../../src/lifecycle/assess.ts";
import { gateOf, maintainedBy } from "../../src/lifecycle/gate.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { AS_OF, CYCLES, resolved } from "../policy/builders.ts";

const catalogue = loadCatalogue();
const asOf = asIsoDate("2026-11-28");
const local = createLocal({ catalogue, asOf, links: linksUnder("https://example.org") });

test.each(["2024-01-01", "2026-11-28", "2029-06-01"])(
  "is the outcome of the default policy for every cycle on %s",
  (day) => {
    const on = asIsoDate(day);
    const all = catalogue.slugs().flatMap((slug) => {
      const product = catalogue.product(slug);
      return product?.cycles.map((cycle) => assess(product, cycle, on)) ?? [];
    });
    const { findings } = evaluatePolicy(
      all.map((each) => resolved(each)),
      DEFAULT_POLICY,
      on,
    );
    const different = findings.flatMap(({ outcome, assessment }) => {
      if (assessment === undefined) return ["no assessment"];
      const { outcome: severity, condition } = gateOf(assessment);
      const isSame = severity === outcome.severity && condition === outcome.condition;
      return isSame ? [] : [`${assessment.releaseCycle.product}:${assessment.releaseCycle.cycle}`];
    });
    expect(all.length).toBeGreaterThan(5_000);
    expect(different).toEqual([]);
  },
);

test.each(Object.entries(CYCLES))("is the outcome of the default policy for %s", (_, assessment) => {
  const [finding] = evaluatePolicy([resolved(assessment)], DEFAULT_POLICY, AS_OF).findings;
  expect(gateOf(assessment)).toEqual({ outcome: finding?.outcome.severity, condition: finding?.outcome.condition });
});

describe("Debian 12 in its free long-term support", () => {
  const gate = { outcome: "pass", condition: "none", maintained_by: "Debian LTS" };
  const named = { slug: "debian", version: "12" };

  test("is supported, although its standard support has ended", async () => {
    expect(await local.status(named)).toMatchObject({ status: "eol", is_eol: true, is_supported: true, gate });
  });

  test("has the same word in score, batch and product", async () => {
    expect((await local.score(named)).gate).toEqual(gate);
    expect(await local.batch({ products: [named] })).toMatchObject([{ gate }]);
    const { versions } = await local.product({ slug: "debian" });
    expect(versions.find(({ version }) => version === "12")).toMatchObject({ gate });
  });
});

test.each([
  ["ended", "debian", "9", { outcome: "fail", condition: "eol", maintained_by: null }, false],
  ["ended python", "python", "3.8", { outcome: "fail", condition: "eol", maintained_by: null }, false],
  ["supported", "nodejs", "24", { outcome: "pass", condition: "none", maintained_by: "Node.js" }, true],
])("is_supported follows the support that counts: %s", async (_, slug, version, gate, supported) => {
  expect(await local.status({ slug, version })).toMatchObject({ gate, is_supported: supported });
});

describe("batch answers a package of a distribution", () => {
  const batchOf = async (purl: string) => (await local.batch({ products: [{ purl }] }))[0];

  test("with the end of a release that has ended", async () => {
    expect(await batchOf("pkg:deb/debian/curl@7.64.0-4?distro=debian-9")).toMatchObject({
      error: expect.stringContaining("its distribution debian:9 has ended (2022-07-01)"),
    });
  });

  test("with the end of the support that counts", async () => {
    expect(await batchOf("pkg:deb/debian/curl@7.88.1-10+deb12u1?distro=debian-12")).toMatchObject({
      error: expect.stringContaining("its distribution debian:12 maintains it until 2028-06-30"),
    });
  });

  test("with the word on the release that maintains an ended version", async () => {
    expect(await batchOf("pkg:rpm/rocky/openssl@1.1.1k-12.el8_9?distro=rocky-8.9")).toMatchObject({
      status: "eol",
      gate: { outcome: "pass", condition: "none", maintained_by: "Rocky Linux 8" },
    });
  });
});

test("the result of a document has the outcome of its components", async () => {
  const document = new TextEncoder().encode(
    JSON.stringify({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [
        { type: "library", name: "openssl", purl: "pkg:rpm/rocky/openssl@1.1.1k-12.el8_9?distro=rocky-8.9" },
        { type: "library", name: "django", purl: "pkg:pypi/django@3.2" },
      ],
    }),
  );
  const { results, informational } = await local.sbom({ document });
  const words = [...results, ...informational].map(({ product, gate, components }) => [
    product,
    gate.outcome,
    gate.maintained_by,
    components[0]?.gate.condition,
  ]);
  expect(words).toEqual([
    ["django", "fail", null, "eol"],
    ["openssl", "pass", "Rocky Linux 8", "none"],
  ]);
});

test("nobody maintains what has ended, and the maker what has not", () => {
  expect([CYCLES.past, CYCLES.unknown, CYCLES.rolling, CYCLES.retired].map((each) => maintainedBy(each))).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(maintainedBy(CYCLES.supported)).toBe(CYCLES.supported.productName);
});

describe("what is taken from a place that has ended", () => {
  // On these days, the product passes, warns and fails by itself.
  test.each(["2025-12-01", "2026-03-15", "2026-11-28"])("has the outcome of the check in batch on %s", async (day) => {
    const on = asIsoDate(day);
    const purls = ["bitnamilegacy/node@20.19.0", "circleci/node@20.19.0", "library/node@20.19.0"];
    const products = purls.map((name) => ({ purl: `pkg:docker/${name}` }));
    const batch = await createLocal({ catalogue, asOf: on, links: linksUnder("https://example.org") }).batch({
      products,
    });
    const checked = products.map(({ purl }) => explain(purl, { catalogue, policy: DEFAULT_POLICY, asOf: on }).finding);
    expect(batch.map((row) => "gate" in row && row.gate.outcome)).toEqual(
      checked.map(({ outcome }) => outcome.severity),
    );
  });
});
