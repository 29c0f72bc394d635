/** Addresses in the memory of the tokenizer. tokenizer.as has the same numbers. */

/** Open containers: eight bytes each. */
const FRAMES = 4096;
export const MAX_DEPTH = 131_072;
/** Tables of the schema: 16 bytes for each state, then chains of keys. */
export const TABLES = FRAMES + MAX_DEPTH * 8;
export const TABLES_SIZE = 65_536;
/** Events: twelve bytes each. */
export const TAPE = TABLES + TABLES_SIZE;
const TAPE_EVENTS = 16_384;
/** The part of the document that is being read. */
export const WINDOW = TAPE + 12 * TAPE_EVENTS;
export const FIRST_WINDOW_SIZE = 256 * 1024;
/** The longest value that is read as one piece; strings of the language end at 512 MiB. */
export const MAX_WINDOW_SIZE = 512 * 1024 * 1024;
/** The tokenizer loads 16 bytes at once, also at the end of the window. */
export const PADDING = 32;
