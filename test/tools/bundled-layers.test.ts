/** A contributor without the reference data compiles over the bundled catalogue. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readContent } from "../../src/catalogue/file.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import type { StoredContent } from "../../src/catalogue/schema.ts";
import { readCurated } from "../../src/pipeline/compile/curated.ts";
import { compileOverBundle } from "../../tools/bundled-layers.ts";

const before = readContent(readFileSync(BUNDLED), "bundled");
const curated = readCurated();

const changedIn = ({ products }: StoredContent): readonly string[] =>
  Object.keys(products).filter((slug) => JSON.stringify(products[slug]) !== JSON.stringify(before.products[slug]));

describe("compilation over the bundled catalogue", () => {
  test("is that catalogue if the curated files are those that it was compiled from", () => {
    expect(compileOverBundle(before, curated)).toEqual(before);
  });

  test("has the date of an own product that was corrected, and no other change", () => {
    const products = curated.products.map((product) =>
      product.slug === "akka"
        ? { ...product, cycles: product.cycles.map((cycle) => ({ ...cycle, eol: "2031-01-31" })) }
        : product,
    );
    const content = compileOverBundle(before, { ...curated, products });
    expect(changedIn(content)).toEqual(["akka"]);
    expect(content.products["akka"]?.cycles.map(({ eol }) => eol)).toContain("2031-01-31");
  });

  test("has a correction of a product of the record, once, and none that was removed", () => {
    const [removed, ...others] = curated.corrections;
    const correction = {
      product: "nodejs",
      cycle: "20",
      kind: "override" as const,
      eol: "2026-05-15",
      page: "https://github.com/nodejs/Release",
      on: "2026-11-12",
      reason: "a test",
    };
    const claimsOf = (content: StoredContent, product: string, cycle: string) =>
      content.products[product]?.cycles.find(({ name }) => name === cycle)?.also ?? [];
    const content = compileOverBundle(before, { ...curated, corrections: [...others, correction] });
    const again = compileOverBundle(content, { ...curated, corrections: [...others, correction] });
    for (const result of [content, again])
      expect(claimsOf(result, "nodejs", "20").filter(([, end]) => end === "2026-05-15")).toHaveLength(1);
    expect(again.reads).toEqual(content.reads);
    const { product = "", cycle = "" } = removed ?? {};
    expect(claimsOf(content, product, cycle).length).toBe(claimsOf(before, product, cycle).length - 1);
  });

  test("is refused with the place if the curated files contradict themselves", () => {
    const [first] = curated.corrections;
    const corrections = first === undefined ? [] : [{ ...first, cycle: "999" }];
    expect(() => compileOverBundle(before, { ...curated, corrections })).toThrow(/999, which is in no record/);
  });
});
