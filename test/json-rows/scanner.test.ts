import * as fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { describeWithShared } from "../shared.ts";
import { parse } from "./value.ts";
import { createScanner } from "../../src/sbom/json-bytes.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function skipAll(bytes: Uint8Array): void {
  const scanner = createScanner(bytes);
  scanner.skip();
  scanner.finish();
}

function errorOf(run: () => unknown): EolgateError {
  try {
    run();
  } catch (error) {
    if (error instanceof EolgateError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("scanner compared with JSON.parse", () => {
  test.each([
    ["escapes", String.raw`["\"\\\/\b\f\n\r\té😀\ud800"]`],
    ["numbers", "[0,-0,1,-1.5,1e3,1E-3,1.25e+10,12345678901234567890,1e400]"],
    ["literals", "[true,false,null]"],
    ["white space", ' \t\r\n{ "a" : [ 1 , { } , [ ] ] } \r\n'],
    ["unicode", '{"é":"日本語","😀":"\u007f\u0080\u07ff\u0800\uffff"}'],
    ["duplicate keys", '{"a":1,"a":{"b":2},"a":[3]}'],
    ["escaped keys", String.raw`{"a":1,"name":2,"na\u006de":3}`],
    ["keys of Object.prototype", '{"__proto__":{"x":1},"constructor":2}'],
    ["a scalar alone", '"text"'],
    ["empty strings", '{"":""}'],
  ])("%s", (_, text) => {
    expect(parse(bytesOf(text))).toEqual(JSON.parse(text));
    expect(() => skipAll(bytesOf(text))).not.toThrow();
  });

  test("gives the same result for generated values in any formatting", () => {
    const unit = fc.constantFrom<"grapheme" | "binary">("grapheme", "binary");
    const values = unit.chain((stringUnit) => fc.jsonValue({ maxDepth: 6, stringUnit }));
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 1, 2, "\t", " \r\n "), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parse(bytesOf(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test("refuses the same malformed documents", () => {
    const sample = String.raw`{"a":[1,-2.5e3,true,null,"xé\u0041\n"],"b":{"c":"","d":[]}}`;
    const pieces = fc.constantFrom(...Array.from('{}[]",:\\0123456789.-+eEtruefalsn \n\u0001x/u'));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(sample.length), fc.nat(2), pieces), { minLength: 1, maxLength: 3 }),
        (edits) => {
          let text = sample;
          for (const [at, drop, insert] of edits) text = text.slice(0, at) + insert + text.slice(at + drop);
          let expected: { readonly value: unknown } | undefined;
          try {
            expected = { value: JSON.parse(text) };
          } catch {
            expected = undefined;
          }
          if (expected === undefined) {
            expect(() => parse(bytesOf(text)), text).toThrow(EolgateError);
            expect(() => skipAll(bytesOf(text)), text).toThrow(EolgateError);
          } else {
            expect(parse(bytesOf(text)), text).toEqual(expected.value);
            skipAll(bytesOf(text));
          }
        },
      ),
      { numRuns: 5000 },
    );
  });

  test("refuses a document truncated at any position", () => {
    const bytes = bytesOf(String.raw`{"a":[1,-2.5e3,true,null,"xé\u0041\n"],"b":{"c":""}}`);
    for (let end = 0; end < bytes.length; end++) {
      expect(() => skipAll(bytes.subarray(0, end)), `cut at ${end}`).toThrow(EolgateError);
    }
  });
});

describe("invalid UTF-8", () => {
  const invalid: readonly (readonly [string, readonly number[]])[] = [
    ["a lone continuation", [0x80]],
    ["overlong slash", [0xc0, 0xaf]],
    ["overlong of three", [0xe0, 0x80, 0x80]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["above the last code point", [0xf4, 0x90, 0x80, 0x80]],
    ["truncated", [0xe6, 0x97]],
    ["Latin-1", [0xe9, 0x20]],
  ];
  test.each(invalid)("%s", (_, inside) => {
    const bytes = Uint8Array.from([0x5b, 0x0a, 0x22, ...inside, 0x22, 0x5d]);
    const problem = errorOf(() => skipAll(bytes));
    expect([problem.code, problem.where]).toEqual(["invalid-encoding", "line 2, column 2"]);
  });

  test("refuses the same bytes as the decoder of the platform", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const byte = fc.oneof(
      fc.integer({ min: 0x7f, max: 0xff }),
      fc.constantFrom(0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4),
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 6 }), (inside) => {
        const bytes = Uint8Array.from([0x22, ...inside, 0x22]);
        let valid = true;
        try {
          decoder.decode(bytes);
        } catch {
          valid = false;
        }
        if (valid)
          expect(parse(bytes)).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(1, -1)));
        else expect(errorOf(() => skipAll(bytes)).code).toBe("invalid-encoding");
      }),
      { numRuns: 5000 },
    );
  });
});

describe("position of errors", () => {
  test.each([
    [
      "a missing comma",
      '{\n  "a": 1\n  "b": 2\n}',
      "not-json",
      "line 3, column 3",
      'expects a comma or "}" but has """',
    ],
    ["a trailing comma", "[1,]", "not-json", "line 1, column 4", 'expects a value but has "]"'],
    ["a single quote", "{'a':1}", "not-json", "line 1, column 2", "expects a key in double quotes"],
    ["a comment", '{"a":1} // x', "not-json", "line 1, column 9", "goes on after its end"],
    ["two documents", '{"a":1}\n{"a":2}', "not-json", "line 2, column 1", "holds more than one JSON document"],
    ["columns count UTF-16 units", '["😀é" x]', "not-json", "line 1, column 8", 'but has "x"'],
    ["a tab in a string", '["a\tb"]', "not-json", "line 1, column 4", "unescaped control character (0x09)"],
    ["an unknown escape", String.raw`["\x"]`, "not-json", "line 1, column 3", "unknown escape"],
    ["a leading zero", "[01]", "not-json", "line 1, column 3", 'expects a comma or "]"'],
    ["truncated", '{"a":[1,2', "truncated", "line 1, column 10", "the document is incomplete"],
  ])("%s", (_, text, code, where, message) => {
    const problem = errorOf(() => skipAll(bytesOf(text)));
    expect(problem.kind).toBe("input");
    expect(problem.code).toBe(code);
    expect(problem.where).toBe(where);
    expect(problem.message).toContain(message);
  });
});

describe("size and depth", () => {
  test("200,000 levels do not use the call stack", () => {
    const depth = 200_000;
    skipAll(bytesOf("[".repeat(depth) + "]".repeat(depth)));
    skipAll(bytesOf('{"a":'.repeat(depth) + "1" + "}".repeat(depth)));
  });

  test("skips a string of 100 MB without creating it", () => {
    const bytes = new Uint8Array(100 * 1024 * 1024).fill(0x61);
    bytes.set([0x5b, 0x22], 0);
    bytes.set([0x22, 0x5d], bytes.length - 2);
    const before = process.memoryUsage().heapUsed;
    skipAll(bytes);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * 1024 * 1024);
  });
});

describeWithShared("real documents", "sboms/documents/", (root) => {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  test("are read as JSON.parse reads them", () => {
    let compared = 0;
    for (const file of files) {
      const bytes = readFileSync(`${file.parentPath}/${file.name}`);
      const text = new TextDecoder("utf-8").decode(bytes);
      const start = bytes[0] === 0xef ? 3 : 0;
      let expected: { readonly value: unknown } | undefined;
      try {
        expected = { value: JSON.parse(text) };
      } catch {
        expected = undefined;
      }
      if (expected === undefined) expect(() => parse(bytes.subarray(start)), file.name).toThrow(EolgateError);
      else expect(parse(bytes.subarray(start)), file.name).toEqual(expected.value);
      compared++;
    }
    expect(compared).toBe(files.length);
    expect(compared).toBeGreaterThan(80);
  });
});
