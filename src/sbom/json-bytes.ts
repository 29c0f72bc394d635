/** The bytes of a document: read as JSON, checked to be UTF-8, and with the marks of enrichment. */
import type { JsonErrors } from "../json-rows/errors.ts";
import type { JsonValue } from "../json-rows/schema.ts";
import { createReadJson } from "../json-rows/reader.ts";
import { Scanner } from "../json-rows/scanner.ts";
import { EolgateError } from "../messages/error.ts";
import { lineAndColumn } from "../json-rows/position.ts";
import { sequenceLength } from "../json-rows/bytes.ts";

export const BYTE_ERRORS: JsonErrors = {
  notJson: (args, where) => EolgateError.of("not-json", args).at(where),
  truncated: (args, where) => EolgateError.of("truncated", args).at(where),
  invalidUtf8: (args, where) => invalidUtf8(args, where),
  textTooLong: ({ end }, where) =>
    EolgateError.of("too-large", {
      problem: `a name, version or identifier is ${end} bytes long, more than the limit`,
    }).at(where),
  jsonTooDeep: (where) =>
    EolgateError.of("too-deep", {
      problem: "the JSON document is nested too deeply",
      advice: "Generate the document again. SBOMs do not need so many levels.",
    }).at(where),
  duplicateKey: (args, where) => EolgateError.of("duplicate-key", args).at(where),
  wrongType: (args, where) => EolgateError.of("wrong-type", args).at(where),
};

/** @throws EolgateError `not-json`, `truncated`, `invalid-encoding`, `too-large`, `too-deep` */
export const readJson = createReadJson(BYTE_ERRORS);

/**
 * @param comments Allow comments and trailing commas.
 * @throws EolgateError as `readJson`, from the methods of the scanner
 */
export const createScanner = (bytes: Uint8Array, at = 0, comments = false): Scanner =>
  new Scanner(bytes, BYTE_ERRORS, { at, comments });

/** Refuses null in a list of components, because the document has lost a component there. */
export const refuseNull =
  (name: string) =>
  (_: unknown, value: JsonValue): void => {
    if (!value.isNull) return;
    value.refuse(value.start, (where) => BYTE_ERRORS.wrongType({ name, expected: "an object", found: "null" }, where));
  };

export const invalidUtf8 = ({ byte, offset }: { byte: string; offset: number }, where: string): EolgateError =>
  EolgateError.of("invalid-encoding", {
    problem: `the document is not valid UTF-8: byte ${byte} at offset ${offset}`,
  }).at(where);

/** @throws EolgateError `invalid-encoding` with the position of the first invalid byte */
export function requireUtf8(bytes: Uint8Array, start: number): void {
  for (let at = start; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : sequenceLength(bytes, at);
    if (length === 0) {
      throw invalidUtf8({ byte: `0x${byte.toString(16).toUpperCase()}`, offset: at }, lineAndColumn(bytes, at));
    }
    at += length;
  }
}

/**
 * Finds the byte of a text's offset, which counts UTF-16 units. Questions come in document order, so it continues from the
 * one before.
 */
export class Offsets {
  private readonly bytes: Uint8Array;
  private readonly start: number;
  private readonly ascii: boolean;
  private at: number;
  private unit = 0;

  /** `text` is that of `bytes` from `start` on. */
  constructor(bytes: Uint8Array, start: number, text: string) {
    this.bytes = bytes;
    this.start = start;
    this.at = start;
    this.ascii = text.length === bytes.length - start;
  }

  byteOf(offset: number): number {
    if (this.ascii) return this.start + offset;
    if (offset < this.unit) {
      this.at = this.start;
      this.unit = 0;
    }
    const { bytes } = this;
    while (this.unit < offset && this.at < bytes.length) {
      const byte = bytes[this.at] ?? 0;
      this.unit += byte < 0xf0 ? 1 : 2;
      this.at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    }
    return this.at;
  }
}

export const MARK = " \t";

/** Whether the object or list that opens at `at` is marked. */
export const isMarked = (bytes: Uint8Array, at: number): boolean => bytes[at + 1] === 0x20 && bytes[at + 2] === 0x09;
