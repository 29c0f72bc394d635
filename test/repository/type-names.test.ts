/** One type name is one type in the whole of src: a name that a reader meets twice means the same thing both times. */
import { describe, expect, test } from "vitest";
import { parseSource, sourceFiles, type SourceFile } from "./sources.ts";

/** The names that more than one file declares, with these files. */
function sharedNames(files: readonly Pick<SourceFile, "path" | "types">[]): readonly string[] {
  const pathsOf = new Map<string, string[]>();
  for (const { path, types } of files)
    for (const name of types) pathsOf.set(name, [...(pathsOf.get(name) ?? []), path]);
  return [...pathsOf].flatMap(([name, paths]) => (paths.length > 1 ? [`${name}: ${paths.join(", ")}`] : [])).sort();
}

test("no two types of src have one name", () => {
  const files = sourceFiles("src");
  expect(files.flatMap(({ types }) => types).length).toBeGreaterThan(1000);
  expect(sharedNames(files)).toEqual([]);
});

describe("the test of type names", () => {
  test.each([
    ["export interface Row { readonly a: string }", ["Row"]],
    ["interface Row { readonly a: string }", ["Row"]],
    ["export type Row = string;", ["Row"]],
    ["class Row {}", ["Row"]],
    ["export abstract class Row {}", ["Row"]],
    ['export type { Row } from "./b.ts";', []],
    ['import type { Row } from "./b.ts";', []],
    ["const Row = 1;", []],
    ["function f() { type Row = string; }", []],
  ])("finds what %s declares", (text, names) => {
    expect(parseSource("src/a.ts", text).types).toEqual(names);
  });
  test("lists a name that two files declare with both", () => {
    const text = "type Row = string;";
    const files = ["src/a.ts", "src/b.ts"].map((path) => parseSource(path, text));
    expect(sharedNames(files)).toEqual(["Row: src/a.ts, src/b.ts"]);
    expect(sharedNames([parseSource("src/a.ts", `${text} ${text.replace("Row", "Cell")}`)])).toEqual([]);
  });
});
