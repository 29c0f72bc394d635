import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemorySource, type ByteSource } from "../../src/bytes/byte-source.ts";
import { readJson } from "../../src/core/sbom/json-bytes.ts";
import type { JsonValue, Schema } from "../../src/bytes/json/schema.ts";
import { TOKENIZER_SOURCE } from "../../src/bytes/json/tokenizer-binary.ts";
import { EolgateError } from "../../src/core/errors.ts";
import { pieces } from "./pieces.ts";

/** Builds the whole value, to compare it with JSON.parse. */
class Builder {
  result: unknown = undefined;
  private readonly open: { readonly value: Record<string, unknown> | unknown[] }[] = [];

  add(value: unknown, key: string): void {
    const outer = this.open.at(-1)?.value;
    if (outer === undefined) this.result = value;
    else if (Array.isArray(outer)) outer.push(value);
    else outer[key] = value;
  }
  begin(value: Record<string, unknown> | unknown[]): void {
    this.open.push({ value });
  }
  end(): void {
    this.open.pop();
  }
}

const KEYS = ["a", "b", "c", "name", "é", "longer key with spaces"];
const anyValue = (key: string): Schema<Builder> => ({
  begin: (into, value) => {
    if (value.isString) into.add(value.text(), key);
    else if (!value.isObject && !value.isList) into.add(JSON.parse(value.raw()), key);
  },
  open: (into) => {
    const object = {};
    into.add(object, key);
    into.begin(object);
  },
  close: (into) => into.end(),
  members,
});
const schemas = new Map(KEYS.map((key) => [key, anyValue(key)]));
function members(): Record<string, Schema<Builder>> {
  return Object.fromEntries(schemas);
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const build = (source: ByteSource): unknown => {
  const into = new Builder();
  readJson(source, 0, schemas.get("a") ?? {}, into);
  return into.result;
};
const skip = (source: ByteSource): number => readJson(source, 0, {}, undefined).end;
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return "";
  } catch (error) {
    if (error instanceof EolgateError) return error.code;
    throw error;
  }
};

test("the compiled tokenizer matches its source", () => {
  const source = readFileSync("src/bytes/json/tokenizer.as");
  expect(TOKENIZER_SOURCE).toBe(createHash("sha256").update(source).digest("hex"));
});

describe("reading with a schema", () => {
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: "grapheme" }),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.constantFrom(true, false, null, -0, 1e300, '\\"\n\u0001', "x".repeat(300)),
      fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 4 }),
    ),
  })).value;

  test("gives the result of JSON.parse for chunks of any size", () => {
    fc.assert(
      fc.property(
        value,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 1, "\t\r\n "),
        (each, size, indent) => {
          const text = JSON.stringify(each, undefined, indent);
          expect(build(pieces(bytesOf(text), size))).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("finds keys with escapes", () => {
    expect(build(new MemorySource(bytesOf(String.raw`{"\u0061":1,"\u006eame":"\u0041\n","x\u0079":2}`)))).toEqual({
      a: 1,
      name: "A\n",
    });
  });

  test("skips members outside the schema and keeps list indexes correct", () => {
    const found: (readonly [number, number])[] = [];
    const schema: Schema<undefined> = {
      elements: () => ({
        members: () => ({ a: { begin: (_, { index, start }: JsonValue) => void found.push([index, start]) } }),
      }),
    };
    const text = '[[{"a":0}], {"b":{"a":1}}, {"c":[{"a":2}],"a":3}, 4, {"a":{"a":5}}]';
    readJson(new MemorySource(bytesOf(text)), 0, schema, undefined);
    expect(found).toEqual([
      [2, text.indexOf('"a":3') + 4],
      [4, text.indexOf('{"a":5')],
    ]);
  });

  test("reads values that are longer than its window", () => {
    const long = "é".repeat(400_000);
    expect(build(pieces(bytesOf(JSON.stringify({ a: long, b: { c: long } })), 100_000))).toEqual({
      a: long,
      b: { c: long },
    });
  });
});

describe("skipping a value", () => {
  test("accepts and refuses the same input as JSON.parse, in chunks of any size", () => {
    const sample = String.raw`{"a":[1,-2.5e3,true,null,"xé\u0041\n",false],"b":{"c":"","d":[],"e":{}}} `;
    const parts = fc.constantFrom(...Array.from('{}[]",:\\0123456789.-+eEtruefalsn \n\u0001x/u'));
    fc.assert(
      fc.property(
        fc.nat(sample.length),
        fc.nat(3),
        fc.array(parts, { maxLength: 3 }),
        fc.integer({ min: 1, max: 9 }),
        (at, cut, added, size) => {
          const text = sample.slice(0, at) + added.join("") + sample.slice(at + cut);
          const bytes = bytesOf(text);
          let accepted = true;
          try {
            JSON.parse(text);
          } catch {
            accepted = false;
          }
          const read = (): void => {
            const end = skip(pieces(bytes, size));
            if (new TextDecoder().decode(bytes.subarray(end)).trim() !== "")
              throw EolgateError.raw("input", { code: "more", message: "" });
          };
          expect([text, codeOf(read) === ""]).toEqual([text, accepted]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test.each([
    ["an overlong sequence", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a code point beyond Unicode", [0xf4, 0x90, 0x80, 0x80]],
    ["a lone continuation byte", [0x80]],
    ["a truncated sequence", [0xe2, 0x82]],
    ["a byte that never occurs", [0xff]],
  ])("refuses invalid UTF-8: %s", (_, sequence) => {
    const bytes = Uint8Array.from([0x22, 0x61, ...sequence, 0x22]);
    for (const size of [1, 2, 100]) expect(codeOf(() => skip(pieces(bytes, size)))).toBe("invalid-utf8");
  });

  test("skips 20,000 levels and refuses more than its stack allows", () => {
    expect(skip(new MemorySource(bytesOf("[".repeat(20_000) + "]".repeat(20_000))))).toBe(40_000);
    expect(codeOf(() => skip(new MemorySource(bytesOf("[".repeat(200_000)))))).toBe("json-too-deep");
  });
});
