// Tokenizer for JSON (RFC 8259) over UTF-8 (RFC 3629), in AssemblyScript (https://www.assemblyscript.org).
// `npm run tokenizer:compile` compiles it to tokenizer-binary.ts. It reads a window of a document and writes the values
// that a schema describes as events to a tape; everything else is validated and skipped.
// Memory: frames | tables | tape | window. memory-layout.ts has the same numbers.

// Frames of open containers: state of the container (i32), closing byte (i32).
const FRAMES: i32 = 4096;
const MAX_DEPTH: i32 = 131072;
const TABLES: i32 = FRAMES + MAX_DEPTH * 8;
const TABLES_SIZE: i32 = 65536;
const TAPE: i32 = TABLES + TABLES_SIZE;
const TAPE_END: i32 = TAPE + 12 * 16384;

const OBJECT: i32 = 0x7b;
const LIST: i32 = 0x5b;
const QUOTE: i32 = 0x22;

// Phases: what the next token has to be.
const VALUE: i32 = 0;
const AFTER_VALUE: i32 = 1;
const FIRST_KEY: i32 = 2;
const KEY: i32 = 3;
const FIRST_ELEMENT: i32 = 4;

// Results of `run`. From 16 on: errors at `at`.
const DONE: i32 = 0;
const NEED_BYTES: i32 = 1;
const TAPE_FULL: i32 = 2;
const ESCAPED_KEY: i32 = 3;
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

// Events: kind | member << 4 | state << 12.
const STRING: i32 = 0;
const ESCAPED_STRING: i32 = 1;
const SCALAR: i32 = 2;
const OPEN: i32 = 3;
const CLOSE: i32 = 4;
const SKIPPED: i32 = 5;

// State of the run. `at` and `end` are addresses in memory.
export let at: i32 = 0;
export let tapeEnd: i32 = TAPE;
export let keyStart: i32 = 0;
export let keyEnd: i32 = 0;
let end: i32 = 0;
let last: i32 = 0;
let phase: i32 = 0;
let depth: i32 = 0;
let state: i32 = 0; // of the value that comes next: state << 12 | member << 4
let skipDepth: i32 = 0; // depth of the container whose end closes a skipped value
let skipStart: i32 = 0;
let escaped: bool = false;

export function begin(first: i32): void {
  phase = VALUE;
  depth = 0;
  state = first;
  skipDepth = 0;
}

// Goes on with the bytes from `from` to `to`; `moved` is how far the bytes of an unfinished value moved.
export function feed(from: i32, to: i32, isLast: i32, moved: i32): void {
  at = from;
  end = to;
  last = isLast;
  skipStart -= moved;
}

export function keyState(next: i32): void {
  state = next;
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

function emit(kind: i32, what: i32, from: i32, to: i32): void {
  store<i32>(tapeEnd, kind | what);
  store<i32>(tapeEnd, from, 4);
  store<i32>(tapeEnd, to, 8);
  tapeEnd += 12;
}

// Tables: for each state (32 bytes): i32 heads of key chains at +0 (offset, 64 x i32) or 0, i32 state of elements, i32 rest.
function keysOf(what: i32): i32 { return load<i32>(TABLES + (what >>> 12) * 16); }
function elementsOf(what: i32): i32 { return load<i32>(TABLES + (what >>> 12) * 16, 4); }
function restOf(what: i32): i32 { return load<i32>(TABLES + (what >>> 12) * 16, 8); }

// What follows a key: the state and member of its value, or that of all other keys.
function find(container: i32, from: i32, to: i32): i32 {
  const heads = keysOf(container);
  const length = to - from;
  if (length > 0) {
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
  }
  return restOf(container);
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
  if (container != 0 && keysOf(container) != 0) {
    if (escaped) {
      keyStart = from + 1;
      keyEnd = behind - 1;
      return ESCAPED_KEY;
    }
    state = find(container, from + 1, behind - 1);
  } else state = 0;
  return 0;
}

function truncated(): i32 {
  at = end;
  return E_TRUNCATED;
}

export function run(): i32 {
  tapeEnd = TAPE;
  while (true) {
    if (tapeEnd >= TAPE_END) return TAPE_FULL;
    let here = pastSpace(at);
    if (phase == VALUE || phase == FIRST_ELEMENT) {
      if (here >= end) { at = here; return last ? truncated() : NEED_BYTES; }
      const byte: i32 = load<u8>(here);
      if (phase == FIRST_ELEMENT) {
        if (byte == 0x5d) { at = here + 1; phase = AFTER_VALUE; close(); if (depth == 0) return DONE; continue; }
        phase = VALUE;
      }
      if (byte == QUOTE) {
        const behind = stringEnd(here + 1);
        if (behind < 0) { if (behind == -NEED_BYTES) at = here; return -behind; }
        if (state != 0) emit(escaped ? ESCAPED_STRING : STRING, state, here + 1, behind - 1);
        at = behind;
      } else if (byte == OBJECT || byte == LIST) {
        if (depth >= MAX_DEPTH) { at = here; return E_DEPTH; }
        const described = state != 0 && (byte == OBJECT ? keysOf(state) : elementsOf(state)) != 0;
        if (described) emit(OPEN, state, here, here);
        else if (state != 0) { skipDepth = depth + 1; skipStart = here; }
        const frame = FRAMES + depth * 8;
        store<i32>(frame, described || skipDepth == depth + 1 ? state : 0);
        store<i32>(frame, byte, 4);
        depth++;
        at = here + 1;
        const inner = described ? state : 0;
        if (byte == OBJECT) phase = FIRST_KEY;
        else { phase = FIRST_ELEMENT; state = inner == 0 ? 0 : elementsOf(inner); }
        continue;
      } else if (byte == 0x2d || isDigit(byte)) {
        const behind = numberEnd(here);
        if (behind < 0) { if (behind == -NEED_BYTES) at = here; return -behind; }
        if (state != 0) emit(SCALAR, state, here, behind);
        at = behind;
      } else if (byte == 0x74 || byte == 0x66 || byte == 0x6e) {
        const behind = literalEnd(here, byte);
        if (behind < 0) { if (behind == -NEED_BYTES) at = here; return -behind; }
        if (state != 0) emit(SCALAR, state, here, behind);
        at = behind;
      } else { at = here; return byte > 0x7f && sequenceLength(here, byte) == 0 ? E_UTF8 : E_VALUE; }
      phase = AFTER_VALUE;
      if (depth == 0) return DONE;
      continue;
    }
    if (here >= end) { at = here; return last ? truncated() : NEED_BYTES; }
    const frame = FRAMES + (depth - 1) * 8;
    const opening: i32 = load<i32>(frame, 4);
    const container: i32 = skipDepth != 0 ? 0 : load<i32>(frame);
    const byte: i32 = load<u8>(here);
    if (phase == AFTER_VALUE) {
      if (byte == opening + 2) {
        at = here + 1;
        close();
        if (depth == 0) return DONE;
        continue;
      }
      if (byte != 0x2c) { at = here; return opening == OBJECT ? E_COMMA_OBJECT : E_COMMA_LIST; }
      here = pastSpace(here + 1);
      if (opening == LIST) { at = here; phase = VALUE; state = container == 0 ? 0 : elementsOf(container); continue; }
      if (here >= end) { if (last) return truncated(); return NEED_BYTES; }
      const result = readKey(container, here);
      if (result != 0) return result;
      continue;
    }
    // The first key of an object, or its end.
    if (byte == 0x7d) {
      at = here + 1;
      phase = AFTER_VALUE;
      close();
      if (depth == 0) return DONE;
      continue;
    }
    const result = readKey(container, here);
    if (result != 0) return result;
  }
  return DONE;
}

// The innermost container ends before `at`.
function close(): void {
  depth--;
  const what = load<i32>(FRAMES + depth * 8);
  if (skipDepth == 0) { if (what != 0) emit(CLOSE, what, at, at); }
  else if (skipDepth == depth + 1) {
    skipDepth = 0;
    emit(SKIPPED, what, skipStart, at);
  }
  phase = AFTER_VALUE;
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
