/** Line and column of a byte. Most bytes are never asked about, so the index is built at the first question. */
import type { Position } from "../core/model.ts";

/** A one-line document of 600 MB must not be walked from its start for each of 100,000 findings. */
const BLOCK = 1024;

interface Index {
  /** Of the first byte of each block: the line, and UTF-16 units since that line began. */
  readonly lines: Float64Array;
  readonly columns: Float64Array;
}

/** Lines end with LF (or CRLF); columns count UTF-16 units, so a byte that only continues a character adds none. */
export function positions(bytes: Uint8Array): (byte: number) => Position {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let index: Index | undefined;
  return (byte) => {
    index ??= build(bytes, start);
    const end = Math.max(start, Math.min(byte, bytes.length));
    const block = Math.floor(end / BLOCK);
    let line = index.lines[block] ?? 1;
    let column = index.columns[block] ?? 1;
    for (let at = Math.max(start, block * BLOCK); at < end; at++) {
      const unit = bytes[at] ?? 0;
      if (unit === 0x0a) {
        line++;
        column = 1;
      } else column += width(unit);
    }
    return { line, column };
  };
}

/** `line 3, column 14`, for one error: reads the bytes up to `byte` only. */
export function lineAndColumn(bytes: Uint8Array, byte: number): string {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const end = Math.min(byte, bytes.length);
  let line = 1;
  let column = 1;
  for (let at = start; at < end; at++) {
    const unit = bytes[at] ?? 0;
    if (unit === 0x0a) {
      line++;
      column = 1;
    } else column += width(unit);
  }
  return `line ${line}, column ${column}`;
}

/** A four-byte sequence is two UTF-16 units. */
const width = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xf0 ? 1 : 2);

function build(bytes: Uint8Array, start: number): Index {
  const blocks = Math.floor(bytes.length / BLOCK) + 1;
  const lines = new Float64Array(blocks);
  const columns = new Float64Array(blocks);
  let line = 1;
  let column = 1;
  for (let block = 0; block < blocks; block++) {
    lines[block] = line;
    columns[block] = column;
    const end = Math.min(bytes.length, (block + 1) * BLOCK);
    for (let at = Math.max(start, block * BLOCK); at < end; at++) {
      const unit = bytes[at] ?? 0;
      if (unit === 0x0a) {
        line++;
        column = 1;
      } else column += width(unit);
    }
  }
  return { lines, columns };
}
