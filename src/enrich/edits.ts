/** Edits by byte position: everything between them stays as it was. They are shown as a unified diff. */
import type { Position } from "../model/index.ts";
import { positions } from "../json-rows/position.ts";
import { utf8Text } from "../json-rows/bytes.ts";

/** `text` takes the place of the bytes `start`…`end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: Uint8Array;
}

/** The result is returned in pieces of this size, so that a document is never in memory twice. */
const PIECE = 1 << 18;

/** The bytes with the edits made, which are in order and do not overlap. */
export function* edited(bytes: Uint8Array, edits: readonly Edit[]): Generator<Uint8Array, void, undefined> {
  // Parts of a Node Buffer take twice as long to make as those of a plain array.
  const source = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const pieces = new Pieces();
  let at = 0;
  for (const edit of edits) {
    if (edit.start < at) throw new RangeError(`two edits at byte ${edit.start}`);
    if (!pieces.add(source, at, edit.start)) yield* pieces.flush(source.subarray(at, edit.start));
    if (!pieces.add(edit.text, 0, edit.text.length)) yield* pieces.flush(edit.text);
    at = edit.end;
  }
  if (!pieces.add(source, at, source.length)) yield* pieces.flush(source.subarray(at));
  yield* pieces.flush(NOTHING);
}

/** Small parts are copied together, large ones are handed on as they are. */
class Pieces {
  private piece = new Uint8Array(PIECE);
  private filled = 0;

  /** Adds a part to the current piece; false if it does not fit. */
  add(bytes: Uint8Array, start: number, end: number): boolean {
    const filled = this.filled + end - start;
    if (filled > PIECE) return false;
    if (end > start)
      this.piece.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.filled);
    this.filled = filled;
    return true;
  }

  /** The current piece, and the part that did not fit unless it begins the next piece. */
  *flush(part: Uint8Array): Generator<Uint8Array, void, undefined> {
    if (this.filled > 0) {
      yield this.piece.subarray(0, this.filled);
      this.piece = new Uint8Array(PIECE);
      this.filled = 0;
    }
    if (!this.add(part, 0, part.length)) yield part;
  }
}

const NOTHING = new Uint8Array(0);

/** Most plans are in order already. */
export function inOrder(edits: readonly Edit[]): readonly Edit[] {
  let before = 0;
  for (const { start } of edits) {
    if (start < before) return edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
    before = start;
  }
  return edits;
}

/** Of longer lines only the surroundings of an edit are shown: some documents are one line of megabytes. */
const LONGEST = 400;
const AROUND = 40;

/** Lines of a unified diff, without line ends. `edits` are in order, as `Edited.edits`. */
export function* diff(bytes: Uint8Array, edits: readonly Edit[], file: string): Generator<string, void, undefined> {
  if (edits.length === 0) return;
  yield `--- ${file}`;
  yield `+++ ${file}`;
  const position = positions(bytes);
  let shift = 0;
  for (const group of byLines(bytes, edits)) {
    const { line } = position(group.start);
    if (group.end - group.start > LONGEST && !isSeveralLines(bytes, group)) {
      for (const edit of group.edits) yield* fragment(bytes, edit, position(edit.start));
      continue;
    }
    const before = linesOf(utf8Text(bytes, group.start, group.end));
    const after = linesOf(applied(bytes, group));
    yield `@@ -${line},${before.length} +${line + shift},${after.length} @@`;
    const same = shared(before, after);
    for (const text of before.slice(0, same)) yield ` ${text}`;
    for (const text of before.slice(same)) yield `-${text}`;
    for (const text of after.slice(same)) yield `+${text}`;
    shift += after.length - before.length;
  }
}

const isSeveralLines = (bytes: Uint8Array, { start, end }: Group): boolean => {
  const feed = bytes.indexOf(LINE_FEED, start);
  return feed >= 0 && feed < end;
};

/** One edit in a long line, with its surroundings. */
function* fragment(bytes: Uint8Array, { start, end, text }: Edit, at: Position): Generator<string, void, undefined> {
  const from = characterAt(bytes, Math.max(0, start - AROUND));
  const to = characterAt(bytes, Math.min(bytes.length, end + AROUND));
  const lead = utf8Text(bytes, from, start);
  const trail = utf8Text(bytes, end, to);
  yield `@@ line ${at.line}, column ${at.column} @@`;
  yield `-…${lead}${utf8Text(bytes, start, end)}${trail}…`;
  yield `+…${lead}${utf8Text(text, 0, text.length)}${trail}…`;
}

/** The first byte of a character at or behind `at`. */
function characterAt(bytes: Uint8Array, at: number): number {
  let first = at;
  while (((bytes[first] ?? 0) & 0xc0) === 0x80) first++;
  return first;
}

/** Whole lines, and the edits that fall into them. */
interface Group {
  readonly start: number;
  end: number;
  readonly edits: Edit[];
}

function* byLines(bytes: Uint8Array, edits: readonly Edit[]): Generator<Group, void, undefined> {
  let group: Group | undefined;
  for (const edit of edits) {
    if (group !== undefined && edit.start <= group.end) {
      group.edits.push(edit);
      group.end = Math.max(group.end, lineEnd(bytes, edit.end));
      continue;
    }
    if (group !== undefined) yield group;
    group = { start: lineStart(bytes, edit.start), end: lineEnd(bytes, edit.end), edits: [edit] };
  }
  if (group !== undefined) yield group;
}

const LINE_FEED = 0x0a;

function lineStart(bytes: Uint8Array, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
}

/** The place of the line feed that ends the line, or the end of the bytes. */
function lineEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(LINE_FEED, at);
  return end < 0 ? bytes.length : end;
}

function applied(bytes: Uint8Array, { start, end, edits }: Group): string {
  let text = "";
  let at = start;
  for (const edit of edits) {
    text += utf8Text(bytes, at, edit.start) + utf8Text(edit.text, 0, edit.text.length);
    at = edit.end;
  }
  return text + utf8Text(bytes, at, end);
}

const linesOf = (text: string): readonly string[] => text.split("\n").map((line) => line.replace(/\r$/, ""));

function shared(before: readonly string[], after: readonly string[]): number {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same++;
  return same;
}
