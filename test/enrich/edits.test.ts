import { describe, expect, test } from "vitest";
import { type Edit, diff, edited, inOrder } from "../../src/enrich/edits.ts";
import { bytesOf, textOf } from "../sbom/documents.ts";

const at = (text: string, found: string, put: string, length = found.length): Edit => {
  const start = bytesOf(text.slice(0, text.indexOf(found))).length;
  return { start, end: start + length, text: bytesOf(put) };
};
const shown = (text: string, ...edits: readonly Edit[]): readonly string[] => [
  ...diff(bytesOf(text), edits, "bom.json"),
];

describe("diff of edits", () => {
  const text = 'one\ntwo "é"\nthree\nfour\r\nfive';

  test.each<readonly [string, readonly Edit[], readonly string[]]>([
    ["nothing", [], []],
    ["a changed line", [at(text, "three", "3")], ["@@ -3,1 +3,1 @@", "-three", "+3"]],
    ["inserted lines", [at(text, "\nthree", ",\n+\n+", 0)], ["@@ -2,1 +2,3 @@", '-two "é"', '+two "é",', "++", "++"]],
    ["removed lines", [at(text, "\nthree", "")], ["@@ -2,2 +2,1 @@", ' two "é"', "-three"]],
    [
      "at the very end",
      [{ start: bytesOf(text).length, end: bytesOf(text).length, text: bytesOf("!") }],
      ["@@ -5,1 +5,1 @@", "-five", "+five!"],
    ],
    ["two edits of one line", [at(text, "two", "2"), at(text, "é", "e", 2)], ["@@ -2,1 +2,1 @@", '-two "é"', '+2 "e"']],
    [
      "line numbers include lines of earlier edits",
      [at(text, "one", "1\n1"), at(text, "four", "4")],
      ["@@ -1,1 +1,2 @@", "-one", "+1", "+1", "@@ -4,1 +5,1 @@", "-four", "+4"],
    ],
  ])("%s", (_, edits, lines) => {
    expect(shown(text, ...edits)).toEqual(edits.length === 0 ? [] : ["--- bom.json", "+++ bom.json", ...lines]);
  });

  test("shows the context of each edit in a document with one long line", () => {
    const long = `${"é".repeat(300)}[HERE]${"x".repeat(300)}[THERE]${"y".repeat(300)}`;
    const lines = shown(long, at(long, "[HERE]", "(1)"), at(long, "[THERE]", "(2)"));
    expect(lines).toEqual([
      "--- bom.json",
      "+++ bom.json",
      "@@ line 1, column 301 @@",
      `-…${"é".repeat(20)}[HERE]${"x".repeat(40)}…`,
      `+…${"é".repeat(20)}(1)${"x".repeat(40)}…`,
      "@@ line 1, column 607 @@",
      `-…${"x".repeat(40)}[THERE]${"y".repeat(40)}…`,
      `+…${"x".repeat(40)}(2)${"y".repeat(40)}…`,
    ]);
  });
});

describe("edits", () => {
  const whole = (bytes: Uint8Array, edits: readonly Edit[]): string =>
    textOf(Buffer.concat([...edited(bytes, inOrder(edits))]));

  test("applies edits in any order, at the edges and next to each other", () => {
    const edits: readonly Edit[] = [
      { start: 6, end: 6, text: bytesOf("!") },
      { start: 2, end: 4, text: bytesOf("") },
      { start: 0, end: 0, text: bytesOf(">") },
      { start: 4, end: 5, text: bytesOf("E") },
    ];
    expect(whole(bytesOf("abcdef"), edits)).toBe(">abEf!");
  });

  test("rejects edits that overlap", () => {
    const text = bytesOf("x");
    expect(() =>
      whole(bytesOf("abc"), [
        { start: 0, end: 2, text },
        { start: 1, end: 3, text },
      ]),
    ).toThrow(RangeError);
  });

  test("joins small chunks and passes large ones through unchanged", () => {
    const bytes = new Uint8Array(3_000_000).fill(0x61);
    const edits = Array.from({ length: 1000 }, (_, index) => ({ start: index, end: index, text: bytesOf("bb") }));
    const pieces = [...edited(bytes, inOrder(edits))];
    expect(pieces.length).toBeLessThan(6);
    expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(3_002_000);
    expect(textOf(Buffer.concat(pieces)).slice(0, 9)).toBe("bbabbabba");
  });
});
