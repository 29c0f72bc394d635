/**
 * Texts of a document, decoded on demand. Of 100,000 components a report shows a few hundred, so their
 * strings are neither made nor kept while the document is read.
 */
import { type ByteSource, SourcePage } from "../json-rows/source.ts";
import type { Schema } from "../json-rows/schema.ts";
import { asciiText, utf8Text } from "../json-rows/bytes.ts";
import { readJson } from "./json-bytes.ts";

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const STEP = 1024;
const SHORT = 64;
const START = 256;

export class DocumentTexts {
  readonly source: ByteSource;
  private readonly page: SourcePage;

  constructor(source: ByteSource) {
    this.source = source;
    this.page = new SourcePage(source);
  }

  /** The JSON string whose content begins at `position`. */
  at(position: number): string {
    return this.shortText(position) ?? this.anyText(position);
  }

  /** Most texts are short and plain: a loop is faster than a decoder for them (bench/reading.ts). */
  private shortText(position: number): string | undefined {
    const index = this.page.load(position, SHORT);
    const { bytes } = this.page;
    for (let end = index; end < index + SHORT; end++) {
      const byte = bytes[end] ?? 0;
      if (byte === QUOTE) return asciiText(bytes, index, end);
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return undefined;
    }
    return undefined;
  }

  private anyText(position: number): string {
    return this.withBytes(position, (bytes, start) => {
      const end = this.page.stringEnd(start);
      const text = utf8Text(bytes, start, end);
      return bytes.subarray(start, end).includes(BACKSLASH) ? String(JSON.parse(`"${text}"`)) : text;
    });
  }

  /** Copies that string to `target` and returns its length; -1 unless it is short, printable ASCII without escapes. */
  copyPlain(position: number, target: Uint8Array, at: number): number {
    const index = this.page.load(position, START);
    const { bytes } = this.page;
    for (let length = 0; length < START; length++) {
      const byte = bytes[index + length] ?? 0;
      if (byte === QUOTE) return length;
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return -1;
      target[at + length] = byte;
    }
    return -1;
  }

  /** Calls `use` with bytes in which that string is complete up to its closing quote, and the index where it begins. */
  withBytes<T>(position: number, use: (bytes: Uint8Array, start: number) => T): T {
    const start = this.page.loadString(position);
    return use(this.page.bytes, start);
  }

  /**
   * Calls `test` with the index of the string that begins at `position` in bytes that contain its first 256, or all of it.
   * The test has to look for the closing quote itself, because of a longer string the bytes contain only the start.
   */
  withStart<T>(position: number, test: (bytes: Uint8Array, start: number) => T): T {
    const start = this.page.load(position, START);
    return test(this.page.bytes, start);
  }

  /** Reads the JSON value at `position`, in small steps: it is expected to be short. */
  readJson<C>(position: number, schema: Schema<C>, into: C): void {
    const { page, source } = this;
    const steps: ByteSource = {
      length: source.length,
      read(target, from) {
        const length = Math.min(STEP, target.length, source.length - from);
        const index = page.load(from, length);
        target.set(page.bytes.subarray(index, index + length));
        return length;
      },
    };
    readJson(steps, position, schema, into);
  }
}
