/** Edits by byte position: everything between them stays as it was. */

/** `text` takes the place of the bytes `start`…`end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: Uint8Array;
}

/** The result is returned in pieces of this size, so that a document is never in memory twice. */
const PIECE = 1 << 18;

/** The bytes with the edits made. Edits may be given in any order, but must not overlap. */
export const edited = (bytes: Uint8Array, edits: readonly Edit[]): Generator<Uint8Array, void, undefined> =>
  editedInOrder(bytes, inOrder(edits));

/** The same for edits that are in order. */
export function* editedInOrder(bytes: Uint8Array, edits: readonly Edit[]): Generator<Uint8Array, void, undefined> {
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
