/** Edits by byte position: everything between them stays as it was. */

/** `text` takes the place of the bytes `start`…`end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: Uint8Array;
}

/** Pieces are handed on at this size, so that a document never stands in memory twice. */
const PIECE = 1 << 20;

/** The bytes with the edits made. Edits may be given in any order, but must not overlap. */
export function* edited(bytes: Uint8Array, edits: readonly Edit[]): Generator<Uint8Array, void, undefined> {
  const gathered = new Gathered();
  let at = 0;
  for (const edit of inOrder(edits)) {
    if (edit.start < at) throw new RangeError(`two edits at byte ${edit.start}`);
    yield* gathered.take(bytes.subarray(at, edit.start));
    yield* gathered.take(edit.text);
    at = edit.end;
  }
  yield* gathered.take(bytes.subarray(at));
  yield* gathered.rest();
}

export const inOrder = (edits: readonly Edit[]): readonly Edit[] =>
  edits.toSorted((a, b) => a.start - b.start || a.end - b.end);

export const editedLength = (bytes: Uint8Array, edits: readonly Edit[]): number =>
  edits.reduce((length, { start, end, text }) => length + text.length - (end - start), bytes.length);

/** Copies small pieces together; large ones are handed on as they are. */
class Gathered {
  private piece = new Uint8Array(PIECE);
  private filled = 0;

  *take(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
    if (this.filled + bytes.length > PIECE) {
      yield* this.rest();
      if (bytes.length >= PIECE) {
        yield bytes;
        return;
      }
    }
    this.piece.set(bytes, this.filled);
    this.filled += bytes.length;
  }

  *rest(): Generator<Uint8Array, void, undefined> {
    if (this.filled === 0) return;
    yield this.piece.subarray(0, this.filled);
    this.piece = new Uint8Array(PIECE);
    this.filled = 0;
  }
}
