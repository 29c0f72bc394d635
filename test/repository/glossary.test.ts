/** Identifiers and prose use the terms of docs/glossary.md. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { describe, expect, test } from "vitest";
import { isRecord } from "../../src/text/values.ts";
import { markdownPages } from "./markdown.ts";
import { root, sourceFiles } from "./sources.ts";
import { RULED_OUT, type RuledOutTerm } from "./terms.ts";

interface Use {
  readonly where: string;
  readonly text: string;
}

const FOLDERS = ["src", "test", "bench", "tools"];
/** These contain the terms because they rule them out, describe the past, or list addresses of others. */
const EXEMPT =
  /^(?:docs\/glossary\.md|CHANGELOG\.md|src\/data\/SOURCES\.md|test\/repository\/(?:terms|glossary\.test)\.ts)$/;

const files = FOLDERS.flatMap(sourceFiles).filter(({ path }) => !EXEMPT.test(path));
const pages = markdownPages().filter(({ path }) => !EXEMPT.test(path));

const identifiers: readonly Use[] = files.flatMap(({ path, text }) => [
  { where: path, text: wordsOf(path.replace(/\.ts$/, "")) },
  ...declaredNames(path, text).map((name) => ({ where: `${path}: ${name}`, text: wordsOf(name) })),
]);
const prose: readonly Use[] = [
  ...pages.flatMap(({ path, text }) => lines(path, withoutCode(text), 1)),
  ...files.flatMap(({ path, comments }) => comments.flatMap(({ line, text }) => lines(path, text, line))),
];

function lines(path: string, text: string, first: number): readonly Use[] {
  return text.split("\n").map((line, index) => ({ where: `${path}:${first + index}: ${line.trim()}`, text: line }));
}

/** Keeps the line breaks, so that line numbers stay right. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```$|`[^`\n]*`/gm, (code) => code.replaceAll(/[^\n]/g, " "));
}

/** `readOnly`, `READ_ONLY` and `read-only` are "read only". */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[^A-Za-z\d]+/g, " ")
    .toLowerCase();
}

/** Names that a file declares: variables, functions, parameters, types, members. Names of others are not its own. */
function declaredNames(path: string, text: string): readonly string[] {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    for (const key of ["id", "key", "local", "params", "param"] as const)
      collect((node as Record<string, unknown>)[key]);
    Object.values(node).forEach(visit);
  };
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(collect);
    if (typeof node !== "object" || node === null) return;
    const { type, name } = node as { type?: unknown; name?: unknown };
    if (type === "Identifier" && typeof name === "string") names.add(name);
  };
  visit(parseSync(path, text).program);
  return [...names];
}

const uses = (pattern: RegExp | undefined, texts: readonly Use[], within = /^/): readonly string[] =>
  pattern === undefined
    ? []
    : texts.filter(({ text, where }) => within.test(where) && pattern.test(text)).map(({ where }) => where);

/** Keys of JSON files that are names of fields. Others, such as package names, are names of others. */
function fieldNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(fieldNames);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(/^[a-z][A-Za-z]*$/.test(key) ? [key] : []),
    ...fieldNames(inner),
  ]);
}

/** The places of a term, if there are more than its row allows. */
function tooMany(found: readonly string[], limit = 0): readonly string[] {
  return found.length > limit ? found : [];
}

describe.each(RULED_OUT.map((row) => [row.term, row.use, row] as const))(
  '"%s" (use: %s)',
  (_, __, row: RuledOutTerm) => {
    test("does not occur in identifiers", () => {
      expect(tooMany(uses(row.identifier, identifiers, row.within), row.limit?.identifiers)).toEqual([]);
    });
    test("does not occur in documentation and comments", () => {
      expect(tooMany(uses(row.prose, prose, row.within), row.limit?.prose)).toEqual([]);
    });
  },
);

test("keys of the curated files call a release cycle a cycle", () => {
  const folder = join(root, "src/pipeline/curated");
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .flatMap((path) => fieldNames(JSON.parse(readFileSync(join(folder, path), "utf8"))).map((key) => ({ path, key })));
  expect(found.some(({ key }) => key === "cycles")).toBe(true);
  expect(found.filter(({ key }) => /\blines?\b/.test(wordsOf(key)))).toEqual([]);
});

describe("glossary test", () => {
  test.each([
    ["const theRuling = 1;", "the ruling"],
    ["function ruling() {}", "ruling"],
    ["interface RulingWords {}", "ruling words"],
    ["const a = { ruling: 1 };", "ruling"],
    ["type A = { readonly ruling: string };", "ruling"],
    ["const f = (ruling: string) => 1;", "ruling"],
  ])("detects the declaration in %s", (text, words) => {
    expect(declaredNames("src/a.ts", text).map(wordsOf)).toContain(words);
  });
  test("applies a row to the files that it names", () => {
    const texts = ["src/catalogue/a.ts: lines", "src/report/a.ts: lines"].map((where) => ({ where, text: "lines" }));
    expect(uses(/\blines\b/, texts, /^src\/catalogue\//)).toEqual(["src/catalogue/a.ts: lines"]);
    expect(uses(/\blines\b/, texts)).toHaveLength(2);
  });
  test("finds the field names of JSON at any depth", () => {
    expect(fieldNames([{ lines: [{ "pkg:npm/x": { lineNames: 1 } }] }])).toEqual(["lines", "lineNames"]);
  });
  test("ignores names that are only used", () => {
    expect(declaredNames("src/a.ts", "ruling.voice();")).toEqual([]);
  });
  test("reads prose without code", () => {
    expect(withoutCode("a `door` b\n```\ndoor\n```\nc")).not.toContain("door");
    expect(withoutCode("a\n```\ndoor\n```\nc").split("\n")).toHaveLength(5);
  });
  test("covers the documentation and the sources", () => {
    expect(pages.length).toBeGreaterThan(10);
    expect(files.length).toBeGreaterThan(300);
  });
  test("agrees with the published glossary page", () => {
    const page = readFileSync(join(root, "docs/glossary.md"), "utf8").toLowerCase();
    const published = [
      "ruling",
      "sighting",
      "voice",
      "house",
      "room",
      "door",
      "shelf",
      "fault",
      "foreseer",
      "release line",
      "judge",
      "lane",
      "hole",
      "workspace",
      "backporter",
      "standing",
      "destination",
      "ingredient",
    ];
    for (const term of published) {
      expect(page).toContain(term);
      expect(RULED_OUT.map((row) => row.term)).toContain(term);
    }
  });
});

/** Prints the number of uses that are left: GLOSSARY_COUNTS=1 npx vitest run test/repository/glossary.test.ts */
test.runIf(process.env["GLOSSARY_COUNTS"] === "1")("counts", () => {
  const rows = RULED_OUT.map(({ term, identifier, prose: pattern }) => [
    term,
    uses(identifier, identifiers).length,
    uses(pattern, prose).length,
  ]);
  process.stdout.write(`${rows.map((row) => row.join("\t")).join("\n")}\n`);
});
