/** Position trees have the values of the parsers, and each location is that of the text of its value. */
import { Session } from "node:inspector/promises";
import * as fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import { parseJson } from "../../../src/files/tree/json.ts";
import { parseToml } from "../../../src/files/tree/toml.ts";
import { child, contentOf, elementsNamed, leavesOf, textAt, type TreeNode } from "../../../src/files/tree/tree.ts";
import { parseXml } from "../../../src/files/tree/xml.ts";
import { yamlLeaves } from "../../../src/files/tree/yaml.ts";

/** The tree as plain values; scalars are their texts. */
function plain({ members, items, text }: TreeNode): unknown {
  if (members) return Object.fromEntries([...members].map(([key, node]) => [key, plain(node)]));
  return items ? items.map(plain) : (text ?? null);
}

/** The values of a parser, with scalars as texts. */
function texts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(texts);
  if (typeof value === "string" || value === null) return value;
  if (typeof value !== "object") return JSON.stringify(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, texts(each)]));
}

const written = (text: string, node: TreeNode | undefined): string =>
  node === undefined ? "(none)" : text.slice(node.at, node.at + node.length);

function problemOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof EolgateError) return `${error.code}, ${error.where ?? "(no line)"}`;
    throw error;
  }
  return "no error";
}

describe("TOML", () => {
  test.each([
    ["tables and dotted keys", 'a = "1"\n[b.c]\nd.e = "2"\nd."f g" = \'3\'\n[b]\nh = "4"\n'],
    ["lists of tables", '[[p]]\nn = "a"\n[p.q]\nr = "1"\n[[p.s]]\nt = "2"\n[[p.s]]\nt = "3"\n[[p]]\nn = "b"\n'],
    ["inline tables and nested lists", 'a = [["1", "2"], [], {b = "3", c.d = ["4"]}]\ne = {}\n'],
    ["comments and line ends in lists", 'a = [ # one ]\r\n  "1", # "two"\r\n\r\n  "2",\r\n]\r\nb = "3" # c = "4"\r\n'],
    ["escapes", String.raw`a = "\"\\\t\n\u00e9\U0001F600"` + "\nb = '\\n'\n"],
    ["strings of several lines", 'a = """\nx \\\n   y "" \\" """\nb = \'\'\'\nc\n[d]\n\'\'\'\nc = """z"""""\n'],
    ["a header in a string", 'a = """\n[[package]]\n"""\n[[package]]\nname = "b"\n'],
    ["quoted headers", '["a.b".\'c\']\nd = "1"\n[ e . f ]\ng = "2"\n'],
    ["an empty file", "# nothing\n"],
    ["no line end", "[a]\nb = 'c'"],
  ])("reads %s as the parser does", (_, text) => {
    expect(plain(parseToml(text))).toEqual(texts(parse(text)));
  });

  test("keeps numbers, dates and booleans as they are written", () => {
    const text = "a = 3.10\nb = 0x1F\nc = 1979-05-27 07:32:00Z\nd = true\ne = [1, 2]\n";
    expect(plain(parseToml(text))).toEqual({
      a: "3.10",
      b: "0x1F",
      c: "1979-05-27 07:32:00Z",
      d: "true",
      e: ["1", "2"],
    });
  });

  test("reads generated documents as the parser does", () => {
    const key = fc.string({ unit: "grapheme", maxLength: 6 }).filter((each) => each !== "__proto__");
    const value = fc.letrec<{ value: unknown; table: Record<string, unknown> }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: "grapheme" }),
        fc.boolean(),
        tie("table"),
        fc.array(tie("table"), { maxLength: 3 }),
        fc.array(fc.string(), { maxLength: 3 }),
      ),
      table: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    })).table;
    fc.assert(
      fc.property(value, (each) => {
        const text = stringify(each);
        expect(plain(parseToml(text))).toEqual(texts(parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  test("locates values, and tables by their headers", () => {
    const text = '[[p]] # first\nname = "a"\n[[p]]\nname = "b"\nlist = ["1"]\n';
    const [, second] = child(parseToml(text), "p")?.items ?? [];
    expect(written(text, second)).toBe("[[p]]");
    expect(written(text, child(second, "name"))).toBe('"b"');
    expect(contentOf(child(second, "name") ?? { at: 0, length: 0 })).toEqual({
      at: text.indexOf('"b"') + 1,
      length: 1,
    });
    expect(written(text, child(second, "list"))).toBe('["1"]');
  });

  test("refuses a text that is not TOML, with the line", () => {
    expect(problemOf(() => parseToml('a = 1\nb = "x\n'))).toBe("lockfile-broken, line 2");
  });
});

describe("JSON", () => {
  test("reads generated documents as JSON.parse does, with the location of each value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), fc.constantFrom(undefined, 2), (each, indent) => {
        const text = JSON.stringify(each, undefined, indent);
        const root = parseJson(text);
        expect(plain(root)).toEqual(texts(JSON.parse(text)));
        for (const node of scalarsOf(root)) {
          expect(texts(JSON.parse(written(text, node)))).toEqual(plain({ ...parseJson(written(text, node)) }));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("locates values after characters of several bytes", () => {
    const text = '{"é": "😀", "b": ["日本", "c"]}';
    expect(leavesOf(parseJson(text), text).map(({ source }) => source)).toEqual(['"😀"', '"日本"', '"c"']);
  });

  test.each([
    ["comments", '{ // one\n "a": /* two */ "1" /* , "b": 2 */\n}', { a: "1" }],
    ["commas after the last value", '{"a": ["1", "2",], "b": {"c": "3",\n},}', { a: ["1", "2"], b: { c: "3" } }],
    ["slashes in strings", '{"a": "http://x/*y*/"}', { a: "http://x/*y*/" }],
    ["a comment after a comma", '["1", // last\n]', ["1"]],
  ])("reads %s where they are allowed", (_, text, expected) => {
    expect(plain(parseJson(text, { comments: true }))).toEqual(expected);
  });

  test.each([
    ["a comment", '{"a": 1 // x\n}', false, "not-json, line 1, column 9"],
    ["a trailing comma", "[1,]", false, "not-json, line 1, column 4"],
    ["a comma alone", "[,]", true, "not-json, line 1, column 2"],
    ["two commas", "[1,,]", true, "not-json, line 1, column 4"],
    ["a comment that does not end", '{"a": 1 /* x', true, "truncated, line 1, column 13"],
    ["a slash", '{"a": / 1}', true, "not-json, line 1, column 7"],
    ["a second document", "{}\n{}", true, "not-json, line 2, column 1"],
    ["600 levels", "[".repeat(600) + "]".repeat(600), true, "lockfile-broken, line 1"],
  ])("refuses %s", (_, text, comments, problem) => {
    expect(problemOf(() => parseJson(text, { comments }))).toBe(problem);
  });
});

const scalarsOf = (node: TreeNode): readonly TreeNode[] =>
  node.members || node.items ? [...(node.members?.values() ?? []), ...(node.items ?? [])].flatMap(scalarsOf) : [node];

test("reads the attributes and the first child of each name of an XML element, and all children in order", () => {
  const text = '<p a="1"><b>x</b><c><b>y</b></c><b> z </b><!-- <b/> --></p>';
  const root = parseXml(text);
  expect([textAt(root, "@a"), textAt(root, "b"), textAt(root, "c", "b"), textAt(root, "c")]).toEqual([
    "1",
    "x",
    "y",
    undefined,
  ]);
  expect(elementsNamed(root, "b").map((node) => [node.text, written(text, node)])).toEqual([
    ["x", "<b>x</b>"],
    ["y", "<b>y</b>"],
    ["z", "<b> z </b>"],
  ]);
});

test("reads the scalars of YAML as they are written, and an alias where its value is written", () => {
  const [first = [], second = []] = yamlLeaves('a: &x 3.10\nb: *x\nc: ""\nd:\ne: null\n---\nf: [1, "2"]\n');
  expect(first.map(({ path, text }) => `${path.join("/")}=${text}`)).toEqual([
    "a=3.10",
    "b=3.10",
    "c=",
    "d=",
    "e=null",
  ]);
  expect(second.map(({ path, source }) => `${path.join("/")}=${source}`)).toEqual(["f/0=1", 'f/1="2"']);
});

describe("aliases of YAML", () => {
  test.each<readonly [string, string, readonly string[]]>([
    ["a value with its own anchor twice", "a: &x 1\nb: *x\nc: &x 2\nd: *x\n", ["a=1", "b=1", "c=2", "d=2"]],
    ["a list", "a: &x [1, 2]\nb: *x\n", ["a/0=1", "a/1=2", "b/0=1", "b/1=2"]],
    ["an alias in an anchor", "a: &x 1\nb: &y [*x]\nc: *y\n", ["a=1", "b/0=1", "c/0=1"]],
    ["the anchor of a key", "&x a: 1\nb: *x\n", ["a=1", "b=a"]],
    ["a merged mapping", "a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  l: 3\n", ["a/k=1", "a/l=2", "b/k=1", "b/l=3"]],
  ])("mean %s", (_, text, expected) => {
    expect(yamlLeaves(text)[0]?.map(({ path, text: value }) => `${path.join("/")}=${value}`)).toEqual(expected);
  });

  test.each([
    ["without an anchor", "a: 1\nb: *x\n"],
    ["before its anchor", "a: 1\nb: *x\nc: &x 1\n"],
    ["inside its anchor", "a: 1\nb: &x [*x]\n"],
    ["to an anchor of another document", "b: &x 1\n---\nb: *x\n", 3],
  ])("%s is refused with the line", (_, text, line = 2) => {
    expect(problemOf(() => yamlLeaves(text))).toBe(`lockfile-broken, line ${String(line)}`);
  });

  test("take work in proportion to the file", async () => {
    const withAliases = (count: number): string =>
      `a: &x 1\n${Array.from({ length: count }, (_, index) => `k${String(index)}: *x\n`).join("")}`;
    const [few, many] = [
      await callsOf(() => yamlLeaves(withAliases(200))),
      await callsOf(() => yamlLeaves(withAliases(800))),
    ];
    expect([few > 1000, many < few * 4.5]).toEqual([true, true]);
  });
});

/** How many functions are called, which unlike a time is the same for every run. */
async function callsOf(run: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true });
    run();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result.flatMap(({ functions }) => functions).reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  } finally {
    session.disconnect();
  }
}

test.each([
  ["YAML", () => yamlLeaves("<html>not found</html>\n")],
  ["JSON", () => leavesOf(parseJson('"text"'), '"text"')],
])("refuses %s that is a single scalar", (_, run) => {
  expect(problemOf(run)).toBe("lockfile-broken, line 1");
});
