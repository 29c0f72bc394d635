import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SOURCES_PAGE, sourcesPage, sourcesTable } from "../../tools/sources-table.ts";
import { allSources } from "../../src/pipeline/sources/sources.ts";

test("the documentation page of sources is current (npm run generate)", () => {
  expect(readFileSync(SOURCES_PAGE, "utf8")).toBe(sourcesPage(allSources));
});

test("has one row for each source, in any order of input", () => {
  const table = sourcesTable(allSources);
  expect(table.split("\n")).toHaveLength(allSources.length + 2);
  expect(sourcesTable(allSources.toReversed())).toBe(table);
});
