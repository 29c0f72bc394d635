/**
 * White space that marks what enrichment made. Behind the opening bracket of a container that enrichment had to make, a
 * space and a tab are written, which no printer does. Removal deletes such a container and keeps all others, even when both
 * contain only entries of ours. A tool that reprints the file loses the mark: then the container is kept.
 */
export const MARK = " \t";

/** Whether the object or list that opens at `at` is marked. */
export const isMarked = (bytes: Uint8Array, at: number): boolean => bytes[at + 1] === 0x20 && bytes[at + 2] === 0x09;
