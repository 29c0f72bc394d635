/** One type name is one type in the whole of src: a name that a reader meets twice means the same thing both times. */
import { parseSync } from "rolldown/utils";
import { describe, expect, test } from "vitest";
import { isRecord } from "../../src/text/values.ts";
import { sourceFiles } from "./sources.ts";

/** The types, interfaces, classes and enumerations that a file declares at its top level, exported or not. */
function declaredTypes(path: string, text: string): readonly string[] {
  return parseSync(path, text).program.body.flatMap((statement) => {
    const declaration: unknown = "declaration" in statement ? statement.declaration : statement;
    if (!isRecord(declaration)) return [];
    const { type, id } = declaration;
    const isType = typeof type === "string" && /^(?:TS(?:Interface|TypeAlias|Enum)|Class)Declaration$/.test(type);
    return isType && isRecord(id) && typeof id["name"] === "string" ? [id["name"]] : [];
  });
}

/** The names that more than one file declares, with these files. */
function sharedNames(files: readonly { readonly path: string; readonly text: string }[]): readonly string[] {
  const pathsOf = new Map<string, string[]>();
  for (const { path, text } of files)
    for (const name of declaredTypes(path, text)) pathsOf.set(name, [...(pathsOf.get(name) ?? []), path]);
  return [...pathsOf].flatMap(([name, paths]) => (paths.length > 1 ? [`${name}: ${paths.join(", ")}`] : [])).sort();
}

test("no two types of src have one name", () => {
  const files = sourceFiles("src");
  expect(files.flatMap(({ path, text }) => declaredTypes(path, text)).length).toBeGreaterThan(1000);
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
    expect(declaredTypes("src/a.ts", text)).toEqual(names);
  });
  test("lists a name that two files declare with both", () => {
    const text = "type Row = string;";
    const files = ["src/a.ts", "src/b.ts"].map((path) => ({ path, text }));
    expect(sharedNames(files)).toEqual(["Row: src/a.ts, src/b.ts"]);
    expect(sharedNames([{ path: "src/a.ts", text: `${text} ${text.replace("Row", "Cell")}` }])).toEqual([]);
  });
});
