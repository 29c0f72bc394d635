/**
 * White space that tells what we made. Behind the opening bracket of a container that enrichment had to make stands a
 * space and a tab, which no printer writes; behind that of a container that was there stands nothing of ours. So removal
 * takes the one and leaves the other, even when both are empty but for our entries. Whoever reprints the file loses the
 * mark: then the container stays.
 */
export const MARK = " \t";

/** Whether the object or list that opens at `at` is marked. */
export const isMarked = (bytes: Uint8Array, at: number): boolean => bytes[at + 1] === 0x20 && bytes[at + 2] === 0x09;
