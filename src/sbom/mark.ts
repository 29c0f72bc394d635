/**
 * White space that marks what enrichment inserted: a space and a tab after the opening bracket of a container, which no
 * printer writes. Removal deletes a marked container and keeps all others, even if they contain only generated entries. A
 * tool that prints the file again loses the mark; then the container is kept.
 */
export const MARK = " \t";

/** Whether the object or list that opens at `at` is marked. */
export const isMarked = (bytes: Uint8Array, at: number): boolean => bytes[at + 1] === 0x20 && bytes[at + 2] === 0x09;
