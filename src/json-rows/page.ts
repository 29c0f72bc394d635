/** A view of one part of a source that moves to the position that is requested. */
import { readFully, type ByteSource } from "./byte-source.ts";

/** Components are read in document order, so the next texts are in the same page. */
const PAGE_SIZE = 64 * 1024;
/** After a jump, the next texts are those of one component, and then there may be another jump. */
const JUMP_SIZE = 4 * 1024;
/** Texts of one component are not read in the order in which they are written. */
const BEFORE = 512;
const QUOTE = 0x22;

export class Page {
  /** The bytes of the page; all bytes for a source in memory. */
  bytes: Uint8Array;
  /** Position of the first of them in the source. */
  base = 0;
  private readonly source: ByteSource;
  private buffer: Uint8Array | undefined;

  constructor(source: ByteSource) {
    this.source = source;
    this.bytes = source.bytes ?? EMPTY;
  }

  /** Loads `length` bytes from `position` on, or as many as there are, and returns the index of `position` in `bytes`. */
  load(position: number, length: number): number {
    const end = Math.min(this.source.length, position + length);
    if (position < this.base || end > this.base + this.bytes.length) this.move(position, length);
    return position - this.base;
  }

  /** Loads the content of a JSON string that begins at `position` up to its closing quote. */
  loadString(position: number): number {
    for (let length = 256; ; length *= 4) {
      const index = this.load(position, length);
      if (this.stringEnd(index) >= 0 || position + length >= this.source.length) return index;
    }
  }

  /** Index of the quote that closes the string whose content begins at `index`, or -1 outside of the page. */
  stringEnd(index: number): number {
    const { bytes } = this;
    for (let end = bytes.indexOf(QUOTE, index); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
      let backslashes = 0;
      while (end - backslashes > index && bytes[end - backslashes - 1] === 0x5c) backslashes++;
      if (backslashes % 2 === 0) return end;
    }
    return -1;
  }

  private move(position: number, length: number): void {
    const isNear = position >= this.base && position < this.base + this.bytes.length + JUMP_SIZE;
    const start = Math.max(0, position - BEFORE);
    const size = Math.max(isNear ? PAGE_SIZE : JUMP_SIZE, position - start + length);
    if (this.buffer === undefined || this.buffer.length < size) this.buffer = new Uint8Array(Math.max(PAGE_SIZE, size));
    const count = readFully(this.source, this.buffer.subarray(0, size), start);
    this.bytes = this.buffer.subarray(0, count);
    this.base = start;
  }
}

const EMPTY = new Uint8Array(0);
