import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemorySource, type ByteSource } from "../../src/json-rows/source.ts";
import { hashOf, hashOfText } from "../../src/json-rows/bytes.ts";
import { readJson } from "../../src/sbom/json-bytes.ts";
import type { JsonRow, JsonValue, Schema } from "../../src/json-rows/schema.ts";
import { sourceDigest } from "../../tools/tokenizer-source.ts";
import tokenizer from "../../src/json-rows/tokenizer.json" with { type: "json" };
import { EolgateError } from "../../src/messages/error.ts";
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

test("the compiled tokenizer matches its source (npm run tokenizer:compile)", () => {
  expect(tokenizer.source).toBe(sourceDigest());
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

describe("rows", () => {
  interface Part {
    readonly kind?: unknown;
    readonly name?: unknown;
    readonly note?: { readonly name?: unknown };
    readonly tags?: readonly { readonly tag?: unknown }[];
    readonly parts?: readonly Part[];
  }
  interface Found {
    readonly number: number;
    readonly parent: number;
    readonly index: number;
    readonly text: string;
    readonly fields: readonly number[];
  }
  interface ExpectedRow {
    readonly row: Omit<Found, "fields">;
    /** What a numbered row is made of. */
    readonly part?: Part;
  }
  const KINDS = { library: 1, "operating-system": 2, é: 3 };
  const kindNumbers = new Map<unknown, number>(Object.entries(KINDS));
  const FIELD = { kind: 0, name: 1, hash: 2, note: 3, parts: 17 } as const;

  const partSchema: Schema<(row: JsonRow) => void> = {
    row: (into, row) => into(row),
    numbered: true,
    members: () => ({
      kind: { store: { field: FIELD.kind, as: "choice", choices: KINDS } },
      name: { store: { field: FIELD.name, as: "text", hash: FIELD.hash } },
      note: { members: () => ({ name: { store: { field: FIELD.note, as: "text" } } }) },
      tags: { elements: () => ({ row: (into, row) => into(row), needs: 0, members: tagMembers }) },
      parts: { store: { field: FIELD.parts, as: "start" }, elements: () => partSchema },
    }),
  };
  const tagMembers = (): Readonly<Record<string, Schema<(row: JsonRow) => void>>> => ({
    tag: { store: { field: 0, as: "choice", choices: { wanted: 1 } } },
  });

  function rowsOf(text: string, size: number): readonly Found[] {
    const bytes = bytesOf(text);
    const found: Found[] = [];
    const keep = (row: JsonRow): void => {
      const { number, parent, index, start, end } = row;
      const fields = Object.values(FIELD).map((field) => row.field(field));
      found.push({ number, parent, index, text: new TextDecoder().decode(bytes.subarray(start, end)), fields });
    };
    readJson(pieces(bytes, size), 0, { elements: () => partSchema }, keep);
    return found;
  }

  /** The same from the whole value: rows that contain others end after them. */
  function expectedRows(list: readonly Part[]): readonly ExpectedRow[] {
    const found: ExpectedRow[] = [];
    let count = 0;
    const add = (part: Part, parent: number, index: number): void => {
      const number = count++;
      for (const key of Object.keys(part)) {
        if (key === "parts") for (const [at, inner] of (part.parts ?? []).entries()) add(inner, number, at);
        if (key !== "tags") continue;
        for (const [at, tag] of (part.tags ?? []).entries())
          if (tag.tag === "wanted")
            found.push({ row: { number: -1, parent: number, index: at, text: JSON.stringify(tag) } });
      }
      found.push({ row: { number, parent, index, text: JSON.stringify(part) }, part });
    };
    for (const [index, part] of list.entries()) add(part, -1, index);
    return found;
  }

  const scalar = fc.constantFrom<unknown>("library", "operating-system", "é", 'li"b', "", 1, null, [1], { a: 1 });
  const anyPart = fc.letrec<{ part: Part }>((tie) => ({
    part: fc.record(
      {
        kind: scalar,
        name: fc.oneof(scalar, fc.string({ unit: "grapheme" })),
        note: fc.record({ name: scalar }, { requiredKeys: [] }),
        tags: fc.array(fc.record({ tag: fc.constantFrom<unknown>("wanted", "other", 1) }, { requiredKeys: [] })),
        parts: fc.array(tie("part"), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  })).part;

  test("have numbers, containers, positions and fields for chunks of any size", () => {
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 4 }), fc.integer({ min: 1, max: 40 }), (list, size) => {
        const rows = rowsOf(JSON.stringify(list), size);
        const expected = expectedRows(list);
        expect(rows.map(({ number, parent, index, text }) => ({ number, parent, index, text }))).toEqual(
          expected.map(({ row }) => row),
        );
        for (const [at, { text, fields }] of rows.entries()) {
          const { part } = expected[at] ?? {};
          if (part === undefined) continue;
          const { kind, name, parts } = part;
          const [kindNumber = 0, nameAt = 0, hash, , partsAt = 0] = fields;
          const bytes = bytesOf(text);
          const from = (at: number): string => new TextDecoder().decode(bytes.subarray(at));
          expect(kindNumber).toBe(kindNumbers.get(kind) ?? 0);
          expect(hash).toBe(typeof name === "string" ? hashOfText(name) : 0);
          if (typeof name === "string") expect(from(nameAt - 1).startsWith(JSON.stringify(name))).toBe(true);
          else expect(nameAt).toBe(0);
          if (parts === undefined) expect(partsAt).toBe(0);
          else expect(from(partsAt).startsWith(JSON.stringify(parts))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("match texts with escapes by what they mean", () => {
    const [row] = rowsOf(String.raw`[{"k\u0069nd":"librar\u0079","name":"\u0061b"}]`, 3);
    expect(row?.fields.slice(0, 3)).toEqual([1, expect.any(Number), hashOfText("ab")]);
  });

  test("may contain each other 32,768 levels deep", () => {
    const levels = 32_768;
    const text = `[${'{"parts":['.repeat(levels)}${"]}".repeat(levels)}]`;
    const found: [number: number, parent: number, length: number][] = [];
    const keep = ({ number, parent, start, end }: JsonRow): void => void found.push([number, parent, end - start]);
    readJson(pieces(bytesOf(text), 100_000), 0, { elements: () => partSchema }, keep);
    expect(found).toEqual(Array.from({ length: levels }, (_, at) => [levels - 1 - at, levels - 2 - at, 12 * (at + 1)]));
  });
});

describe("hashes", () => {
  test("of values are those of their texts", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (texts) => {
        const found: number[] = [];
        const schema: Schema<number[]> = {
          elements: () => ({ hashed: true, string: (into, value) => void into.push(value.hash) }),
        };
        readJson(pieces(bytesOf(JSON.stringify(texts)), 7), 0, schema, found);
        expect(found).toEqual(texts.map((text) => hashOfText(text)));
      }),
    );
  });

  test("depend on each byte and the length, and are not 0", () => {
    const texts = ["", "\0", "\0\0", "abcd", "abce", "abcd\0", "bacd", "abcdabcd", "abcdabce"];
    const hashes = texts.map((text) => hashOfText(text));
    expect(new Set(hashes).size).toBe(texts.length);
    expect(hashes).not.toContain(0);
    expect(hashOf(bytesOf("xabcdx"), 1, 5)).toBe(hashOfText("abcd"));
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
    for (const size of [1, 2, 100]) expect(codeOf(() => skip(pieces(bytes, size)))).toBe("invalid-encoding");
  });

  test("skips 20,000 levels and refuses more than its stack allows", () => {
    expect(skip(new MemorySource(bytesOf("[".repeat(20_000) + "]".repeat(20_000))))).toBe(40_000);
    expect(codeOf(() => skip(new MemorySource(bytesOf("[".repeat(200_000)))))).toBe("too-deep");
  });
});
