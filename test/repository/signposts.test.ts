/** A name of a TypeScript file in prose is the end of a path in the repository: whoever follows it arrives. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { markdownPages, type MarkdownPage } from "./markdown.ts";
import { parseSource, root, sourceFiles, type SourceFile } from "./sources.ts";

const FOLDERS = ["src", "test", "tools", "bench"];
/** What was so in earlier versions, and files in the repositories of vendors. */
const OTHER_TREES = /^(?:CHANGELOG\.md|docs\/sources\.md)$/;
/** A file of users that documents are about. */
const OF_USERS = "serverless.ts";

/** A name, alone or with folders before it, but no pattern. */
const NAME = /(?<![\w./*{},<>-])(?:\.{1,2}\/)*((?:[\w.-]+\/)*[\w-][\w.-]*\.ts)\b(?![\w/-]|\.\w)/g;

const tree = [...FOLDERS.flatMap((folder) => sourceFiles(folder).map(({ path }) => path)), ...readdirSync(root)];

const wrongNames = (path: string, prose: string): readonly string[] =>
  Array.from(prose.matchAll(NAME), ([, name = ""]) => name)
    .filter((name) => name !== OF_USERS && !tree.some((each) => each === name || each.endsWith(`/${name}`)))
    .map((name) => `${path}: ${name}`);

const inPage = ({ path, text }: MarkdownPage): readonly string[] => wrongNames(path, text);
/** A comment about the form of imports quotes an example of one, such as `"./a.ts"`. */
const inComments = ({ path, comments }: SourceFile): readonly string[] =>
  comments.flatMap(({ text }) => wrongNames(path, text.replaceAll(/`?"[^"\n]*"|`\.\/\w\.ts`/g, "")));

describe("names of files are ends of paths", () => {
  test("in pages", () => {
    expect(
      markdownPages()
        .filter(({ path }) => !OTHER_TREES.test(path))
        .flatMap(inPage),
    ).toEqual([]);
  });

  test.each(FOLDERS)("in comments of %s", (folder) => {
    expect(sourceFiles(folder).flatMap(inComments)).toEqual([]);
  });

  test.each([
    ["`nowhere.ts`", ["nowhere.ts"]],
    ["(see src/policy/nowhere.ts)", ["src/policy/nowhere.ts"]],
    ["[rows](../src/nowhere/evaluate.ts)", ["src/nowhere/evaluate.ts"]],
    ["like in icy/evaluate.ts", ["icy/evaluate.ts"]],
    ["the end of nowhere.test.ts.", ["nowhere.test.ts"]],
    ["`evaluate.ts`, policy/evaluate.ts and src/policy/evaluate.ts.", []],
    ["`test/*.test.ts`, `{a,b}.ts`", []],
    ["a/b.tsx and a.tsv", []],
  ])("%s", (text, names) => {
    const wrong = names.map((name) => `src/a.ts: ${name}`);
    expect(inPage({ path: "src/a.ts", text })).toEqual(wrong);
    expect(inComments(parseSource("src/a.ts", `// ${text}`))).toEqual(wrong);
  });
});
