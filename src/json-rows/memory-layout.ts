/** Addresses in the memory of the tokenizer. tokenizer.as and graph.as have the same numbers. */

/** Lists of the chunks of arrays. */
const DIRECTORIES = 4096;
const DIRECTORY_SIZE = 32_768 * 4;
export const REFS = DIRECTORIES;
export const NODES = DIRECTORIES + DIRECTORY_SIZE;
export const EDGES = DIRECTORIES + DIRECTORY_SIZE * 2;
export const CHUNK_BITS = 16;
/** Open containers. */
const FRAMES = DIRECTORIES + DIRECTORY_SIZE * 5;
const FRAME_SIZE = 16;
export const MAX_DEPTH = 131_072;
/**
 * Rows that are being read, each inside of the one before, and one place for no row. With more of them, V8 would mark the
 * whole heap at the start of a small check: it counts this memory although it is not used (docs/performance.md).
 */
const OPEN_ROWS = FRAMES + MAX_DEPTH * FRAME_SIZE;
const ROW_SIZE = 96;
const MAX_OPEN_ROWS = 32_768;
/** Tables of the schema: 32 bytes for each state, then chains of keys and choices. */
export const TABLES = OPEN_ROWS + (MAX_OPEN_ROWS + 1) * ROW_SIZE;
export const TABLES_SIZE = 65_536;
/** Events, and space for those of one step. */
export const TAPE = TABLES + TABLES_SIZE;
const EVENT_SIZE = 24;
const TAPE_END = TAPE + EVENT_SIZE * 4096;
/** Rows that ended. */
const ROWS = TAPE_END + EVENT_SIZE * 8;
const ROWS_END = ROWS + ROW_SIZE * 512;
/** Offset of the fields of a row, which are numbers of 32 bits. */
export const ROW_FIELDS = 24;
export const MAX_FIELDS = (ROW_SIZE - ROW_FIELDS) / 4;
/** The part of the document that is being read. */
export const WINDOW = ROWS_END;
export const FIRST_WINDOW_SIZE = 256 * 1024;
/** The longest value that is read as one piece; strings of the language end at 512 MiB. */
export const MAX_WINDOW_SIZE = 512 * 1024 * 1024;
/** The tokenizer loads 16 bytes at once, also at the end of the window. */
export const PADDING = 32;
