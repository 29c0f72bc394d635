// Tokenizer for JSON (RFC 8259) over UTF-8 (RFC 3629), in AssemblyScript (https://www.assemblyscript.org).
// `npm run tokenizer:compile` compiles it to tokenizer-binary.ts. It reads a window of a document and writes the values
// that a schema selects to a tape of events; everything else is validated and skipped. An object of which many are expected is a row:
// its values become numbers, and one event ends it.
// Memory: directories of graph.as | frames | open rows | tables | tape | rows | window |
// chunks of graph.as. memory-layout.ts has the same numbers.

import { addEdge, beginGraph, endNode, idOf, setNode } from "./graph";

export {
  chunksSize,
  chunksStart,
  edgeCount,
  moveGraph,
  nodeCount,
  refCount,
  repeatedNodes,
  slotMask,
  slots,
} from "./graph";

// Frames of open containers: state of the container, opening byte, bits of the members that occurred, index in the list
// around it (i32 each).
const FRAMES: i32 = 4096 + 5 * 131072;
const FRAME_SIZE: i32 = 16;
const MAX_DEPTH: i32 = 131072;
const OPEN_ROWS: i32 = FRAMES + MAX_DEPTH * FRAME_SIZE;
const ROW_SIZE: i32 = 96;
const MAX_OPEN_ROWS: i32 = 32768;
const TABLES: i32 = OPEN_ROWS + (MAX_OPEN_ROWS + 1) * ROW_SIZE;
const TABLES_SIZE: i32 = 65536;
const TAPE: i32 = TABLES + TABLES_SIZE;
const EVENT_SIZE: i32 = 24;
const TAPE_END: i32 = TAPE + EVENT_SIZE * 4096;
const ROWS: i32 = TAPE_END + EVENT_SIZE * 8; // one step writes several events
const ROWS_END: i32 = ROWS + ROW_SIZE * 512;

const OBJECT: i32 = 0x7b;
const LIST: i32 = 0x5b;
const QUOTE: i32 = 0x22;

// Phases: what the next token has to be.
const VALUE: i32 = 0;
const AFTER_VALUE: i32 = 1;
const FIRST_KEY: i32 = 2;
const FIRST_ELEMENT: i32 = 3;

// Results of `run`. From 16 on: errors at `at`.
const DONE: i32 = 0;
const NEED_BYTES: i32 = 1;
const TAPE_FULL: i32 = 2;
const ESCAPED_KEY: i32 = 3;
const ESCAPED_TEXT: i32 = 4;
const E_VALUE: i32 = 16;
const E_KEY: i32 = 17;
const E_COLON: i32 = 18;
const E_COMMA_OBJECT: i32 = 19;
const E_COMMA_LIST: i32 = 20;
const E_CONTROL: i32 = 21;
const E_ESCAPE: i32 = 22;
const E_UNICODE_ESCAPE: i32 = 23;
const E_UTF8: i32 = 24;
const E_DIGIT: i32 = 25;
const E_DEPTH: i32 = 26;
const E_TRUNCATED: i32 = 27;
const E_TRUNCATED_STRING: i32 = 28;

// Events: kind | wrong type << 4 | member << 5 | state << 12, from, to, index in the nearest list, hash, number of the row.
const STRING: i32 = 0;
const ESCAPED_STRING: i32 = 1;
const SCALAR: i32 = 2;
const OPEN: i32 = 3;
const CLOSE: i32 = 4;
const SKIPPED: i32 = 5;
const DUPLICATE: i32 = 6;
const ROW: i32 = 7;
const WRONG_TYPE: i32 = 16;

// Tables: eight numbers for each state. Keys and choices are chains of entries by a small hash.
const STATE_KEYS: i32 = 0;
const STATE_ELEMENTS: i32 = 4;
const STATE_OTHERS: i32 = 8;
const STATE_FLAGS: i32 = 12;
const STATE_FIELD: i32 = 16; // offset in the row, or 0
const STATE_HASH_FIELD: i32 = 20;
const STATE_CHOICES: i32 = 24;
const STATE_PATTERN: i32 = 24; // what has choices has no pattern
const STATE_NEEDS: i32 = 28; // offset of the field without which a row is dropped, or 0

// Flags of a state: of which values there are events, what is computed, and the types that are accepted.
const ON_ANY: i32 = 1;
const ON_STRING: i32 = 2;
const ON_OTHER: i32 = 4;
const ON_OBJECT: i32 = 8;
const HASHED: i32 = 16;
const CHOSEN: i32 = 32;
const STARTS: i32 = 64; // the field is where the value starts, and not the content of a string
const IS_ROW: i32 = 128;
const IS_NUMBERED: i32 = 256;
const IS_NODE: i32 = 512; // an object is a node of the graph
const NAMES_NODE: i32 = 1024; // a string is the reference of the node
const IS_EDGE: i32 = 2048; // a string is a reference that the node has an edge to
const ACCEPTS_OBJECT: i32 = 4096;
const ACCEPTS_LIST: i32 = 8192;
const ACCEPTS_STRING: i32 = 16384;
const ACCEPTS_SCALAR: i32 = 32768;
const HAS_PATTERN: i32 = 65536; // the hash of a string is that along the pattern

// Rows: number or -1, number of the row around it plus 1, index in the nearest list, length (i32 each), position (f64),
// fields (i32 each).
const ROW_PARENT: i32 = 4;
const ROW_INDEX: i32 = 8;
const ROW_LENGTH: i32 = 12;
const ROW_POSITION: i32 = 16;

// Patterns: 128 steps of 16 bits for each state, the next state and the byte that is hashed, or 0.
const NO_MATCH: i32 = 1;
const REFUSED: i32 = 0;
const ACCEPTED: i32 = 0x100;
const START_STATE: i32 = 0x200;

// State of the run. `at` and `end` are addresses in memory.
export let at: i32 = 0;
export let tapeEnd: i32 = TAPE;
// The key or text that has escapes, and the state of its container or of itself.
export let escapedStart: i32 = 0;
export let escapedEnd: i32 = 0;
export let escapedState: i32 = 0;
let rowsEnd: i32 = ROWS;
let end: i32 = 0;
let last: i32 = 0;
let base: f64 = 0; // position of address 0 in the document
let phase: i32 = 0;
let depth: i32 = 0;
let state: i32 = 0; // of the value that comes next: state << 12
let index: i32 = 0; // of the current value in the nearest list
let skipDepth: i32 = 0; // depth of the container whose end closes a skipped value
let skipStart: i32 = 0;
let escaped: bool = false;
let openRows: i32 = 0;
let row: i32 = OPEN_ROWS; // the innermost open row
let rowStart: i32 = 0; // its position, modulo 2^32
let rowNumber: i32 = -1; // of the innermost row with a number
let rowCount: i32 = 0;

export function begin(first: i32, chunks: i32): void {
  phase = VALUE;
  depth = 0;
  state = first;
  index = 0;
  skipDepth = 0;
  openRows = 0;
  row = OPEN_ROWS;
  rowNumber = -1;
  rowCount = 0;
  clear();
  beginGraph(chunks);
}

// The events and rows were handled.
export function clear(): void {
  tapeEnd = TAPE;
  rowsEnd = ROWS;
}

// Goes on with the bytes from `from` to `to`; `moved` is how far the bytes of an unfinished value moved.
export function feed(from: i32, to: i32, isLast: i32, moved: i32, position: f64): void {
  at = from;
  end = to;
  last = isLast;
  skipStart -= moved;
  base = position - <f64>from;
}

// Sets what comes after the key with escapes.
export function setKey(next: i32): void {
  expect(next, escapedStart - 1);
}

// Completes the text with escapes. Of a reference, the decoded bytes are in its place now, up to `to`.
export function setText(choice: i32, hash: i32, to: i32): void {
  keepReference(flagsOf(state), escapedStart, to, hash);
  keepString(escapedStart, escapedEnd, choice, hash);
}

function isDigit(byte: i32): bool {
  return <u32>(byte - 0x30) < 10;
}

// Result of the scan of a string: position behind its closing quote, or a negative result code.
function stringEnd(from: i32): i32 {
  const quote = i8x16.splat(0x22);
  const backslash = i8x16.splat(0x5c);
  const space = i8x16.splat(0x20);
  let here = from;
  escaped = false;
  while (true) {
    const bytes = v128.load(here);
    // Signed: bytes above ASCII are negative, so one comparison finds them and the controls.
    const stops = i8x16.bitmask(
      v128.or(v128.or(i8x16.eq(bytes, quote), i8x16.eq(bytes, backslash)), i8x16.lt_s(bytes, space)),
    );
    if (stops == 0) {
      here += 16;
      if (here >= end) break;
      continue;
    }
    here += ctz(stops);
    if (here >= end) break;
    const byte: i32 = load<u8>(here);
    if (byte == QUOTE) return here + 1;
    if (byte == 0x5c) {
      escaped = true;
      if (here + 1 >= end) break;
      const next: i32 = load<u8>(here + 1);
      if (next == 0x75) {
        for (let i = 2; i < 6; i++) {
          if (here + i >= end) return cut(from);
          const hex: i32 = load<u8>(here + i);
          const letter = hex | 0x20;
          if (!(isDigit(hex) || (letter >= 0x61 && letter <= 0x66))) return failAt(here, E_UNICODE_ESCAPE);
        }
        here += 6;
      } else if (
        next == QUOTE || next == 0x5c || next == 0x2f || next == 0x62 || next == 0x66 || next == 0x6e ||
        next == 0x72 || next == 0x74
      ) {
        here += 2;
      } else return failAt(here, E_ESCAPE);
    } else if (byte < 0x20) return failAt(here, E_CONTROL);
    else {
      const length = sequenceLength(here, byte);
      if (length == 0) return here + 4 > end && !last ? cut(from) : failAt(here, E_UTF8);
      if (here + length > end) return last ? failAt(here, E_UTF8) : cut(from);
      here += length;
    }
  }
  return cut(from);
}

function cut(from: i32): i32 {
  if (last) {
    at = end;
    return -E_TRUNCATED_STRING;
  }
  return -NEED_BYTES;
}

function failAt(where: i32, code: i32): i32 {
  at = where;
  return -code;
}

// Length of the UTF-8 sequence (RFC 3629) that begins at `here` with `first`, or 0.
function sequenceLength(here: i32, first: i32): i32 {
  const second: i32 = load<u8>(here + 1);
  if (first >= 0xc2 && first <= 0xdf) return (second & 0xc0) == 0x80 ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const lowest = first == 0xe0 ? 0xa0 : 0x80;
    const highest = first == 0xed ? 0x9f : 0xbf;
    return second >= lowest && second <= highest && (load<u8>(here + 2) & 0xc0) == 0x80 ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const lowest = first == 0xf0 ? 0x90 : 0x80;
    const highest = first == 0xf4 ? 0x8f : 0xbf;
    return second >= lowest && second <= highest && (load<u8>(here + 2) & 0xc0) == 0x80 &&
      (load<u8>(here + 3) & 0xc0) == 0x80 ? 4 : 0;
  }
  return 0;
}

function pastSpace(from: i32): i32 {
  let here = from;
  while (here < end) {
    const byte: i32 = load<u8>(here);
    if (byte > 0x20 || !(byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09)) break;
    here++;
  }
  return here;
}

function byteAt(here: i32): i32 {
  return here < end ? <i32>load<u8>(here) : -1;
}

// Position behind a number, or a negative result code.
function numberEnd(from: i32): i32 {
  let here = from;
  if (byteAt(here) == 0x2d) here++;
  if (byteAt(here) == 0x30) here++;
  else {
    const digits = here;
    while (isDigit(byteAt(here))) here++;
    if (here == digits) return digit(here);
  }
  if (byteAt(here) == 0x2e) {
    const digits = ++here;
    while (isDigit(byteAt(here))) here++;
    if (here == digits) return digit(here);
  }
  if ((byteAt(here) | 0x20) == 0x65) {
    here++;
    const sign = byteAt(here);
    if (sign == 0x2b || sign == 0x2d) here++;
    const digits = here;
    while (isDigit(byteAt(here))) here++;
    if (here == digits) return digit(here);
  }
  // A number goes on until another byte ends it.
  return here >= end && !last ? -NEED_BYTES : here;
}

function digit(here: i32): i32 {
  if (here >= end) {
    if (!last) return -NEED_BYTES;
    return failAt(end, E_TRUNCATED);
  }
  return failAt(here, E_DIGIT);
}

// Position behind `true`, `false` or `null`, or a negative result code.
function literalEnd(from: i32, byte: i32): i32 {
  const word: u64 = byte == 0x74 ? 0x65757274 : byte == 0x66 ? 0x65736c6166 : 0x6c6c756e;
  const length = byte == 0x66 ? 5 : 4;
  for (let i = 0; i < length; i++) {
    if (from + i >= end) return last ? failAt(end, E_TRUNCATED) : -NEED_BYTES;
    if (load<u8>(from + i) != <u8>(word >> (i * 8))) return failAt(from + i, E_VALUE);
  }
  return from + length;
}

function emit(kind: i32, what: i32, from: i32, to: i32, hash: i32): void {
  store<i32>(tapeEnd, kind | what);
  store<i32>(tapeEnd, from, 4);
  store<i32>(tapeEnd, to, 8);
  store<i32>(tapeEnd, index, 12);
  store<i32>(tapeEnd, hash, 16);
  store<i32>(tapeEnd, rowNumber, 20);
  tapeEnd += EVENT_SIZE;
}

function tableOf(what: i32): i32 { return TABLES + (what >>> 12) * 32; }
function flagsOf(what: i32): i32 { return load<i32>(tableOf(what), STATE_FLAGS); }
function keysOf(what: i32): i32 { return load<i32>(tableOf(what), STATE_KEYS); }
function elementsOf(what: i32): i32 { return what == 0 ? 0 : load<i32>(tableOf(what), STATE_ELEMENTS); }

// What a chain of entries has for a text, or `others`.
function find(heads: i32, from: i32, to: i32, others: i32): i32 {
  const length = to - from;
  if (length == 0) return others;
  const hash = (length + load<u8>(from) * 5 + load<u8>(to - 1) * 3) & 63;
  let entry = load<i32>(heads + hash * 4);
  while (entry != 0) {
    if (load<i32>(entry, 4) == length) {
      let i = 0;
      while (i < length && load<u8>(entry + 12 + i) == load<u8>(from + i)) i++;
      if (i == length) return load<i32>(entry, 8);
    }
    entry = load<i32>(entry);
  }
  return others;
}

// Hash of a text, four bytes at a time. hash.ts computes the same.
function hashOf(from: i32, to: i32): i32 {
  let hash = to - from;
  let here = from;
  while (here + 4 <= to) {
    hash = mixed(hash ^ load<i32>(here));
    here += 4;
  }
  const rest = load<i32>(here) & ((1 << ((to - here) * 8)) - 1);
  return mixed(hash ^ rest) | 0x40000000;
}

function mixed(hash: i32): i32 {
  const product = hash * <i32>0x9e3779b1;
  return product ^ (product >>> 15);
}

// Hash along a pattern of the string whose content begins at `from` and ends with a quote. pattern.ts computes the same.
function hashAlong(steps: i32, from: i32): i32 {
  let here = from;
  let state = START_STATE;
  let hash = 0;
  while (state > ACCEPTED) {
    const byte: i32 = load<u8>(here++);
    if (byte > 0x7f) return NO_MATCH;
    const step: i32 = load<u16>(steps + state + byte * 2);
    state = step & 0xff00;
    const given = step & 0xff;
    if (given != 0) hash = (hash ^ given) * 0x01000193;
  }
  return state == REFUSED ? NO_MATCH : ((hash ^ (hash >>> 15)) & 0x1fffffff) | 0x20000000;
}

// The value that follows a key at `key`, whose number is in the bits of the member: it may occur once.
function expect(next: i32, key: i32): void {
  state = next & ~0xfff;
  const member = (next >>> 5) & 31;
  if (member == 0) return;
  const frame = FRAMES + (depth - 1) * FRAME_SIZE;
  const seen = load<i32>(frame, 8);
  const bit = 1 << member;
  if ((seen & bit) != 0) emit(DUPLICATE, load<i32>(frame) | (member << 5), key, key, 0);
  store<i32>(frame, seen | bit, 8);
}

// Reads a key and its colon, and sets what its value is. Positive: a result code.
function readKey(container: i32, from: i32): i32 {
  if (from >= end) return last ? truncated() : NEED_BYTES;
  if (load<u8>(from) != QUOTE) { at = from; return E_KEY; }
  const behind = stringEnd(from + 1);
  if (behind < 0) return -behind;
  const colon = pastSpace(behind);
  if (colon >= end) return last ? truncated() : NEED_BYTES;
  if (load<u8>(colon) != 0x3a) { at = colon; return E_COLON; }
  at = colon + 1;
  phase = VALUE;
  const keys = container == 0 ? 0 : keysOf(container);
  if (keys == 0) { state = 0; return 0; }
  if (escaped) {
    escapedStart = from + 1;
    escapedEnd = behind - 1;
    escapedState = container;
    return ESCAPED_KEY;
  }
  expect(find(keys, from + 1, behind - 1, load<i32>(tableOf(container), STATE_OTHERS)), from);
  return 0;
}

function truncated(): i32 {
  at = end;
  return E_TRUNCATED;
}

// Distance of an address from the beginning of the innermost row.
function inRow(address: i32): i32 { return <i32><i64>base + address - rowStart; }

// Handles a string that the schema describes. Positive: a result code.
function onString(from: i32, to: i32): i32 {
  const flags = flagsOf(state);
  let choice = 0;
  let hash = 0;
  if ((flags & (HASHED | CHOSEN)) != 0) {
    if (escaped) {
      escapedStart = from;
      escapedEnd = to;
      escapedState = state;
      return ESCAPED_TEXT;
    }
    if ((flags & CHOSEN) != 0) choice = find(load<i32>(tableOf(state), STATE_CHOICES), from, to, 0);
    if ((flags & HASHED) != 0) hash = hashOf(from, to);
  }
  if ((flags & HAS_PATTERN) != 0) hash = hashAlong(load<i32>(tableOf(state), STATE_PATTERN), from);
  keepReference(flags, from, to, hash);
  keepString(from, to, choice, hash);
  return 0;
}

function keepReference(flags: i32, from: i32, to: i32, hash: i32): void {
  if ((flags & (NAMES_NODE | IS_EDGE)) == 0) return;
  const id = idOf(from, to, hash);
  if ((flags & IS_EDGE) != 0) addEdge(id);
  else setNode(id);
}

function keepString(from: i32, to: i32, choice: i32, hash: i32): void {
  const table = tableOf(state);
  const flags = load<i32>(table, STATE_FLAGS);
  const field = load<i32>(table, STATE_FIELD);
  if (field != 0) {
    const value = (flags & CHOSEN) != 0 ? choice : inRow((flags & STARTS) != 0 ? from - 1 : from);
    store<i32>(row + field, value);
    const hashField = load<i32>(table, STATE_HASH_FIELD);
    if (hashField != 0) store<i32>(row + hashField, hash);
  }
  const wrong = (flags & ACCEPTS_STRING) == 0 ? WRONG_TYPE : 0;
  if ((flags & (ON_ANY | ON_STRING)) == 0 && wrong == 0) return;
  emit(escaped ? ESCAPED_STRING : STRING, state | wrong, from, to, hash);
}

// Notes where a value begins that is no string.
function keepStart(flags: i32, from: i32): void {
  if ((flags & STARTS) != 0) store<i32>(row + load<i32>(tableOf(state), STATE_FIELD), inRow(from));
}

// Handles a number, true, false or null that the schema describes.
function onScalar(first: i32, from: i32, to: i32): void {
  const flags = flagsOf(state);
  keepStart(flags, from);
  const wrong = (flags & ACCEPTS_SCALAR) == 0 && first != 0x6e ? WRONG_TYPE : 0;
  if ((flags & (ON_ANY | ON_OTHER)) != 0 || wrong != 0) emit(SCALAR, state | wrong, from, to, 0);
}

// The value at `here` is an object or a list. Positive: a result code.
function open(here: i32, byte: i32): i32 {
  if (depth >= MAX_DEPTH) { at = here; return E_DEPTH; }
  let inner = 0;
  if (state != 0) {
    const flags = flagsOf(state);
    keepStart(flags, here);
    const accepted = (flags & (byte == OBJECT ? ACCEPTS_OBJECT : ACCEPTS_LIST)) != 0;
    const wanted = (flags & (ON_ANY | ON_OTHER)) != 0 || !accepted;
    if ((byte == OBJECT ? keysOf(state) : elementsOf(state)) != 0) {
      inner = state;
      if (byte == OBJECT && (flags & IS_ROW) != 0) {
        if (openRows >= MAX_OPEN_ROWS) { at = here; return E_DEPTH; }
        openRow(here, flags);
      }
      if (wanted || (byte == OBJECT && (flags & ON_OBJECT) != 0)) {
        emit(OPEN, accepted ? state : state | WRONG_TYPE, here, here, 0);
      }
    } else if (wanted) {
      inner = accepted ? state : state | WRONG_TYPE;
      skipDepth = depth + 1;
      skipStart = here;
    }
  }
  const frame = FRAMES + depth * FRAME_SIZE;
  store<i32>(frame, inner);
  store<i32>(frame, byte, 4);
  store<i32>(frame, 0, 8);
  store<i32>(frame, index, 12);
  depth++;
  at = here + 1;
  if (byte == OBJECT) phase = FIRST_KEY;
  else {
    phase = FIRST_ELEMENT;
    index = 0;
    state = skipDepth != 0 ? 0 : elementsOf(inner);
  }
  return 0;
}

function openRow(here: i32, flags: i32): void {
  openRows++;
  row = OPEN_ROWS + openRows * ROW_SIZE; // the first place is that of no row
  memory.fill(row, 0, ROW_SIZE);
  store<i32>(row, -1);
  store<i32>(row, rowNumber + 1, ROW_PARENT);
  store<i32>(row, index, ROW_INDEX);
  const position = base + <f64>here;
  store<f64>(row, position, ROW_POSITION);
  rowStart = <i32><i64>position;
  if ((flags & IS_NUMBERED) == 0) return;
  rowNumber = rowCount++;
  store<i32>(row, rowNumber);
}

function closeRow(what: i32): void {
  store<i32>(row, inRow(at), ROW_LENGTH);
  const needs = load<i32>(tableOf(what), STATE_NEEDS);
  rowNumber = load<i32>(row, ROW_PARENT) - 1;
  if (needs == 0 || load<i32>(row + needs) != 0) {
    memory.copy(rowsEnd, row, ROW_SIZE);
    emit(ROW, what, rowsEnd, rowsEnd, 0);
    rowsEnd += ROW_SIZE;
  }
  openRows--;
  row -= ROW_SIZE;
  rowStart = <i32><i64>load<f64>(row, ROW_POSITION);
}

// The innermost container ends before `at`.
function close(): void {
  depth--;
  const frame = FRAMES + depth * FRAME_SIZE;
  const what = load<i32>(frame);
  index = load<i32>(frame, 12);
  phase = AFTER_VALUE;
  if (what == 0) return;
  if (skipDepth != 0) {
    if (skipDepth != depth + 1) return;
    skipDepth = 0;
    emit(SKIPPED, what, skipStart, at, 0);
  } else if (load<i32>(frame, 4) == OBJECT) {
    const flags = flagsOf(what);
    if ((flags & IS_ROW) != 0) closeRow(what);
    if ((flags & IS_NODE) != 0) endNode();
    if ((flags & ON_OBJECT) != 0) emit(CLOSE, what, at, at, 0);
  }
}

// Reads the value at `here`. Positive: a result code.
function readValue(here: i32, byte: i32): i32 {
  if (byte == QUOTE) {
    const behind = stringEnd(here + 1);
    if (behind < 0) { if (behind == -NEED_BYTES) at = here; return -behind; }
    at = behind;
    phase = AFTER_VALUE;
    return state == 0 ? 0 : onString(here + 1, behind - 1);
  }
  if (byte == OBJECT || byte == LIST) return open(here, byte);
  let behind: i32;
  if (byte == 0x2d || isDigit(byte)) behind = numberEnd(here);
  else if (byte == 0x74 || byte == 0x66 || byte == 0x6e) behind = literalEnd(here, byte);
  else { at = here; return byte > 0x7f && sequenceLength(here, byte) == 0 ? E_UTF8 : E_VALUE; }
  if (behind < 0) { if (behind == -NEED_BYTES) at = here; return -behind; }
  if (state != 0) onScalar(byte, here, behind);
  at = behind;
  phase = AFTER_VALUE;
  return 0;
}

export function run(): i32 {
  while (true) {
    if (phase == AFTER_VALUE && depth == 0) return DONE;
    if (tapeEnd >= TAPE_END || rowsEnd >= ROWS_END) return TAPE_FULL;
    let here = pastSpace(at);
    if (here >= end) { at = here; return last ? truncated() : NEED_BYTES; }
    const byte: i32 = load<u8>(here);
    let result = 0;
    if (phase == VALUE) result = readValue(here, byte);
    else if (phase == FIRST_ELEMENT) {
      if (byte == 0x5d) { at = here + 1; close(); }
      else { phase = VALUE; result = readValue(here, byte); }
    } else {
      const frame = FRAMES + (depth - 1) * FRAME_SIZE;
      const opening: i32 = load<i32>(frame, 4);
      if (byte == opening + 2) { at = here + 1; close(); continue; }
      if (phase == AFTER_VALUE) {
        if (byte != 0x2c) { at = here; return opening == OBJECT ? E_COMMA_OBJECT : E_COMMA_LIST; }
        if (opening == LIST) {
          at = here + 1;
          phase = VALUE;
          index++;
          state = skipDepth != 0 ? 0 : elementsOf(load<i32>(frame));
          continue;
        }
        at = here; // until the key is complete
        here = pastSpace(here + 1);
      }
      result = readKey(skipDepth != 0 ? 0 : load<i32>(frame), here);
    }
    if (result != 0) return result;
  }
  return DONE;
}

// Results of `measure`.
export let lineFeeds: i32 = 0;
export let units: i32 = 0;

// Counts the line feeds from `from` to `to`, and the UTF-16 units behind the last of them, or all when there is none.
// Bytes that continue a character add no unit, the first byte of a four-byte character adds two.
export function measure(from: i32, to: i32): void {
  const lineFeed = i8x16.splat(0x0a);
  const continuing = i8x16.splat(-64);
  const four = i8x16.splat(-17);
  const zero = i8x16.splat(0);
  lineFeeds = 0;
  units = 0;
  for (let here = from; here < to; here += 16) {
    const bytes = v128.load(here);
    let inside = to - here < 16 ? (1 << (to - here)) - 1 : 0xffff;
    const found = i8x16.bitmask(i8x16.eq(bytes, lineFeed)) & inside;
    if (found != 0) {
      lineFeeds += popcnt(found);
      units = 0;
      inside &= ~((2 << (31 - clz(found))) - 1);
    }
    const first = i8x16.bitmask(i8x16.ge_s(bytes, continuing)) & inside;
    const pairs = i8x16.bitmask(v128.and(i8x16.gt_s(bytes, four), i8x16.lt_s(bytes, zero))) & inside;
    units += popcnt(first) + popcnt(pairs);
  }
}
