/** Where the reader gets the bytes of a catalogue from: memory, or ranges of an open file. */
import { fstatSync, openSync, readSync } from "node:fs";

export interface ByteSource {
  readonly size: number;
  /** Bytes from `start` up to `end`; fewer where the source ends before. */
  read(start: number, end: number): Uint8Array;
}

export function sourceOfBytes(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** Keeps the file open for the life of the process: a file that is replaced meanwhile is read to the end as it was. */
export function sourceOfFile(path: string): ByteSource {
  const file = openSync(path, "r");
  return {
    size: fstatSync(file).size,
    read(start, end) {
      const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
      let length = 0;
      while (length < bytes.length) {
        const count = readSync(file, bytes, length, bytes.length - length, start + length);
        if (count === 0) break;
        length += count;
      }
      return bytes.subarray(0, length);
    },
  };
}
