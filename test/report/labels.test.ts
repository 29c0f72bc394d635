/** Texts of findings that every format uses. */
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { assess, assessLater } from "../../src/lifecycle/assess.ts";
import { formatEndCell } from "../../src/report/labels.ts";
import { day } from "../lifecycle/builders.ts";

test.each(["16", "24"])("the end of Node.js %s does not read the purls of the product", (name) => {
  const product = loadCatalogue().product("nodejs");
  const cycle = product?.cycles.find((each) => each.name === name);
  if (!product || !cycle) throw new Error(name);
  const refuse = (): never => {
    throw new Error("the purls were read");
  };
  // The list is made from the whole purl map: a small check must not need it.
  const assessment = Object.defineProperty(assess(product, cycle, day("2026-11-22")), "purls", { get: refuse });
  expect(formatEndCell(assessment)).toMatch(/^\d{4}-\d\d-\d\d, /);
  expect(formatEndCell(assessLater(assessment, day("2030-01-01")))).toMatch(/ago$/);
});
