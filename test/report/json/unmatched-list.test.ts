/** Writing unmatched components as a list gives the same text as writing each of them alone, for any spelling of their texts. */
import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import type { Component, ComponentRows, EvaluatedComponent } from "../../../src/model/index.ts";
import { ComponentRowsBuilder, toFindings } from "../../../src/policy/rows.ts";
import { unresolved } from "../../../src/resolve/unresolved.ts";
import { parseSbom } from "../../../src/sbom/read.ts";
import { escapeJson } from "../../../src/report/escape.ts";
import { unmatchedObject } from "../../../src/report/json/finding.ts";
import { MARKS, templateOf, unmatchedElements } from "../../../src/report/json/unmatched-list.ts";
import { pieces } from "../../json-rows/pieces.ts";
import { component, passReport } from "../reports.ts";

const report = passReport();
const UNTRACKED: EvaluatedComponent = {
  resolution: unresolved("purl-not-tracked"),
  outcome: { severity: "pass", condition: "none" },
};

/** Components to which the evaluatedComponents are assigned in turn, so that several share one. */
function rowsWith(
  components: readonly Component[],
  evaluatedComponents: readonly EvaluatedComponent[],
): ComponentRows<EvaluatedComponent> {
  const rows = new ComponentRowsBuilder<EvaluatedComponent>(components);
  const ids = evaluatedComponents.map((each) => rows.add(each));
  for (const index of components.keys()) rows.set(index, ids[index % ids.length] ?? 0);
  return rows;
}

const listOf = (rows: ComponentRows<EvaluatedComponent>): string =>
  Buffer.concat([...unmatchedElements(report, rows, [...rows.ids.keys()])]).toString("utf8");

const oneByOne = (rows: ComponentRows<EvaluatedComponent>): string =>
  toFindings(rows)
    .map((finding) => `\n${escapeJson(JSON.stringify(unmatchedObject(report, finding)))}`)
    .join(",");

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

/** Components with the text in one field. */
function componentsWith(field: string, text: string): readonly Component[] {
  const other = field === "name" ? '"version":"1"' : '"name":"x"';
  const one = `{"type":"library",${other},"${field}":${text}}`;
  const bytes = Buffer.from(`{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${one},${one},${one}]}`);
  return [...parseSbom(pieces(bytes, 4096)).components];
}

describe.each(["name", "bom-ref", "version", "purl"])("%s", (field) => {
  test.each(Object.entries(TEXTS))("with %s", (_, text) => {
    const rows = rowsWith(componentsWith(field, text), [UNTRACKED]);
    expect(rows.length).toBe(3);
    expect(listOf(rows)).toBe(oneByOne(rows));
  });
});

test("keeps what resolutions and outcomes add", () => {
  const known = { candidates: ["1", MARKS.name], evidence: ['"\u0001purl\u0001"'] };
  const ambiguous: EvaluatedComponent = { ...UNTRACKED, resolution: unresolved("version-ambiguous", known) };
  const failing: EvaluatedComponent = { ...ambiguous, outcome: { severity: "fail", condition: "untracked" } };
  const named = ["a", "b", "c"].flatMap((name) => componentsWith("name", JSON.stringify(name)));
  const rows = rowsWith(named, [ambiguous, failing, UNTRACKED]);
  expect(listOf(rows)).toBe(oneByOne(rows));
});

test("components in memory and nested ones have their own texts", () => {
  const nested = '{"type":"library","name":"inner","components":[{"type":"library","name":"innermost"}]}';
  const bytes = Buffer.from(
    `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"type":"library","name":"outer","components":[${nested}]}]}`,
  );
  const read = [...parseSbom(bytes).components];
  const copies = read.map((each) => component(`copy of ${each.name}`, undefined, { pointer: each.pointer }));
  const rows = rowsWith([...read, ...copies], [UNTRACKED]);
  expect(listOf(rows)).toBe(oneByOne(rows));
});

test("an object without one of the marks, or with one twice, makes no template", () => {
  const { purls, ...others } = MARKS;
  expect(templateOf({ ...others, purl: purls[0] })).not.toBeNull();
  expect(templateOf(others)).toBeNull();
  expect(templateOf({ ...others, purl: purls[0], again: purls[0] })).toBeNull();
});
