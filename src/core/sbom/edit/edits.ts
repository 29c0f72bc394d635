/** Edits by byte position: everything between them stays as it was. */

/** `text` takes the place of the bytes `start`…`end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: Uint8Array;
}

/** The result is returned in pieces of this size, so that a document is never in memory twice. */
const PIECE = 1 << 20;

/** The bytes with the edits made. Edits may be given in any order, but must not overlap. */
export function* edited(bytes: Uint8Array, edits: readonly Edit[]): Generator<Uint8Array, void, undefined> {
  let piece = new Uint8Array(PIECE);
  let filled = 0;
  let at = 0;
  for (const edit of [...inOrder(edits), { start: bytes.length, end: bytes.length, text: NOTHING }]) {
    if (edit.start < at) throw new RangeError(`two edits at byte ${edit.start}`);
    // What stays, then what is new: small parts are copied together, large ones are handed on as they are.
    for (let part = 0; part < 2; part++) {
      const next = part === 0 ? bytes.subarray(at, edit.start) : edit.text;
      if (filled + next.length > PIECE) {
        if (filled > 0) yield piece.subarray(0, filled);
        piece = new Uint8Array(PIECE);
        filled = 0;
      }
      if (next.length > PIECE) yield next;
      else {
        piece.set(next, filled);
        filled += next.length;
      }
    }
    at = edit.end;
  }
  if (filled > 0) yield piece.subarray(0, filled);
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
