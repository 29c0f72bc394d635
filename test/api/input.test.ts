import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expandFiles } from "../../src/api/input.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-braces-"));
  for (const name of ["a.json", "b.json", "a.xml"]) writeFileSync(join(folder, name), "{}");
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each<readonly [string, readonly string[]]>([
  ["{a,b}.json", ["a.json", "b.json"]],
  ["{a,absent}.json", ["a.json", "absent.json"]],
  ["{absent,b}.json", ["absent.json", "b.json"]],
  ["a.{json,xml,spdx}", ["a.json", "a.spdx", "a.xml"]],
  ["{a,b}.{json,xml}", ["a.json", "a.xml", "b.json", "b.xml"]],
  ["{a,{b,c}}.json", ["a.json", "b.json", "c.json"]],
  ["*.{json,spdx}", ["a.json", "b.json"]],
  ["{a,absent}*.json", ["a.json"]],
])("%s names %j, whether they exist or not", async (pattern, files) => {
  const found = await expandFiles([pattern], folder);
  expect(found.files.toSorted()).toEqual(files);
});

test("a pattern of which nothing exists is refused", async () => {
  await expect(expandFiles(["{x,y}.json"], folder)).rejects.toMatchObject({ code: "no-file" });
});

const names = (count: number): string => Array.from({ length: count }, (_, index) => `n${String(index)}`).join(",");

test("a pattern of more than 1,000 characters names all of its files", async () => {
  const { files } = await expandFiles([`{a,${names(400)}}.json`], folder);
  expect([files.length, files.includes("n399.json")]).toEqual([401, true]);
});

test.each([
  ["40 groups of braces", `${"{a,b}".repeat(40)}.json`],
  ["groups that multiply", `{${names(300)}}{${names(300)}}.json`],
  ["braces in braces", `${"{a,".repeat(4000)}b${"}".repeat(4000)}.json`],
  ["more characters than the search accepts", `${"x".repeat(70_000)}*.json`],
])("a pattern with %s is refused", async (_, pattern) => {
  await expect(expandFiles([pattern], folder)).rejects.toMatchObject({ code: "invalid-value", exit: 2 });
});
