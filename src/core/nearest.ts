/** "Did you mean …": the known word that a mistyped one is closest to. For messages only, never for resolving. */

/** The candidate within a third of the word's length in edits, or undefined. The first wins among equals. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const folded = fold(word);
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(folded.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = distance(folded, fold(candidate), fewest);
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** `warn_days`, `warn-days` and `WarnDays` are the same word to somebody who mistyped it. */
const fold = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, "");

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment); `limit` when there are as many. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? limit) + 1 : limit;
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped));
    }
    [before, above] = [above, row];
  }
  return Math.min(above[b.length] ?? limit, limit);
}
