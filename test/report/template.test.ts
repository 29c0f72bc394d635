import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { FILTERS, template } from "../../src/report/template.ts";
import { failReport, passReport } from "./reports.ts";

const write = (text: string, make = passReport) => template(make(), { ...PLAIN, template: text });

describe("template", () => {
  test.each([
    ["a value", "{{verdict}}", "pass"],
    ["a path", "{{exit.code}} {{tool.name}}", "0 eolgate"],
    ["an unknown name", "[{{nothing.at.all}}]", "[]"],
    ["a section over a list", "{{#documents}}<{{document.file}}>{{/documents}}", "<shop.cdx.json>"],
    ["a name of an outer section", "{{#documents}}{{as_of}}{{/documents}}", "2026-09-01"],
    ["an inverted section", "{{^failed}}all read{{/failed}}", "all read"],
    ["the current element", "{{#policy}}{{#fail_on}}{{.}};{{/fail_on}}{{/policy}}", "eol;"],
    ["a comment", "a{{! never shown }}b", "ab"],
    ["tags alone on a line", "x\n{{#documents}}\n- {{format}}\n{{/documents}}\ny\n", "x\n- CycloneDX\ny\n"],
    ["a filter", "{{document.file|json}}", '"shop.cdx.json"'],
    ["a list as JSON text", "{{policy.fail_on}}", '["eol"]'],
    ["no inherited properties", "{{constructor}}{{__proto__}}{{verdict.length}}", ""],
    ["braces that are not a tag", "${{ x }} { y }", "$ { y }"],
  ])("%s", (_, text, expected) => {
    expect(write(text)).toBe(expected);
  });

  test("several documents", () => {
    expect(write("{{#documents}}{{document.file}} {{/documents}}{{#failed}}{{file}}{{/failed}}", failReport)).toBe(
      "shop.cdx.json api.spdx.json broken.json",
    );
  });

  test.each([
    ["an unclosed section", "a\n{{#documents}}", "line 2"],
    ["a wrong closing tag", "{{#documents}}\n\n{{/findings}}", "line 3"],
    ["a closing tag without an opening tag", "{{/findings}}", "line 1"],
    ["an unknown filter", "{{name|shell}}", "line 1"],
    ["an invalid name", "{{ 1 + 1 }}", "line 1"],
  ])("refuses %s with its position", (_, text, where) => {
    let thrown: unknown;
    try {
      write(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(EolgateError);
    expect(thrown).toMatchObject({ kind: "config", code: "bad-template", where });
  });

  test("renders the example of the documentation", () => {
    const page = readFileSync(new URL("../../docs/templates.md", import.meta.url), "utf8");
    const example = /\n```\n([\s\S]*?)\n```/.exec(page)?.[1] ?? "";
    expect(write(example)).toContain("# pass as of 2026-09-01\nshop.cdx.json: 66.7 % assessed\n- `kestrel`");
  });

  test("the documentation lists every escape function", () => {
    const page = readFileSync(new URL("../../docs/templates.md", import.meta.url), "utf8");
    expect(Object.keys(FILTERS).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test("a missing template is a usage error", () => {
    expect(() => template(passReport(), PLAIN)).toThrow(EolgateError);
  });
});
