// Tokenizer for JSON (RFC 8259) over UTF-8 (RFC 3629), in AssemblyScript (https://www.assemblyscript.org).
// `npm run tokenizer:compile` compiles it to tokenizer.json. It reads a window of a document and writes the values
// that a schema selects to a tape of events. Everything else is validated and skipped. Objects that occur many times are
// rows: the tokenizer stores their values as numbers, and writes one event when the row ends.
// "./layout" is generated from memory-layout.ts; README.md shows the order of the memory.

import { addEdge, beginGraph, endNode, idOf, setNode } from "./graph";
import {
  ACCEPTS_LIST,
  ACCEPTS_OBJECT,
  ACCEPTS_SCALAR,
  ACCEPTS_STRING,
  EVENT_CLOSE,
  EVENT_DUPLICATE,
  EVENT_ESCAPED_STRING,
  EVENT_OPEN,
  EVENT_ROW,
  EVENT_SCALAR,
  EVENT_SIZE,
  EVENT_SKIPPED,
  EVENT_STRING,
  FLAG_CHOSEN,
  FLAG_HASHED,
  FLAG_HAS_PATTERN,
  FLAG_IS_EDGE,
  FLAG_IS_NODE,
  FLAG_IS_NUMBERED,
  FLAG_IS_ROW,
  FLAG_NAMES_NODE,
  FLAG_ON_ANY,
  FLAG_ON_OBJECT,
  FLAG_ON_OTHER,
  FLAG_ON_STRING,
  FLAG_STARTS,
  FRAMES,
  FRAME_INDEX,
  FRAME_OPENING,
  FRAME_SEEN,
  FRAME_SIZE,
  KEY_BYTES,
  KEY_CHAINS,
  KEY_LENGTH,
  KEY_VALUE,
  MAX_DEPTH,
  MAX_OPEN_ROWS,
  MEMBER_MASK,
  MEMBER_SHIFT,
  NO_MATCH,
  OPEN_ROWS,
  PATTERN_ACCEPTED,
  PATTERN_REFUSED,
  PATTERN_START,
  PHASE_AFTER_VALUE,
  PHASE_FIRST_ELEMENT,
  PHASE_FIRST_KEY,
  PHASE_VALUE,
  RESULT_COLON,
  RESULT_COMMA_IN_LIST,
  RESULT_COMMA_IN_OBJECT,
  RESULT_CONTROL,
  RESULT_DEPTH,
  RESULT_DIGIT,
  RESULT_DONE,
  RESULT_ESCAPE,
  RESULT_ESCAPED_KEY,
  RESULT_ESCAPED_TEXT,
  RESULT_KEY,
  RESULT_NEED_BYTES,
  RESULT_TAPE_FULL,
  RESULT_TRUNCATED,
  RESULT_TRUNCATED_STRING,
  RESULT_UNICODE_ESCAPE,
  RESULT_UTF8,
  RESULT_VALUE,
  ROWS,
  ROWS_END,
  ROW_INDEX,
  ROW_LENGTH,
  ROW_PARENT,
  ROW_POSITION,
  ROW_SIZE,
  STATE_CHOICES,
  STATE_ELEMENTS,
  STATE_FIELD,
  STATE_FLAGS,
  STATE_HASH_FIELD,
  STATE_KEYS,
  STATE_NEEDS,
  STATE_OTHERS,
  STATE_PATTERN,
  STATE_SHIFT,
  STATE_SIZE,
  TABLES,
  TAPE,
  TAPE_END,
  TAPE_EVENT_FROM,
  TAPE_EVENT_HASH,
  TAPE_EVENT_INDEX,
  TAPE_EVENT_ROW,
  TAPE_EVENT_TO,
  WRONG_TYPE,
} from "./layout";

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

const OBJECT: i32 = 0x7b;
const LIST: i32 = 0x5b;
const QUOTE: i32 = 0x22;

// State of the run. `at` is the address of the next byte to read, `end` that after the last byte of the window.
export let at: i32 = 0;
export let tapeEnd: i32 = TAPE;
// The key or text that has escapes. `escapedState`: of a key the state of its container, of a text its own.
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
let index: i32 = 0; // of the current value, in the nearest list around it
let skipDepth: i32 = 0; // depth of the container that is being skipped, or 0
let skipStart: i32 = 0;
let escaped: bool = false;
let openRows: i32 = 0;
let row: i32 = OPEN_ROWS; // the innermost open row
let rowStart: i32 = 0; // position of that row in the document, modulo 2^32
let rowNumber: i32 = -1; // of the innermost numbered row, or -1
let rowCount: i32 = 0;

export function begin(first: i32, chunks: i32): void {
  phase = PHASE_VALUE;
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

// Empties the tape. Called when its events and rows have been handled.
export function clear(): void {
  tapeEnd = TAPE;
  rowsEnd = ROWS;
}

// Continues with the bytes from `from` to `to`. The bytes of an unfinished value were moved by `moved` bytes to the front.
// `position` is the position of `from` in the document.
export function feed(from: i32, to: i32, isLast: i32, moved: i32, position: f64): void {
  at = from;
  end = to;
  last = isLast;
  skipStart -= moved;
  base = position - <f64>from;
}

// Continues after a key with escapes: `next` is the table entry of the decoded key.
export function setKey(next: i32): void {
  expect(next, escapedStart - 1);
}

// Continues after a text with escapes. If it is a reference, its decoded bytes have replaced it, up to `to`.
export function setText(choice: i32, hash: i32, to: i32): void {
  keepReference(flagsOf(state), escapedStart, to, hash);
  keepString(escapedStart, escapedEnd, choice, hash);
}

function isDigit(byte: i32): bool {
  return <u32>(byte - 0x30) < 10;
}

// Returns the address after the closing quote of the string whose content begins at `from`, or a negative result code.
function stringEnd(from: i32): i32 {
  const quote = i8x16.splat(0x22);
  const backslash = i8x16.splat(0x5c);
  const space = i8x16.splat(0x20);
  let here = from;
  escaped = false;
  while (true) {
    const bytes = v128.load(here);
    // Bytes above ASCII are negative as signed numbers, so one comparison finds them and the control characters.
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
          if (!(isDigit(hex) || (letter >= 0x61 && letter <= 0x66))) return failAt(here, RESULT_UNICODE_ESCAPE);
        }
        here += 6;
      } else if (
        next == QUOTE || next == 0x5c || next == 0x2f || next == 0x62 || next == 0x66 || next == 0x6e ||
        next == 0x72 || next == 0x74
      ) {
        here += 2;
      } else return failAt(here, RESULT_ESCAPE);
    } else if (byte < 0x20) return failAt(here, RESULT_CONTROL);
    else {
      const length = sequenceLength(here, byte);
      if (length == 0) return here + 4 > end && !last ? cut(from) : failAt(here, RESULT_UTF8);
      if (here + length > end) return last ? failAt(here, RESULT_UTF8) : cut(from);
      here += length;
    }
  }
  return cut(from);
}

function cut(from: i32): i32 {
  if (last) {
    at = end;
    return -RESULT_TRUNCATED_STRING;
  }
  return -RESULT_NEED_BYTES;
}

function failAt(where: i32, code: i32): i32 {
  at = where;
  return -code;
}

// Returns the length of the UTF-8 sequence (RFC 3629) that begins at `here` with the byte `first`; 0 if it is invalid.
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

// Returns the address after a number, or a negative result code.
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
  // Only another byte shows that a number has ended.
  return here >= end && !last ? -RESULT_NEED_BYTES : here;
}

function digit(here: i32): i32 {
  if (here >= end) {
    if (!last) return -RESULT_NEED_BYTES;
    return failAt(end, RESULT_TRUNCATED);
  }
  return failAt(here, RESULT_DIGIT);
}

// Returns the address after `true`, `false` or `null`, or a negative result code.
function literalEnd(from: i32, byte: i32): i32 {
  const word: u64 = byte == 0x74 ? 0x65757274 : byte == 0x66 ? 0x65736c6166 : 0x6c6c756e;
  const length = byte == 0x66 ? 5 : 4;
  for (let i = 0; i < length; i++) {
    if (from + i >= end) return last ? failAt(end, RESULT_TRUNCATED) : -RESULT_NEED_BYTES;
    if (load<u8>(from + i) != <u8>(word >> (i * 8))) return failAt(from + i, RESULT_VALUE);
  }
  return from + length;
}

function emit(kind: i32, what: i32, from: i32, to: i32, hash: i32): void {
  store<i32>(tapeEnd, kind | what);
  store<i32>(tapeEnd, from, TAPE_EVENT_FROM);
  store<i32>(tapeEnd, to, TAPE_EVENT_TO);
  store<i32>(tapeEnd, index, TAPE_EVENT_INDEX);
  store<i32>(tapeEnd, hash, TAPE_EVENT_HASH);
  store<i32>(tapeEnd, rowNumber, TAPE_EVENT_ROW);
  tapeEnd += EVENT_SIZE;
}

function tableOf(what: i32): i32 { return TABLES + (what >>> STATE_SHIFT) * STATE_SIZE; }
function flagsOf(what: i32): i32 { return load<i32>(tableOf(what), STATE_FLAGS); }
function keysOf(what: i32): i32 { return load<i32>(tableOf(what), STATE_KEYS); }
function elementsOf(what: i32): i32 { return what == 0 ? 0 : load<i32>(tableOf(what), STATE_ELEMENTS); }

// Returns the value of a key in its chain; `others` if the key is not in the table.
function find(heads: i32, from: i32, to: i32, others: i32): i32 {
  const length = to - from;
  if (length == 0) return others;
  const hash = (length + load<u8>(from) * 5 + load<u8>(to - 1) * 3) & (KEY_CHAINS - 1);
  let entry = load<i32>(heads + hash * 4);
  while (entry != 0) {
    if (load<i32>(entry, KEY_LENGTH) == length) {
      let i = 0;
      while (i < length && load<u8>(entry + KEY_BYTES + i) == load<u8>(from + i)) i++;
      if (i == length) return load<i32>(entry, KEY_VALUE);
    }
    entry = load<i32>(entry);
  }
  return others;
}

// Hashes a text, four bytes at a time. `hashOf` in bytes.ts computes the same.
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

// Hashes the string whose content begins at `from` along a pattern. `hashAlong` in bytes.ts computes the same.
function hashAlong(steps: i32, from: i32): i32 {
  let here = from;
  let state = PATTERN_START;
  let hash = 0;
  while (state > PATTERN_ACCEPTED) {
    const byte: i32 = load<u8>(here++);
    if (byte > 0x7f) return NO_MATCH;
    const step: i32 = load<u16>(steps + state + byte * 2);
    state = step & 0xff00;
    const given = step & 0xff;
    if (given != 0) hash = (hash ^ given) * 0x01000193;
  }
  return state == PATTERN_REFUSED ? NO_MATCH : ((hash ^ (hash >>> 15)) & 0x1fffffff) | 0x20000000;
}

// Sets the state of the value after the key at `key`. A member that occurred before causes an event.
function expect(next: i32, key: i32): void {
  state = next & ~((1 << STATE_SHIFT) - 1);
  const member = (next >>> MEMBER_SHIFT) & MEMBER_MASK;
  if (member == 0) return;
  const frame = FRAMES + (depth - 1) * FRAME_SIZE;
  const seen = load<i32>(frame, FRAME_SEEN);
  const bit = 1 << member;
  if ((seen & bit) != 0) emit(EVENT_DUPLICATE, load<i32>(frame) | (member << MEMBER_SHIFT), key, key, 0);
  store<i32>(frame, seen | bit, FRAME_SEEN);
}

// Reads a key and its colon, and sets the state of its value. Returns 0 or a result code.
function readKey(container: i32, from: i32): i32 {
  if (from >= end) return last ? truncated() : RESULT_NEED_BYTES;
  if (load<u8>(from) != QUOTE) { at = from; return RESULT_KEY; }
  const after = stringEnd(from + 1);
  if (after < 0) return -after;
  const colon = pastSpace(after);
  if (colon >= end) return last ? truncated() : RESULT_NEED_BYTES;
  if (load<u8>(colon) != 0x3a) { at = colon; return RESULT_COLON; }
  at = colon + 1;
  phase = PHASE_VALUE;
  const keys = container == 0 ? 0 : keysOf(container);
  if (keys == 0) { state = 0; return 0; }
  if (escaped) {
    escapedStart = from + 1;
    escapedEnd = after - 1;
    escapedState = container;
    return RESULT_ESCAPED_KEY;
  }
  expect(find(keys, from + 1, after - 1, load<i32>(tableOf(container), STATE_OTHERS)), from);
  return 0;
}

function truncated(): i32 {
  at = end;
  return RESULT_TRUNCATED;
}

// Returns the offset of an address from the beginning of the innermost row.
function inRow(address: i32): i32 { return <i32><i64>base + address - rowStart; }

// Handles a string that the schema describes. Returns 0 or a result code.
function onString(from: i32, to: i32): i32 {
  const flags = flagsOf(state);
  let choice = 0;
  let hash = 0;
  if ((flags & (FLAG_HASHED | FLAG_CHOSEN)) != 0) {
    if (escaped) {
      escapedStart = from;
      escapedEnd = to;
      escapedState = state;
      return RESULT_ESCAPED_TEXT;
    }
    if ((flags & FLAG_CHOSEN) != 0) choice = find(load<i32>(tableOf(state), STATE_CHOICES), from, to, 0);
    if ((flags & FLAG_HASHED) != 0) hash = hashOf(from, to);
  }
  if ((flags & FLAG_HAS_PATTERN) != 0) hash = hashAlong(load<i32>(tableOf(state), STATE_PATTERN), from);
  keepReference(flags, from, to, hash);
  keepString(from, to, choice, hash);
  return 0;
}

function keepReference(flags: i32, from: i32, to: i32, hash: i32): void {
  if ((flags & (FLAG_NAMES_NODE | FLAG_IS_EDGE)) == 0) return;
  const id = idOf(from, to, hash);
  if ((flags & FLAG_IS_EDGE) != 0) addEdge(id);
  else setNode(id);
}

function keepString(from: i32, to: i32, choice: i32, hash: i32): void {
  const table = tableOf(state);
  const flags = load<i32>(table, STATE_FLAGS);
  const field = load<i32>(table, STATE_FIELD);
  if (field != 0) {
    const value = (flags & FLAG_CHOSEN) != 0 ? choice : inRow((flags & FLAG_STARTS) != 0 ? from - 1 : from);
    store<i32>(row + field, value);
    const hashField = load<i32>(table, STATE_HASH_FIELD);
    if (hashField != 0) store<i32>(row + hashField, hash);
  }
  const wrong = (flags & ACCEPTS_STRING) == 0 ? WRONG_TYPE : 0;
  if ((flags & (FLAG_ON_ANY | FLAG_ON_STRING)) == 0 && wrong == 0) return;
  emit(escaped ? EVENT_ESCAPED_STRING : EVENT_STRING, state | wrong, from, to, hash);
}

// Stores where a value begins that is not a string.
function keepStart(flags: i32, from: i32): void {
  if ((flags & FLAG_STARTS) != 0) store<i32>(row + load<i32>(tableOf(state), STATE_FIELD), inRow(from));
}

// Handles a number, `true`, `false` or `null` that the schema describes.
function onScalar(first: i32, from: i32, to: i32): void {
  const flags = flagsOf(state);
  keepStart(flags, from);
  const wrong = (flags & ACCEPTS_SCALAR) == 0 && first != 0x6e ? WRONG_TYPE : 0;
  if ((flags & (FLAG_ON_ANY | FLAG_ON_OTHER)) != 0 || wrong != 0) emit(EVENT_SCALAR, state | wrong, from, to, 0);
}

// Opens the object or list at `here`. Returns 0 or a result code.
function open(here: i32, byte: i32): i32 {
  if (depth >= MAX_DEPTH) { at = here; return RESULT_DEPTH; }
  let inner = 0;
  if (state != 0) {
    const flags = flagsOf(state);
    keepStart(flags, here);
    const accepted = (flags & (byte == OBJECT ? ACCEPTS_OBJECT : ACCEPTS_LIST)) != 0;
    const wanted = (flags & (FLAG_ON_ANY | FLAG_ON_OTHER)) != 0 || !accepted;
    if ((byte == OBJECT ? keysOf(state) : elementsOf(state)) != 0) {
      inner = state;
      if (byte == OBJECT && (flags & FLAG_IS_ROW) != 0) {
        if (openRows >= MAX_OPEN_ROWS) { at = here; return RESULT_DEPTH; }
        openRow(here, flags);
      }
      if (wanted || (byte == OBJECT && (flags & FLAG_ON_OBJECT) != 0)) {
        emit(EVENT_OPEN, accepted ? state : state | WRONG_TYPE, here, here, 0);
      }
    } else if (wanted) {
      inner = accepted ? state : state | WRONG_TYPE;
      skipDepth = depth + 1;
      skipStart = here;
    }
  }
  const frame = FRAMES + depth * FRAME_SIZE;
  store<i32>(frame, inner);
  store<i32>(frame, byte, FRAME_OPENING);
  store<i32>(frame, 0, FRAME_SEEN);
  store<i32>(frame, index, FRAME_INDEX);
  depth++;
  at = here + 1;
  if (byte == OBJECT) phase = PHASE_FIRST_KEY;
  else {
    phase = PHASE_FIRST_ELEMENT;
    index = 0;
    state = skipDepth != 0 ? 0 : elementsOf(inner);
  }
  return 0;
}

function openRow(here: i32, flags: i32): void {
  openRows++;
  row = OPEN_ROWS + openRows * ROW_SIZE; // the first slot means none
  memory.fill(row, 0, ROW_SIZE);
  store<i32>(row, -1);
  store<i32>(row, rowNumber + 1, ROW_PARENT);
  store<i32>(row, index, ROW_INDEX);
  const position = base + <f64>here;
  store<f64>(row, position, ROW_POSITION);
  rowStart = <i32><i64>position;
  if ((flags & FLAG_IS_NUMBERED) == 0) return;
  rowNumber = rowCount++;
  store<i32>(row, rowNumber);
}

function closeRow(what: i32): void {
  store<i32>(row, inRow(at), ROW_LENGTH);
  const needs = load<i32>(tableOf(what), STATE_NEEDS);
  rowNumber = load<i32>(row, ROW_PARENT) - 1;
  if (needs == 0 || load<i32>(row + needs) != 0) {
    memory.copy(rowsEnd, row, ROW_SIZE);
    emit(EVENT_ROW, what, rowsEnd, rowsEnd, 0);
    rowsEnd += ROW_SIZE;
  }
  openRows--;
  row -= ROW_SIZE;
  rowStart = <i32><i64>load<f64>(row, ROW_POSITION);
}

// Closes the innermost container, which ends before `at`.
function close(): void {
  depth--;
  const frame = FRAMES + depth * FRAME_SIZE;
  const what = load<i32>(frame);
  index = load<i32>(frame, FRAME_INDEX);
  phase = PHASE_AFTER_VALUE;
  if (what == 0) return;
  if (skipDepth != 0) {
    if (skipDepth != depth + 1) return;
    skipDepth = 0;
    emit(EVENT_SKIPPED, what, skipStart, at, 0);
  } else if (load<i32>(frame, FRAME_OPENING) == OBJECT) {
    const flags = flagsOf(what);
    if ((flags & FLAG_IS_ROW) != 0) closeRow(what);
    if ((flags & FLAG_IS_NODE) != 0) endNode();
    if ((flags & FLAG_ON_OBJECT) != 0) emit(EVENT_CLOSE, what, at, at, 0);
  }
}

// Reads the value at `here`, whose first byte is `byte`. Returns 0 or a result code.
function readValue(here: i32, byte: i32): i32 {
  if (byte == QUOTE) {
    const after = stringEnd(here + 1);
    if (after < 0) { if (after == -RESULT_NEED_BYTES) at = here; return -after; }
    at = after;
    phase = PHASE_AFTER_VALUE;
    return state == 0 ? 0 : onString(here + 1, after - 1);
  }
  if (byte == OBJECT || byte == LIST) return open(here, byte);
  let after: i32;
  if (byte == 0x2d || isDigit(byte)) after = numberEnd(here);
  else if (byte == 0x74 || byte == 0x66 || byte == 0x6e) after = literalEnd(here, byte);
  else { at = here; return byte > 0x7f && sequenceLength(here, byte) == 0 ? RESULT_UTF8 : RESULT_VALUE; }
  if (after < 0) { if (after == -RESULT_NEED_BYTES) at = here; return -after; }
  if (state != 0) onScalar(byte, here, after);
  at = after;
  phase = PHASE_AFTER_VALUE;
  return 0;
}

// Reads until the value is complete, more bytes are needed, or the tape is full. Returns a result code.
export function run(): i32 {
  while (true) {
    if (phase == PHASE_AFTER_VALUE && depth == 0) return RESULT_DONE;
    if (tapeEnd >= TAPE_END || rowsEnd >= ROWS_END) return RESULT_TAPE_FULL;
    let here = pastSpace(at);
    if (here >= end) { at = here; return last ? truncated() : RESULT_NEED_BYTES; }
    const byte: i32 = load<u8>(here);
    let result = 0;
    if (phase == PHASE_VALUE) result = readValue(here, byte);
    else if (phase == PHASE_FIRST_ELEMENT) {
      if (byte == 0x5d) { at = here + 1; close(); }
      else { phase = PHASE_VALUE; result = readValue(here, byte); }
    } else {
      const frame = FRAMES + (depth - 1) * FRAME_SIZE;
      const opening: i32 = load<i32>(frame, FRAME_OPENING);
      if (byte == opening + 2) { at = here + 1; close(); continue; }
      if (phase == PHASE_AFTER_VALUE) {
        if (byte != 0x2c) { at = here; return opening == OBJECT ? RESULT_COMMA_IN_OBJECT : RESULT_COMMA_IN_LIST; }
        if (opening == LIST) {
          at = here + 1;
          phase = PHASE_VALUE;
          index++;
          state = skipDepth != 0 ? 0 : elementsOf(load<i32>(frame));
          continue;
        }
        at = here; // reading resumes at the comma if the window ends within the key
        here = pastSpace(here + 1);
      }
      result = readKey(skipDepth != 0 ? 0 : load<i32>(frame), here);
    }
    if (result != 0) return result;
  }
  return RESULT_DONE;
}

// Results of `measure`.
export let lineFeeds: i32 = 0;
export let units: i32 = 0;

// Counts the line feeds from `from` to `to`, and the UTF-16 units after the last line feed; all units if there is none.
// The first byte of a four-byte character counts as two units, bytes that continue a character as none.
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
