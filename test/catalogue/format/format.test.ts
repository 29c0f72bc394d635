/** The catalogue file: look-ups find every record, and no damaged byte is read. */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "../../../src/pipeline/compile/compile.ts";
import {
  encodeCatalogue,
  openByBlocks,
  openCatalogue,
  readContent,
  resignCatalogue,
} from "../../../src/catalogue/file.ts";
import { sourceOfBytes } from "../../../src/catalogue/format/head.ts";
import { layOut } from "../../../src/catalogue/format/layout.ts";
import { SectionReader } from "../../../src/catalogue/format/reader.ts";
import { type FileSections, SECTION_NAMES, toFileSections } from "../../../src/catalogue/format/sections.ts";
import { StoredCatalogue } from "../../../src/catalogue/load.ts";
import { BUNDLED } from "../../../src/catalogue/places.ts";
import type { StoredContent } from "../../../src/catalogue/schema.ts";
import { hashGivenText } from "../../../src/json-rows/bytes.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import { cycle, inputs, recorded } from "../builders.ts";

const { content } = compile(inputs([recorded("a", [cycle("1", "2020-01-01", "2026-01-01")])]));
const small = encodeCatalogue(content);
const bundled = readFileSync(BUNDLED);

/** Reads every section by its blocks. */
function readByBlocks(bytes: Buffer): Readonly<Record<string, unknown>> {
  const { sections } = openByBlocks(sourceOfBytes(bytes), "x");
  return Object.fromEntries(SECTION_NAMES.map((name) => [name, sections.all(name)]));
}

describe("bundled catalogue file", () => {
  const whole = JSON.parse(bundled.toString()).content as FileSections;
  const { sections } = openByBlocks(sourceOfBytes(bundled), "bundled");

  test("is one JSON document with the sections that the reader returns", () => {
    expect(readByBlocks(bundled)).toEqual(whole);
    expect(Object.keys(whole)).toEqual(SECTION_NAMES);
  });

  test("finds every purl, name and product by a look-up", () => {
    for (const name of ["products", "purls", "names", "cpes", "distroPackages"] as const) {
      for (const [key, value] of Object.entries(whole[name])) expect(sections.record(name, key)).toEqual(value);
      expect(sections.keys(name)).toEqual(Object.keys(whole[name]));
    }
    whole.reads.forEach((read, index) => expect(sections.element("reads", index)).toEqual(read));
    expect(sections.element("reads", whole.reads.length)).toBeUndefined();
    expect(sections.element("reads", -1)).toBeUndefined();
  });

  test("finds no keys that are similar to existing ones", () => {
    for (const key of Object.keys(whole.purls).slice(0, 500)) {
      for (const near of [`${key} `, key.slice(0, -1), `${key}/`, `"${key}`, key.toUpperCase()])
        expect(sections.record("purls", near)).toEqual(
          Object.hasOwn(whole.purls, near) ? whole.purls[near] : undefined,
        );
    }
    for (const key of ["", "\uffff", "constructor", "__proto__", "\n", '":"'])
      expect(sections.record("purls", key)).toBeUndefined();
  });

  test("is encoded to the same content again, and to the same bytes after that", () => {
    const content = readContent(bundled, "bundled");
    const again = encodeCatalogue(content);
    expect(readContent(again, "again")).toEqual(content);
    expect(encodeCatalogue(readContent(again, "again")).equals(again)).toBe(true);
  });
});

test("finds records with any keys and values, in any order of insertion", () => {
  const records = fc.dictionary(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.string({ unit: "binary", maxLength: 300 }),
    {
      maxKeys: 60,
      noNullPrototype: true,
    },
  );
  fc.assert(
    fc.property(records, fc.array(fc.string({ unit: "binary" })), (cpes, addresses) => {
      const sections: FileSections = { ...toFileSections(content), cpes, addresses };
      const { directory, body } = layOut(sections);
      const reversed = Object.fromEntries(Object.entries(cpes).reverse());
      expect(layOut({ ...sections, cpes: reversed }).body.equals(body)).toBe(true);
      const reader = new SectionReader({
        source: sourceOfBytes(body),
        start: 0,
        directory: JSON.parse(`{${directory.slice(0, -1)}}`).directory,
        origin: "x",
        verifyBlocks: true,
      });
      for (const [key, value] of Object.entries(cpes)) expect(reader.record("cpes", key)).toBe(value);
      addresses.forEach((value, index) => expect(reader.element("addresses", index)).toBe(value));
      expect(reader.all("cpes")).toEqual(cpes);
      expect(reader.keyHashes("cpes")).toEqual(new Set(Object.keys(cpes).map(hashGivenText)));
    }),
    { numRuns: 200 },
  );
});

describe("damaged catalogue file", () => {
  const expected = readByBlocks(small);

  test("the digest detects a change of any byte that changes the content", () => {
    for (let at = 0; at < small.length; at += 1) {
      const damaged = Buffer.from(small);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      const isHead = at < small.indexOf(10);
      try {
        const read = readContent(damaged, "x");
        expect(isHead, `byte ${at}`).toBe(true);
        expect(read).toEqual(content);
      } catch (error) {
        expect(error).toBeInstanceOf(EolgateError);
        expect((error as EolgateError).code).toMatch(/^catalogue-(?:corrupt|format)$/);
      }
    }
  });

  test("the block checksum detects a change of any byte that changes the content", () => {
    for (let at = 0; at < small.length; at += 1) {
      const damaged = Buffer.from(small);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      try {
        expect(readByBlocks(damaged)).toEqual(expected);
      } catch (error) {
        expect(error).toBeInstanceOf(EolgateError);
      }
    }
  });

  test("truncation is detected before the first look-up", () => {
    for (let cut = 1; cut < bundled.length; cut = cut * 3 + 1)
      expect(() => openByBlocks(sourceOfBytes(bundled.subarray(0, -cut)), "x")).toThrow(EolgateError);
  });

  test("damage of one product is detected when the product is read", () => {
    const text = bundled.toString("latin1");
    const row = text.indexOf('\n"nodejs":{');
    const at = text.indexOf("2025-04-30", row);
    expect(at).toBeGreaterThan(row);
    const damaged = Buffer.from(text.replace("2025-04-30", "2025-04-30"), "latin1");
    damaged.write("2035-04-30", at, "latin1");
    const catalogue = new StoredCatalogue(openByBlocks(sourceOfBytes(damaged), "x"), "x");
    expect(catalogue.product("debian")?.slug).toBe("debian");
    expect(() => catalogue.product("nodejs")).toThrow(/checksum/);
    expect(() => openCatalogue(damaged, "x")).toThrow(/digest/);
  });
});

test("a catalogue can be signed again without changing the bytes under the digest", () => {
  const signature = { algorithm: "ed25519", key: "0123456789abcdef", value: "AAAA" } as const;
  const signed = resignCatalogue(small, "x", () => signature);
  expect(openCatalogue(signed, "x").head).toEqual({ ...openCatalogue(small, "x").head, signature });
  expect(readContent(signed, "x")).toEqual(readContent(small, "x") satisfies StoredContent);
});
