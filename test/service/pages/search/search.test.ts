/** Typical search terms, over the bundled catalogue. */
import { beforeAll, describe, expect, test } from "vitest";
import { linksUnder } from "../../../../src/wire/links.ts";
import { asIsoDate } from "../../../../src/text/ids.ts";
import { suggest } from "../../../../src/resolve/product.ts";
import { loadCatalogue } from "../../../../src/catalogue/load.ts";
import { createEditions } from "../../../../src/service/http/editions.ts";
import {
  type ProductListing,
  type SearchResult,
  createProductListing,
  search,
} from "../../../../src/service/pages/search/search.ts";

const catalogue = loadCatalogue();
const asOf = asIsoDate("2026-11-22");
const served = { catalogue, bytes: () => new Uint8Array() };
const options = { links: linksUnder("https://eol.example.org"), version: "test" };
const edition = createEditions(served, options, () => Date.parse(asOf)).current();
let listing: ProductListing;
beforeAll(() => {
  listing = createProductListing(edition);
}, 60_000);

const find = (text: string): SearchResult => search(edition, listing, text);
const cyclesFor = (text: string): readonly string[] =>
  find(text).cycles.map(({ product, cycle }) => `${product}:${cycle}`);

describe("name with a version", () => {
  test.each([
    ["node 18", "nodejs:18"],
    ["Node.js v18.20.1", "nodejs:18"],
    ["nodejs@18", "nodejs:18"],
    ["node18", "nodejs:18"],
    ["php7.4", "php:7.4"],
    ["PHP 7.4.33", "php:7.4"],
    ["debian bookworm", "debian:12"],
    ["debian-12", "debian:12"],
    ["ubuntu jammy", "ubuntu:22.04"],
    ["python3.9", "python:3.9"],
    [".net 8", "dotnet:8"],
    [".NET Framework 4.8", "dotnetfx:4.8"],
    ["gpt-4", "openai-api:gpt-4"],
    ["gpt 4", "openai-api:gpt-4"],
    ["k8s 1.30", "kubernetes:1.30"],
    ["windows server 2019", "windows-server:2019"],
    ["macos sonoma", "macos:14"],
    ["is node 18 dead", "nodejs:18"],
    ["Is Node 18 still supported?", "nodejs:18"],
    ["when does python 3.9 end", "python:3.9"],
    ["end of life of debian 11", "debian:11"],
    ["kubernetes 1.30 eol date", "kubernetes:1.30"],
    ["pkg:npm/express@3.1.0", "express:3"],
  ])("%s is %s", (text, cycle) => {
    expect(cyclesFor(text)).toEqual([cycle]);
  });

  test.each([
    ["windows 10", 20, "windows:10-22h2"],
    ["win10", 20, "windows:10-22h2"],
    ["windows 11 24h2", 4, "windows:11-24h2-w"],
    ["vue 2", 8, "vue:2.7"],
    ["java 8", 6, "oracle-jdk:8"],
    ["jdk 17", 6, "eclipse-temurin:17"],
  ])("%s matches at least %i release cycles including %s", (text, least, cycle) => {
    const cycles = cyclesFor(text);
    expect(cycles.length).toBeGreaterThanOrEqual(least);
    expect(cycles).toContain(cycle);
  });

  test.each(["nope 3", "nodejs 999", "node eighteen", "18", "windows", "a b c d e f g", "- - 1", ":", "e".repeat(500)])(
    "%s names no release cycle",
    (text) => {
      expect(cyclesFor(text)).toEqual([]);
    },
  );
});

test.each([
  ["node", "nodejs"],
  ["java", "oracle-jdk"],
  [".net", "dotnet"],
  ["nodejs 999", "nodejs"],
  ["python3", "python"],
])("%s lists %s first", (text, slug) => {
  expect(find(text).products[0]?.product.slug).toBe(slug);
});

test.each([
  ["nodejs 99", "nodejs", "newer than the catalogue"],
  ["is nodejs 99 dead", "nodejs", "newer than the catalogue"],
  ["python", "python", undefined],
  ["node eighteen", "nodejs", undefined],
])("%s is %s, refused as %s", (text, slug, refused) => {
  const found = find(text);
  expect([found.products[0]?.product.slug, found.refused]).toEqual([slug, refused]);
});

describe("suggestions for an unknown product", () => {
  test.each([
    ["java", ["oracle-jdk", "eclipse-temurin", "amazon-corretto"]],
    ["jdk", ["oracle-jdk", "eclipse-temurin"]],
    [".net", ["dotnet", "dotnetfx"]],
    ["python3", ["python"]],
    ["pythn", ["python"]],
    ["php7", ["php"]],
    ["ubuntu jammy", ["ubuntu"]],
    ["gpt-4", ["openai-api"]],
    ["nodejz", ["nodejs"]],
  ])("%s: %j", (text, expected) => {
    expect(suggest(catalogue, text).slice(0, expected.length)).toEqual(expected);
  });

  test.each(["nope", "asdfqwer", "", "42", "🙂"])("%j has no suggestions", (text) => {
    expect(suggest(catalogue, text)).toEqual([]);
  });

  test.each(Object.entries(catalogue.facts.commonNames))("the products with the common name %s exist", (_, slugs) => {
    expect(slugs.filter((slug) => catalogue.product(slug) === undefined)).toEqual([]);
  });
});

test("no product has the URL of another page", () => {
  const taken = ["suggest", "methodology", "docs", "score", "v1", "mcp", "assets", "healthz", "readyz", "check"];
  expect(taken.filter((slug) => catalogue.product(slug) !== undefined)).toEqual([]);
});
