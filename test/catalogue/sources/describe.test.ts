import { expect, test } from "vitest";
import { sourcesPage, sourcesTable } from "../../../src/catalogue/sources/describe.ts";
import { allSources } from "../../../src/catalogue/sources/sources.ts";

test("the documentation's page of sources is current", async () => {
  await expect(sourcesPage(allSources)).toMatchFileSnapshot("../../../docs/sources.md");
});

test("one row a source, whatever the order they come in", () => {
  const table = sourcesTable(allSources);
  expect(table.split("\n")).toHaveLength(allSources.length + 2);
  expect(sourcesTable(allSources.toReversed())).toBe(table);
});
