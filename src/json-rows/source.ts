/** Where the bytes of a document come from. A large file is read in parts and never held in memory as a whole. */

export interface ByteSource {
  /** Number of bytes. */
  readonly length: number;
  /** All bytes, for a source that has them in memory. */
  readonly bytes?: Uint8Array;
  /**
   * Copies bytes from `position` on into `target` and returns their number, which is 0 only at the end. It may be less
   * than what fits: `readFully` reads until `target` is full. Throws if the bytes cannot be read.
   */
  read(target: Uint8Array, position: number): number;
  /**
   * Checks that the bytes have not changed since they were read, for a source that others can write to. Throws if they
   * have.
   */
  requireUnchanged?(): void;
}

/** Bytes in memory. */
export class MemorySource implements ByteSource {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get length(): number {
    return this.bytes.length;
  }

  read(target: Uint8Array, position: number): number {
    const part = this.bytes.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  }
}

/** Fills `target` with the bytes from `position` on and returns their number. It is less than `target` only at the end. */
export function readFully(source: ByteSource, target: Uint8Array, position: number): number {
  let count = 0;
  while (count < target.length) {
    const read = source.read(count === 0 ? target : target.subarray(count), position + count);
    if (read === 0) break;
    count += read;
  }
  return count;
}

/** All bytes of a source as one array, for formats and operations that need it. */
export function allBytes(source: ByteSource): Uint8Array {
  if (source.bytes !== undefined) return source.bytes;
  const bytes = new Uint8Array(source.length);
  readFully(source, bytes, 0);
  return bytes;
}

/** Most texts are requested in document order, so the next ones are in the same page. */
const PAGE_SIZE = 64 * 1024;
/** After a jump, the next texts are those of one row, and another jump may follow. */
const JUMP_SIZE = 4 * 1024;
/** Bytes before the requested position: the texts of one row are not requested in the order of the document. */
const BEFORE = 512;
const QUOTE = 0x22;

/** A view of one part of a source. It moves to the position that is requested. */
export class SourcePage {
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

  /** Index of the quote that closes the string whose content begins at `index`, or -1 if it is not in the page. */
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
