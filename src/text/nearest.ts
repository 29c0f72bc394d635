/** Suggestions for "Did you mean …?". For messages only: no component is resolved by similarity. */

/**
 * Returns the words that are similar to `text`: a few edits away, with a part that begins with it (`java`:
 * `newrelic-java-agent`), or contained in it as whole parts (`php7.4`: `php`). The nearest first, then by the alphabet.
 */
export function nearest<Word extends string>(text: string, words: readonly Word[], limit = 5): readonly Word[] {
  const short = text.slice(0, 100);
  const query = { folded: fold(short), runs: runsOf(short) };
  return words
    .map((word) => ({ word, distance: distanceOf(query, word) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, limit)
    .map(({ word }) => word);
}

interface NameQuery {
  readonly folded: string;
  readonly runs: ReadonlySet<string>;
}

function distanceOf({ folded, runs }: NameQuery, word: string): number {
  const right = fold(word);
  if (folded === right) return 0;
  if (folded.length > 2 && partsFrom(word).some((rest) => rest.startsWith(folded))) return 1;
  if (right.length > 2 && runs.has(right)) return 1;
  const allowed = Math.max(1, Math.floor(folded.length / 3));
  const edits = editDistance(folded, right, allowed);
  return edits <= allowed ? edits : Number.POSITIVE_INFINITY;
}

const SEPARATORS = /[-_ ./:@]+/;
/** Maximum number of parts in a run. */
const MAX_RUN = 6;

/** `a-b.c` as `abc`, `bc`, `c`: the word from the beginning of each of its parts. */
function partsFrom(word: string): readonly string[] {
  const parts = word.toLowerCase().split(SEPARATORS);
  return parts.map((_, index) => parts.slice(index).join(""));
}

/** Every run of parts, joined, with and without a number at its end. */
function runsOf(text: string): ReadonlySet<string> {
  const parts = text.toLowerCase().split(SEPARATORS);
  const runs = parts.flatMap((_, start) =>
    Array.from({ length: MAX_RUN }, (_, length) => parts.slice(start, start + length + 1).join("")),
  );
  return new Set(runs.flatMap((run) => [run, run.replace(/\d+$/, "")]));
}

/** `warn_days`, `warn-days` and `WarnDays` are the same word. */
const fold = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, "");

/**
 * Levenshtein, with a neighbouring swap as one edit. Words whose lengths differ by more than `allowed` are not
 * compared, which limits the cost of a request.
 */
function editDistance(left: string, right: string, allowed: number): number {
  if (Math.abs(left.length - right.length) > allowed) return Number.POSITIVE_INFINITY;
  let older: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      let cost = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, at(previous, column - 1) + same);
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        cost = Math.min(cost, at(older, column - 2) + 1);
      current.push(cost);
    }
    older = previous;
    previous = current;
  }
  return at(previous, right.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
