/** Line and column of a byte. Lines end with LF; columns count UTF-16 units, as editors and SARIF do. */
import { MemorySource, readFully, type ByteSource, SourcePage } from "./source.ts";
import { WINDOW } from "./memory-layout.ts";
import { withTokenizer } from "./tokenizer.ts";

/** Both from 1. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** The index has one entry for this many bytes instead of one for each line: a document may be a single line. */
const BLOCK = 512;

interface LineIndex {
  /** The line and the column of the first byte of each block. */
  readonly lines: Uint32Array;
  readonly columns: Uint32Array;
}

/** Returns a function that gives the line and column of a byte. The index is built by its first call: most runs need few. */
export function positions(input: Uint8Array | ByteSource): (byte: number) => LineColumn {
  const source = sourceOf(input);
  const page = new SourcePage(source);
  const start = hasByteOrderMark(source) ? 3 : 0;
  let index: LineIndex | undefined;
  return (byte) => {
    index ??= build(source, start, source.length);
    return locate(index, page, Math.max(start, Math.min(byte, source.length)), start);
  };
}

/** `line 3, column 14`, for one error: reads the bytes up to `byte` only. */
export function lineAndColumn(input: Uint8Array | ByteSource, byte: number): string {
  const source = sourceOf(input);
  const start = hasByteOrderMark(source) ? 3 : 0;
  const end = Math.max(start, Math.min(byte, source.length));
  const { line, column } = locate(build(source, start, end), new SourcePage(source), end, start);
  return `line ${line}, column ${column}`;
}

const sourceOf = (input: Uint8Array | ByteSource): ByteSource =>
  input instanceof Uint8Array ? new MemorySource(input) : input;

function locate({ lines, columns }: LineIndex, page: SourcePage, end: number, start: number): LineColumn {
  const block = Math.floor(end / BLOCK);
  const first = Math.max(start, block * BLOCK);
  let line = lines[block] ?? 1;
  let column = columns[block] ?? 1;
  const from = page.load(first, end - first);
  for (let at = from; at < from + end - first; at++) {
    const byte = page.bytes[at] ?? 0;
    if (byte === 0x0a) {
      line++;
      column = 1;
    } else column += unitsOf(byte);
  }
  return { line, column };
}

/** A byte that continues a character adds no UTF-16 unit, the first of a four-byte character adds two. */
export const unitsOf = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xf0 ? 1 : 2);

function hasByteOrderMark(source: ByteSource): boolean {
  const first = new Uint8Array(3);
  return readFully(source, first, 0) === 3 && first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf;
}

function build(source: ByteSource, start: number, end: number): LineIndex {
  const blocks = Math.floor(end / BLOCK) + 1;
  const lines = new Uint32Array(blocks).fill(1);
  const columns = new Uint32Array(blocks).fill(1);
  withTokenizer(({ bytes, exports, windowSize }) => {
    let line = 1;
    let column = 1;
    for (let position = 0; position < end; position += windowSize) {
      const length = Math.min(windowSize, end - position);
      readFully(source, bytes.subarray(WINDOW, WINDOW + length), position);
      for (let at = 0; at < length; at += BLOCK) {
        const block = (position + at) / BLOCK;
        lines[block] = line;
        columns[block] = column;
        exports.measure(WINDOW + at + (block === 0 ? start : 0), WINDOW + Math.min(length, at + BLOCK));
        line += exports.lineFeeds.value;
        column = exports.units.value + (exports.lineFeeds.value > 0 ? 1 : column);
      }
    }
    if (end % BLOCK === 0) {
      lines[blocks - 1] = line;
      columns[blocks - 1] = column;
    }
  });
  return { lines, columns };
}
