import { expect, test } from "vitest";
import { sourcesPage, sourcesTable } from "../../tools/sources-table.ts";
import { allSources } from "../../src/pipeline/sources/sources.ts";

test("the documentation page of sources is current", async () => {
  await expect(sourcesPage(allSources)).toMatchFileSnapshot("../../docs/sources.md");
});

test("has one row for each source, in any order of input", () => {
  const table = sourcesTable(allSources);
  expect(table.split("\n")).toHaveLength(allSources.length + 2);
  expect(sourcesTable(allSources.toReversed())).toBe(table);
});
