import { expect, test } from "vitest";
import { findProduct, suggest } from "../../src/resolve/product.ts";
import { product, tinyCatalogue } from "./tiny-catalogue.ts";

const catalogue = tinyCatalogue({
  products: [
    product("nodejs", ["20"], { name: "Node.js", aliases: ["node"] }),
    product("go", ["1.20"], { aliases: ["golang"] }),
    product("mongoose", ["8"]),
    product("mongodb", ["7"]),
    product("one", ["1"], { aliases: ["same"] }),
    product("two", ["1"], { aliases: ["same"] }),
  ],
});

test.each([
  ["nodejs", "nodejs"],
  ["NodeJS", "nodejs"],
  ["Node.js", "nodejs"],
  ["node", "nodejs"],
  ["golang", "go"],
  ["goo", undefined],
  ["same", undefined],
  ["", undefined],
])("resolves the name %j to the product %s", (asked, slug) => {
  expect(findProduct(catalogue, asked)?.slug).toBe(slug);
});

test.each([
  ["nodjes", ["nodejs"]],
  ["mongo", ["mongodb", "mongoose"]],
  ["mongose", ["mongoose", "mongodb"]],
  ["zzzzzz", []],
])("suggests for %j the product %j", (asked, slugs) => {
  expect(suggest(catalogue, asked)).toEqual(slugs);
});

test("resolves a name of a million letters without delay", () => {
  expect(suggest(catalogue, "x".repeat(1_000_000))).toEqual([]);
});
