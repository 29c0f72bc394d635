/**
 * The OpenEoX export against the tests of the Core Schema 1.0, and, where OPENEOX_REPOSITORY names a clone of
 * https://github.com/oasis-tcs/openeox, against the committee's schema and the cases of its validator.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { formatDate } from "../../../src/messages/format.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { type OpenEoxCore, productsFromOpenEox, toOpenEox } from "../../../src/catalogue/own/openeox.ts";
import { assess } from "../../../src/lifecycle/assess.ts";
import { asIsoDate } from "../../../src/text/ids.ts";

const catalogue = loadCatalogue();
const products = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
const { makers } = catalogue.facts.packageEvidence;
const { statements } = toOpenEox(products, makers);

type Dates = Partial<Record<keyof OpenEoxCore | "end_of_sales", string>>;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** The ids of the tests of the specification that a core record fails. https://github.com/oasis-tcs/openeox */
function failedTests({ end_of_life: last = "", general_availability: first, ...core }: Dates): readonly string[] {
  const { end_of_security_support: security, end_of_sales: sales, last_updated: updated } = core;
  const others = [security, sales].flatMap((each) => each ?? []);
  const isDate = (text: string | undefined): text is string => text !== undefined && text !== "tba";
  const isLater = (one: string | undefined, other: string | undefined): boolean =>
    isDate(one) && isDate(other) && Date.parse(one) > Date.parse(other);
  const all = [last, first, ...others];
  const failed = {
    "7.1.1": [first, ...others].some((each) => isLater(each, last)),
    "7.1.2": [...all, updated].some((each) => isDate(each) && !TIMESTAMP.test(each)),
    "7.1.3": [last, ...others].some((each) => isLater(first, each)),
    "7.2.1": isDate(last) && [first, ...others].includes("tba"),
    "7.2.2": first === "tba" && [last, ...others].some(isDate),
    "7.3.1": isLater(sales, security),
  };
  return Object.entries(failed).flatMap(([id, isFailed]) => (isFailed ? [id] : []));
}

describe("every release cycle in the export", () => {
  test("passes the tests of the specification", () => {
    expect(statements.length).toBeGreaterThan(10_000);
    const failing = statements.flatMap(({ core, product }) => {
      const failed = failedTests({ ...core });
      return failed.length === 0 ? [] : [`${product.product_name} ${product.product_version}: ${failed.join()}`];
    });
    expect(failing).toEqual([]);
  });

  test("has no end to be announced if support for it has ended", () => {
    const asOf = asIsoDate("2026-11-22");
    const wrong = products.flatMap((product) =>
      product.cycles
        .filter((cycle) => assess(product, cycle, asOf).support.status === "eol")
        .flatMap((cycle) => toOpenEox([{ ...product, cycles: [cycle] }], makers).statements)
        .filter(({ core }) => Object.values(core).includes("tba"))
        .map(({ product: { product_name: name, product_version: version } }) => `${name} ${version}`),
    );
    expect(wrong).toEqual([]);
  });

  test("names its product, version, vendor and identifiers", () => {
    for (const { product, product_identification_helper: helper } of statements) {
      for (const text of Object.values(product)) expect(text).not.toBe("");
      expect(Object.keys(helper).length).toBeGreaterThan(0);
    }
    const vendorOf = (name: string): string | undefined =>
      statements.find(({ product }) => product.product_name === name)?.product.vendor_name;
    expect([vendorOf("Debian"), vendorOf("Apache Tomcat")]).toEqual(["debian", "apache"]);
    const known = statements.filter(({ product }) => product.vendor_name !== "unknown");
    expect(known.length / statements.length).toBeGreaterThan(0.3);
  });

  test("keeps its end and the precision of the end when it is read again", () => {
    const document = { $schema: "", statements };
    const read = productsFromOpenEox(document, { ...catalogue, named: () => [] }, "export");
    const endsOf = new Map(
      read.flatMap(({ name, cycles = [] }) => cycles.map(({ cycle, eol }) => [`${name} ${cycle}`, eol])),
    );
    for (const { name, cycles } of products)
      for (const { name: cycle, eol } of cycles) {
        if (eol.kind !== "dated" && eol.kind !== "open") continue;
        const expected = eol.kind === "open" ? false : formatDate(eol.date);
        expect([cycle, endsOf.get(`${name} ${cycle}`)]).toEqual([cycle, expected]);
      }
  });
});

const repository = process.env["OPENEOX_REPOSITORY"];

describe.skipIf(repository === undefined)(
  "with the committee's repository (skipped without OPENEOX_REPOSITORY)",
  () => {
    const read = (path: string) => JSON.parse(readFileSync(join(repository ?? "", "eox-core-v-1-0", path), "utf8"));

    test("every core record is valid against the schema", () => {
      const ajv = new Ajv2020({ strict: false });
      formats.default(ajv);
      // Its own dialect only makes formats assertions, as ajv-formats does.
      const { $schema: _dialect, ...schema } = read("schema/eox-core.json");
      const validate = ajv.compile(schema);
      for (const { core } of statements) if (!validate(core)) expect([core, validate.errors]).toEqual([core, null]);
      expect(validate({ ...statements[0]?.core, end_of_life: "soon" })).toBe(false);
    });

    test("the tests above give the results of the validator's cases", () => {
      const { tests } = read("test/validator/data/testcases.json");
      expect(tests.length).toBeGreaterThan(4);
      for (const { id, failures = [], valid = [] } of tests)
        for (const { name } of [...failures, ...valid]) {
          const isFailed = failedTests(read(`test/validator/data/${name}`)).includes(id);
          expect([name, isFailed]).toEqual([name, failures.some((each: { name: string }) => each.name === name)]);
        }
    });
  },
);
