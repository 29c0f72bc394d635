/** Where the bytes of a document come from. A large file is read in pieces and never held in memory as a whole. */

export interface ByteSource {
  /** Number of bytes. */
  readonly length: number;
  /** All bytes, for a source that has them in memory. */
  readonly bytes?: Uint8Array;
  /**
   * Copies bytes from `position` on into `target` and returns their number, which is 0 only at the end. It may be less than
   * what fits: `readFully` reads until `target` is full.
   *
   * @throws EolgateError when the bytes cannot be read
   */
  read(target: Uint8Array, position: number): number;
  /**
   * Checks that the bytes are still those that were read, for a source that others can write to.
   *
   * @throws EolgateError `file-changed`
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

/** Fills `target` with the bytes from `position` on and returns their number, which is less only at the end. */
export function readFully(source: ByteSource, target: Uint8Array, position: number): number {
  let count = 0;
  while (count < target.length) {
    const read = source.read(count === 0 ? target : target.subarray(count), position + count);
    if (read === 0) break;
    count += read;
  }
  return count;
}

/** All bytes of a source as one array: only for formats and operations that need it. */
export function allBytes(source: ByteSource): Uint8Array {
  if (source.bytes !== undefined) return source.bytes;
  const bytes = new Uint8Array(source.length);
  readFully(source, bytes, 0);
  return bytes;
}
