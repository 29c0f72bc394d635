/** The list of unmatched components is what each of them would be alone, however its texts are written in the document. */
import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import type { Component, Finding } from "../../../src/core/model.ts";
import { unresolved } from "../../../src/core/resolve/unresolved.ts";
import { readSbom } from "../../../src/core/sbom/read.ts";
import { escapeJson } from "../../../src/report/escape.ts";
import { unmatchedObject } from "../../../src/report/json/finding.ts";
import { MARKS, templateOf } from "../../../src/report/json/text-template.ts";
import { unmatchedElements } from "../../../src/report/json/unmatched-list.ts";
import { pieces } from "../../bytes/pieces.ts";
import { passReport, unmatched } from "../reports.ts";

const report = passReport();

const listOf = (findings: readonly Finding[]): string =>
  Buffer.concat([...unmatchedElements(report, findings)]).toString("utf8");

const oneByOne = (findings: readonly Finding[]): string =>
  findings.map((finding) => `\n${escapeJson(JSON.stringify(unmatchedObject(report, finding)))}`).join(",");

/** Texts as the bytes of a document contain them, in quotes. */
const TEXTS: Readonly<Record<string, string>> = {
  plain: '"express"',
  empty: '""',
  blank: '"  "',
  "white space around": '" x "',
  "escaped quote": '"a\\"b"',
  "escaped backslash": '"a\\\\"',
  "escaped letter": '"\\u0041bc"',
  "control character": '"a\\u001bb"',
  "delete character": '"a\u007fb"',
  "right-to-left override": '"a\u202eb"',
  accents: '"café"',
  emoji: '"a😀b"',
  "lone surrogate": '"\\ud800"',
  "the mark of a hole": JSON.stringify(MARKS.name),
  "63 characters": `"${"x".repeat(63)}"`,
  "64 characters": `"${"x".repeat(64)}"`,
  "255 characters": `"${"x".repeat(255)}"`,
  "256 characters": `"${"x".repeat(256)}"`,
  "70,000 characters": `"${"x".repeat(70_000)}"`,
};

/** A component with the text in one field, twice, because the first one is written without a template. */
function componentsWith(field: string, text: string): readonly Component[] {
  const other = field === "name" ? '"version":"1"' : '"name":"x"';
  const one = `{"type":"library",${other},"${field}":${text}}`;
  const bytes = Buffer.from(`{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${one},${one},${one}]}`);
  return readSbom(pieces(bytes, 4096)).components;
}

describe.each(["name", "bom-ref", "version", "purl"])("%s", (field) => {
  test.each(Object.entries(TEXTS))("with %s", (_, text) => {
    const findings = componentsWith(field, text).map((component) => unmatched(component, "purl-not-tracked"));
    expect(findings).toHaveLength(3);
    const shared = findings.map((finding) => ({ ...finding, resolution: unresolved("purl-not-tracked") }));
    expect(listOf(shared)).toBe(oneByOne(shared));
  });
});

test("keeps what resolutions and outcomes add", () => {
  const [component] = componentsWith("name", '"left-pad"');
  if (component === undefined) throw new TypeError("no component");
  const resolution = unresolved("version-ambiguous", {
    candidates: ["1", MARKS.name],
    evidence: ['"\u0001purl\u0001"'],
  });
  const plain: Finding = { ...unmatched(component, "purl-not-tracked"), resolution };
  const failing: Finding = { ...plain, outcome: { severity: "fail", condition: "untracked" } };
  const findings = [plain, plain, failing, plain, failing];
  expect(listOf(findings)).toBe(oneByOne(findings));
});

test("components in memory and nested ones have their own texts", () => {
  const nested = '{"type":"library","name":"inner","components":[{"type":"library","name":"innermost"}]}';
  const bytes = Buffer.from(
    `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"type":"library","name":"outer","components":[${nested}]}]}`,
  );
  const read = readSbom(bytes).components;
  const findings = [...read, ...read.map((each) => ({ ...each, name: `copy of ${each.name}`, purls: [], pointer: "" }))]
    .map((component) => unmatched(component, "purl-not-tracked"))
    .map((finding) => ({ ...finding, resolution: unresolved("purl-not-tracked") }));
  expect(listOf(findings)).toBe(oneByOne(findings));
});

test("an object without one of the marks, or with one twice, makes no template", () => {
  const { purls, ...others } = MARKS;
  expect(templateOf({ ...others, purl: purls[0] })).toBeDefined();
  expect(templateOf(others)).toBeUndefined();
  expect(templateOf({ ...others, purl: purls[0], again: purls[0] })).toBeUndefined();
});
