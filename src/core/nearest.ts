/** "Did you mean …": for messages only; nothing is ever resolved by likeness. */

/** Words that look like `text`: an edit or two away, or one containing the other. The nearest first, then by the alphabet. */
export function nearest<Word extends string>(text: string, words: readonly Word[], limit = 5): readonly Word[] {
  const asked = fold(text.slice(0, 100));
  const allowed = Math.max(1, Math.floor(asked.length / 3));
  return words
    .map((word) => ({ word, distance: distance(asked, fold(word), allowed) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, limit)
    .map(({ word }) => word);
}

/** `warn_days`, `warn-days` and `WarnDays` are the same word to somebody who mistyped it. */
const fold = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, "");

/**
 * Containment counts as one edit; otherwise Levenshtein, with a neighbouring swap as one edit. Words whose lengths alone
 * are further apart than `allowed` are not compared: whoever asks is not known, and comparing is what costs.
 */
function distance(left: string, right: string, allowed: number): number {
  if (left === right) return 0;
  if (left.length > 2 && right.length > 2 && (left.includes(right) || right.includes(left))) return 1;
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
