/** UTF-8 text whose whole is needed: checked, and each offset of it put back into the bytes. */
import { EolgateError } from "../messages/error.ts";
import { lineAndColumn } from "../json-rows/position.ts";
import { sequenceLength } from "../json-rows/bytes.ts";

export const invalidUtf8 = ({ byte, offset }: { byte: string; offset: number }, where: string): EolgateError =>
  EolgateError.of(
    "invalid-encoding",
    { problem: `the document is not valid UTF-8: byte ${byte} at offset ${offset}` },
    { where },
  );

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
