import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { positions } from "../../src/json-rows/position.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("line and column of a byte", () => {
  test.each([
    ["the first", "abc", 0, 1, 1],
    ["after a line feed", "a\nb", 2, 2, 1],
    ["CRLF is one line ending", "a\r\nb", 3, 2, 1],
    ["two units of UTF-16", "😀x", 4, 1, 3],
    ["one unit of UTF-16", "éx", 2, 1, 2],
    ["a byte order mark has no column", "\uFEFFx", 3, 1, 1],
    ["after the end", "ab", 9, 1, 3],
  ])("%s", (_, text, byte, line, column) => {
    expect(positions(bytesOf(text))(byte)).toEqual({ line, column });
  });

  test("gives the same position as counting from the start", () => {
    const piece = fc.constantFrom("a", "é", "日", "😀", "\n", "\r\n", "word ", "x".repeat(700));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), fc.nat(39), (pieces, cut) => {
        const before = pieces.slice(0, cut).join("");
        const lines = before.split("\n");
        const expected = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
        expect(positions(bytesOf(pieces.join("")))(bytesOf(before).length)).toEqual(expected);
      }),
    );
  });
});
