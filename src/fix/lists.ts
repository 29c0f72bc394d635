/** Lists of versions, such as the matrix of a workflow: a version that another entry names already is removed. */

/** An entry of a file, in UTF-16 units, with its text after the change. */
export interface ListEntry {
  readonly at: number;
  readonly length: number;
  readonly text: string;
  readonly isChanged: boolean;
}

/** The text between two entries of a list: `, ` in one line, the next line with a dash, `;` between .NET frameworks. */
const BETWEEN = /^["']?(?:[ \t]*[,;]\s*|[ \t]*\r?\n[ \t]*-[ \t]+)["']?$/;

/** A range of a text, in UTF-16 units. */
interface RemovedRange {
  readonly at: number;
  readonly length: number;
}

/**
 * The ranges to remove instead of changing an entry, by the entry. `entries` are in the order of the file.
 */
export function duplicates(text: string, entries: readonly ListEntry[]): ReadonlyMap<ListEntry, RemovedRange> {
  const ranges = new Map<ListEntry, RemovedRange>();
  for (const list of listsOf(text, entries)) {
    const removed = new Set<ListEntry>();
    for (const entry of list.filter(({ isChanged }) => isChanged)) {
      const isKept = (other: ListEntry): boolean =>
        other !== entry && !removed.has(other) && plain(other) === plain(entry);
      if (list.some(isKept)) removed.add(entry);
    }
    for (const entry of removed) ranges.set(entry, rangeOf(entry, list, removed));
  }
  return ranges;
}

/** An entry goes with the separator behind it; those at the end of the list with the one before them. */
function rangeOf(entry: ListEntry, list: readonly ListEntry[], removed: ReadonlySet<ListEntry>): RemovedRange {
  const index = list.indexOf(entry);
  const [before, next] = [list[index - 1], list[index + 1]];
  const isAtEnd = list.slice(index).every((each) => removed.has(each));
  const start = isAtEnd && before ? before.at + before.length : entry.at;
  const end = isAtEnd || next === undefined ? entry.at + entry.length : next.at;
  return { at: start, length: end - start };
}

/** Entries may be quoted in different ways. */
const plain = ({ text }: ListEntry): string => text.replaceAll(/["']/g, "");

function listsOf(text: string, entries: readonly ListEntry[]): readonly (readonly ListEntry[])[] {
  const lists: ListEntry[][] = [];
  for (const entry of entries) {
    const last = lists.at(-1)?.at(-1);
    const isNext = last !== undefined && BETWEEN.test(text.slice(last.at + last.length, entry.at));
    if (isNext) lists.at(-1)?.push(entry);
    else lists.push([entry]);
  }
  return lists;
}
