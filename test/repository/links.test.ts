/** Links in the documentation lead somewhere, and comments cite only what a reader of the repository can open. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anchors, brokenLinks, links, markdownPages } from "./markdown.ts";
import { parseSource, root, sourceFiles, type SourceFile } from "./sources.ts";

describe("links in documentation", () => {
  const pages = markdownPages();

  test("are found on pages that have them", () => {
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["README.md", "docs/policy.md", "SECURITY.md"]),
    );
  });

  test.each(pages.map((page) => [page.path, page] as const))("%s: targets exist", (_, page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  test.each([
    ["[a](docs/nowhere.md)", "does not exist"],
    ["![a](docs/nowhere.png)", "does not exist"],
    ["[a](docs/policy.md#no-such-heading)", "no such heading"],
    ["[a](#no-such-heading)", "no such heading"],
    ["[a](../outside.md)", "outside"],
    ["[a]: docs/nowhere.md", "does not exist"],
    ['<img src="docs/nowhere.png">', "does not exist"],
  ])("%s is reported", (text, word) => {
    expect(brokenLinks({ path: "README.md", text: `# Title\n\n${text}\n` }).join()).toContain(word);
  });

  test.each(["[a](README.md)", "[a](#the-title-1)", "`[a](nowhere.md)`", "[a](https://example.org/nowhere)"])(
    "%s is accepted",
    (text) => expect(brokenLinks({ path: "README.md", text: `# The *title*, 1\n\n${text}\n` })).toEqual([]),
  );

  test("use the anchors that GitHub generates for headings", () => {
    expect([...anchors("# A `b`\n## A b\n## C/D, e & f\n```\n# no\n```\n")]).toEqual(["a-b", "a-b-1", "cd-e--f"]);
    expect(links('[a](b.md "title") <b.md>')).toEqual(["b.md"]);
  });
});

/** References that only members of a closed circle can follow. */
const PRIVATE = [
  /\b(?:specification|spec|interface|decisions?),? section\b/i,
  /\bspecification,? \d/i,
  /\bsection \d+(?:\.\d+)* of (?:the )?(?:specification|decisions|interface)/i,
  /\b(?:interface|decisions|verdict-rules|glossary|writing|models|stack|resolution|support-levels)\.md\b/,
  /\.\.\/shared\b|\bshared\/(?:spec|design|upstream|sboms)/,
  /\b(?:issue|ticket|decision) #?\d+\b/i,
  /(?:^|\s)#\d+\b/,
];

function privateReferences({ path, comments }: SourceFile): readonly string[] {
  return comments.flatMap(({ line, text }) =>
    PRIVATE.flatMap((pattern) => {
      const found = pattern.exec(withoutPages(text))?.[0].trim();
      return found === undefined ? [] : [`${path}:${line}: "${found}"`];
    }),
  );
}

/** Our own pages may be cited, also where they have the name of a private document. */
const withoutPages = (text: string): string =>
  text.replaceAll(/https?:\/\/\S+/g, "").replaceAll(/\bdocs\/[\w./-]+\.md/g, "");

function missingPages({ path, text }: SourceFile): readonly string[] {
  // A path that follows another segment belongs to somebody else's repository.
  const cited = [...text.matchAll(/(?<![-\w/}])docs\/[\w./-]+\.md(?:#[\w-]+)?/g)].map(([found]) => found);
  return [...new Set(cited)].flatMap((reference) => {
    const [page = "", anchor] = reference.split("#");
    if (!existsSync(join(root, page))) return [`${path}: ${page} does not exist`];
    if (anchor === undefined || anchors(readFileSync(join(root, page), "utf8")).has(anchor)) return [];
    return [`${path}: ${reference} has no such heading`];
  });
}

describe("references in source files", () => {
  const files = sourceFiles("src");

  test("point only to existing pages", () => {
    expect(files.flatMap(missingPages)).toEqual([]);
  });

  test("are public in comments", () => {
    expect(files.flatMap(privateReferences)).toEqual([]);
  });

  test.each([
    "// See the specification section 5.",
    "/** The last word (decisions, section 5). */",
    "// verdict-rules.md says so",
    "// the score object of specification 2.1",
    "// as in ../shared/spec",
    "// fixes issue 12",
    "// see #123",
  ])("%s is reported", (text) => {
    expect(privateReferences(parseSource("src/a.ts", text))).toHaveLength(1);
  });

  test.each([
    "// https://www.rfc-editor.org/rfc/rfc9110#section-5",
    "// docs/glossary.md has the terms",
    "// RFC 9110, section 5.1",
    "// an issue with 12 components",
  ])("%s is accepted", (text) => {
    expect(privateReferences(parseSource("src/a.ts", text))).toEqual([]);
  });

  test("are reported when the page is missing", () => {
    expect(missingPages(parseSource("src/a.ts", "// docs/nowhere.md"))).toHaveLength(1);
    expect(missingPages(parseSource("src/a.ts", 'const a = "docs/nowhere.md";'))).toHaveLength(1);
    expect(missingPages(parseSource("src/a.ts", "// docs/policy.md#nowhere"))).toHaveLength(1);
  });
});
