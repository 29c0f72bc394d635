/**
 * The numbers that TypeScript and AssemblyScript share: addresses in the memory of the tokenizer, sizes, offsets and
 * codes. This is their only source: `npm run tokenizer:compile` passes them to tokenizer.as and graph.as, where
 * `STATE.hashField` is the constant `STATE_HASH_FIELD`. Addresses, sizes and offsets are in bytes. README.md has a
 * picture of the memory.
 */

/** The arrays of a graph grow in chunks of this size. */
export const CHUNK_BITS = 16;
export const CHUNK: number = 1 << CHUNK_BITS;

/** Directories: for each array of the graph, the addresses of its chunks. An array has at most 2 GiB. */
const DIRECTORIES = 4096;
const DIRECTORY_SIZE = 32_768 * 4;
export const REFS: number = DIRECTORIES;
export const NODES: number = DIRECTORIES + DIRECTORY_SIZE;
export const EDGES: number = DIRECTORIES + DIRECTORY_SIZE * 2;
/** Two hash tables: a table that grows moves to the other one. */
export const SLOTS: number = DIRECTORIES + DIRECTORY_SIZE * 3;
export const OTHER_SLOTS: number = DIRECTORIES + DIRECTORY_SIZE * 4;

/** A reference: the address of its text, the length and the hash of the text, the number of its first node plus 1. */
export const REF = { text: 0, length: 4, hash: 8, firstNode: 12 } as const;
export const REF_SIZE = 16;
/** A node: the id of its reference, the number of its first edge. */
export const NODE = { ref: 0, firstEdge: 4 } as const;
export const NODE_SIZE = 8;
/** An edge: the id of the reference that it leads to. */
export const EDGE_SIZE = 4;
/** A slot of the hash table: an id plus 1, or 0. */
export const SLOT_SIZE = 4;

/** Frames: a stack with one frame for each open object or list. */
export const FRAMES: number = DIRECTORIES + DIRECTORY_SIZE * 5;
/** The state of the container, its opening byte, a bit for each member that occurred, its index in the list around it. */
export const FRAME = { state: 0, opening: 4, seen: 8, index: 12 } as const;
export const FRAME_SIZE = 16;
export const MAX_DEPTH = 131_072;

/**
 * Nested open rows, plus one slot that means none. With more slots, V8 would mark the whole heap at the start of a small
 * check: it counts this memory although it is not used (docs/performance.md).
 */
export const OPEN_ROWS: number = FRAMES + MAX_DEPTH * FRAME_SIZE;
export const MAX_OPEN_ROWS = 32_768;
/** A row: its number or -1, the number of the row around it plus 1, its index, its length, its position (a double). */
export const ROW = { number: 0, parent: 4, index: 8, length: 12, position: 16 } as const;
/** Offset of the fields of a row, which are integers of 32 bits. */
export const ROW_FIELDS = 24;
export const ROW_SIZE = 96;
export const MAX_FIELDS: number = (ROW_SIZE - ROW_FIELDS) / 4;

/** The compiled schema: one entry for each state, then the chains of keys and choices, then patterns. */
export const TABLES: number = OPEN_ROWS + (MAX_OPEN_ROWS + 1) * ROW_SIZE;
export const TABLES_SIZE = 65_536;
export const MAX_STATES = 256;
/**
 * A state. `field` and `hashField` are offsets in a row, or 0; `needs` is the offset of the field without which a row is
 * dropped, or 0. A state with choices has no pattern, so both have the same offset.
 */
export const STATE = {
  keys: 0,
  elements: 4,
  others: 8,
  flags: 12,
  field: 16,
  hashField: 20,
  choices: 24,
  pattern: 24,
  needs: 28,
} as const;
export const STATE_SIZE = 32;
/** A key or choice: the address of the next one with the same hash, its length, its value, its bytes. */
export const KEY = { next: 0, length: 4, value: 8, bytes: 12 } as const;
/** Chains of keys by a small hash. The number is a power of 2. */
export const KEY_CHAINS = 64;

/** Flags of a state: which values cause events, and what the tokenizer computes. */
export const FLAG = {
  onAny: 1,
  onString: 2,
  onOther: 4,
  onObject: 8,
  hashed: 16,
  chosen: 32,
  /** The field is the position of the value itself instead of the content of a string. */
  starts: 64,
  isRow: 128,
  isNumbered: 256,
  /** An object is a node of the graph. */
  isNode: 512,
  /** A string is the reference of the node. */
  namesNode: 1024,
  /** A string is a reference that the node has an edge to. */
  isEdge: 2048,
  /** The hash of a string is the one along the pattern. */
  hasPattern: 65_536,
} as const;
/** Flags of a state: the types that are accepted. */
export const ACCEPTS = { object: 4096, list: 8192, string: 16_384, scalar: 32_768 } as const;

/** The tape of events, with space at its end for those of one step. */
export const TAPE: number = TABLES + TABLES_SIZE;
export const EVENT_SIZE = 24;
export const TAPE_END: number = TAPE + EVENT_SIZE * 4096;
/** Kinds of events: the lowest four bits of their first number. */
export const EVENT = {
  string: 0,
  escapedString: 1,
  scalar: 2,
  open: 3,
  close: 4,
  skipped: 5,
  duplicate: 6,
  row: 7,
} as const;
/** The other bits of that number: the value has a wrong type, the number of the member, the state. */
export const WRONG_TYPE = 16;
export const MEMBER_SHIFT = 5;
export const MEMBER_MASK = 31;
export const STATE_SHIFT = 12;
/** An event: kind and state, the addresses of the value, its index in the nearest list, its hash, its row. */
export const TAPE_EVENT = { kind: 0, from: 4, to: 8, index: 12, hash: 16, row: 20 } as const;

/** Rows that ended. */
export const ROWS: number = TAPE_END + EVENT_SIZE * 8;
const ROWS_SIZE = ROW_SIZE * 512;
export const ROWS_END: number = ROWS + ROWS_SIZE;

/** The part of the document that is being read. */
export const WINDOW: number = ROWS + ROWS_SIZE;
export const FIRST_WINDOW_SIZE: number = 256 * 1024;
/** The longest value that is read in one piece. Strings of JavaScript end at 512 MiB. */
export const MAX_WINDOW_SIZE: number = 512 * 1024 * 1024;
/** The tokenizer loads 16 bytes at once, also at the end of the window. */
export const PADDING = 32;

/** What the next token must be. */
export const PHASE = { value: 0, afterValue: 1, firstKey: 2, firstElement: 3 } as const;

/** What `run` returns. From 16 on it is an error at the address `at`. */
export const RESULT = {
  done: 0,
  needBytes: 1,
  tapeFull: 2,
  escapedKey: 3,
  escapedText: 4,
  value: 16,
  key: 17,
  colon: 18,
  commaInObject: 19,
  commaInList: 20,
  control: 21,
  escape: 22,
  unicodeEscape: 23,
  utf8: 24,
  digit: 25,
  depth: 26,
  truncated: 27,
  truncatedString: 28,
} as const;

/** A pattern has 128 steps of 16 bits for each state. The first two states end it, the third one begins it. */
export const PATTERN = { refused: 0, accepted: 0x100, start: 0x200 } as const;
/** The hash of a string that the pattern does not match. No other string has it. */
export const NO_MATCH = 1;
