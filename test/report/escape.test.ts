import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  escapeCsv,
  truncate,
  escapeHtml,
  escapeJson,
  escapeMarkdown,
  escapeMarkdownCode,
  singleLine,
  escapeTerminal,
  safeUrl,
  escapeWorkflowData,
  escapeWorkflowProperty,
  escapeXml,
} from "../../src/report/escape.ts";

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

test.each([
  ["terminal", escapeTerminal, "\u001b[31mred\u009b0m", "\\u{1b}[31mred\\u{9b}0m"],
  ["terminal: a link", escapeTerminal, "\u001b]8;;https://x\u0007", "\\u{1b}]8;;https://x\\u{7}"],
  ["terminal: a command", escapeTerminal, "::set-output name=x::y", "\\u{3a}:set-output name=x::y"],
  ["terminal: a command after a space", escapeTerminal, "a ::error::b", "a \\u{3a}:error::b"],
  ["terminal: old workflow commands", escapeTerminal, "##[add-path]x ##VSO[a]b", "#\\u{23}[add-path]x #\\u{23}VSO[a]b"],
  ["terminal: keeps the name of a Perl module", escapeTerminal, "Foo::Bar", "Foo::Bar"],
  ["terminal: right-to-left characters", escapeTerminal, "a\u202eb\u2066", "a\\u{202e}b\\u{2066}"],
  ["terminal: keeps other scripts", escapeTerminal, "日本 ümlaut 🦆", "日本 ümlaut 🦆"],
  ["html", escapeHtml, `<b a="1">'&`, "&lt;b a=&quot;1&quot;&gt;&#39;&amp;"],
  ["xml: what XML forbids", escapeXml, "a\u0000b\ufffec\ud800]]>", "a\\u{0}b\\u{fffe}c\\u{d800}]]&gt;"],
  ["markdown: markup", escapeMarkdown, "a_b*c`d`[e](f)<g>|", "a\\_b\\*c\\`d\\`\\[e\\](f)\\<g\\>&#124;"],
  [
    "markdown: a mention, a reference, a link",
    escapeMarkdown,
    "@me #1 https://x www.y",
    "@&#8203;me #&#8203;1 https:&#8203;//x www&#8203;.y",
  ],
  ["markdown: a list", escapeMarkdown, "- a", "\\- a"],
  ["markdown: a numbered list", escapeMarkdown, "1. a", "1\\. a"],
  ["markdown: keeps a version", escapeMarkdown, "1.6", "1.6"],
  ["code: backticks", escapeMarkdownCode, "a``b`", "``` a``b` ```"],
  ["code: a vertical bar", escapeMarkdownCode, "a|b", "`a\\u{7c}b`"],
  ["code: nothing", escapeMarkdownCode, "", "`  `"],
  ["workflow message", escapeWorkflowData, "a%b\r\nc", "a%25b%0D%0Ac"],
  ["workflow property", escapeWorkflowProperty, "a:b,c\n%", "a%3Ab%2Cc\\n%25"],
  ["csv: a formula", escapeCsv, "=1+1", "'=1+1"],
  ["csv: a formula after a tab", escapeCsv, "\t=1", "\\t=1"],
  ["csv: a full-width formula", escapeCsv, "\uff1d1", "'\uff1d1"],
  ["csv: quotes", escapeCsv, 'a,"b"', '"a,""b"""'],
  ["csv: both", escapeCsv, "@a,b", `"'@a,b"`],
  ["json: unseen", escapeJson, '"\u009b\u202e"', '"\\u009b\\u202e"'],
  ["json: invisible characters beyond the BMP", escapeJson, '"\u{e0061}🦆"', '"\\udb40\\udc61🦆"'],
])("%s", (_, escape, input, expected) => {
  expect(escape(input)).toBe(expected);
});

test.each([
  ["https://a.example/b?c=d#e", "https://a.example/b?c=d#e"],
  ["https://a.example/a b(c)'<>|`", "https://a.example/a%20b%28c%29%27%3C%3E%7C%60"],
  ["javascript:alert(1)", null],
  ["data:text/html,x", null],
  ["https://user:pass@a.example/", null],
  ["//a.example", null],
  ["https://", null],
])("url %s", (input, expected) => {
  expect(safeUrl(input)).toBe(expected);
});

describe("any text", () => {
  const anything = fc.string({ unit: "binary" });
  test.each(
    Object.entries({
      singleLine,
      escapeTerminal,
      escapeHtml,
      escapeXml,
      escapeMarkdown,
      escapeMarkdownCode,
      escapeCsv,
    }),
  )("%s escapes all invisible characters", (_, escape) => {
    fc.assert(fc.property(anything, (text) => !UNSEEN.test(escape(text))));
  });
  test("html leaves no markup character unescaped", () => {
    fc.assert(fc.property(anything, (text) => !/[<>"']/.test(escapeHtml(text))));
  });
  test("a code span cannot be closed early", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("`", "a", "|", " ", "\\") }), (text) => {
        const span = escapeMarkdownCode(text);
        const fence = /^`+/.exec(span)?.[0] ?? "";
        const runs = span.match(/`+/g) ?? [];
        expect(runs.filter((run) => run === fence)).toHaveLength(2);
        expect(span).not.toContain("|");
      }),
    );
  });
  test("json escapes do not change the value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => JSON.parse(escapeJson(JSON.stringify(text))) === text),
    );
  });
  test("truncation never splits a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.nat(20),
        (text, length) => truncate(text, length).isWellFormed() && truncate(text, length).length <= Math.max(length, 1),
      ),
    );
  });
});
