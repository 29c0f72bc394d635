/** Texts as bytes: decode, look up and hash them without creating strings. */
import { NO_MATCH, PATTERN } from "./memory-layout.ts";

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte <= 0xbf;

/** Length of the multi-byte sequence at `at` (RFC 3629); 0 if it is overlong, a surrogate or truncated. */
export function sequenceLength(bytes: Uint8Array, at: number): 0 | 2 | 3 | 4 {
  const first = bytes[at] ?? 0;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return isContinuation(bytes[at + 1]) ? 2 : 0;
  if (!isValidSecond(first, bytes[at + 1]) || !isContinuation(bytes[at + 2])) return 0;
  if (first < 0xf0) return 3;
  return isContinuation(bytes[at + 3]) ? 4 : 0;
}

const CONTINUATION = [0x80, 0xbf] as const;
/** First bytes that restrict the second one: no overlong forms, no surrogates, nothing above U+10FFFF. */
const RESTRICTED: ReadonlyMap<number, readonly [lowest: number, highest: number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

function isValidSecond(first: number, second: number | undefined): boolean {
  const [lowest, highest] = RESTRICTED.get(first) ?? CONTINUATION;
  return second !== undefined && second >= lowest && second <= highest;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** For longer texts, the decoder of the platform is faster than character codes (measured). */
const MAX_CODES = 64;
const codesByLength: number[][] = Array.from({ length: MAX_CODES + 1 }, (_, length) => Array.from({ length }, () => 0));

/** Decodes bytes that are all below 0x80. Most strings of a document are short, and need no view and no decoder. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  const codes = codesByLength[length];
  if (codes === undefined) return decoder.decode(bytes.subarray(start, end));
  for (let i = 0; i < length; i++) codes[i] = bytes[start + i] ?? 0;
  return String.fromCharCode.apply(null, codes);
}

/** Decodes bytes that are known to be UTF-8. */
export const utf8Text = (bytes: Uint8Array, start: number, end: number): string =>
  decoder.decode(bytes.subarray(start, end));

interface KeyBytes<V> {
  readonly bytes: Uint8Array;
  readonly value: V;
}

/** Finds a value by the bytes of its key, without creating a string. */
export class KeyTable<V> {
  private readonly byLength: (readonly KeyBytes<V>[] | undefined)[] = [];
  private readonly byText: ReadonlyMap<string, V>;

  constructor(values: Readonly<Record<string, V>>) {
    this.byText = new Map(Object.entries(values));
    for (const [key, value] of this.byText) {
      const bytes = encoder.encode(key);
      this.byLength[bytes.length] = [...(this.byLength[bytes.length] ?? []), { bytes, value }];
    }
  }

  get(key: string): V | undefined {
    return this.byText.get(key);
  }

  /** The value of the key from `start` to `end`, which has no escapes. */
  find(bytes: Uint8Array, start: number, end: number): V | undefined {
    const length = end - start;
    const entries = length < this.byLength.length ? this.byLength[length] : undefined;
    if (entries === undefined) return undefined;
    for (const entry of entries) {
      let at = 0;
      while (at < length && entry.bytes[at] === bytes[start + at]) at++;
      if (at === length) return entry.value;
    }
    return undefined;
  }
}

/** Hashes a text by its UTF-8 bytes. Never 0, which means no text. The tokenizer computes the same (tokenizer.as). */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  let at = start;
  for (; at + 4 <= end; at += 4) hash = mixed(hash ^ wordAt(bytes, at, 4));
  return mixed(hash ^ wordAt(bytes, at, end - at)) | 0x40000000;
}

export function hashOfText(text: string): number {
  const bytes = encoder.encode(text);
  return hashOf(bytes, 0, bytes.length);
}

/** Up to four bytes as a number, the lowest first. */
function wordAt(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let index = 0; index < count; index++) word |= (bytes[at + index] ?? 0) << (index * 8);
  return word;
}

/** The low bits choose a slot of a table, so differences in the high bits must change them. */
function mixed(hash: number): number {
  const product = Math.imul(hash, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/** A state has a step for each ASCII character: the next state, and in the lowest eight bits the byte that is hashed. */
const STEPS = 128;
const MAX_PATTERN_STATES = 256;
const QUOTE = 0x22;

/**
 * A pattern of strings: a table of states that reads a JSON string byte by byte up to its closing quote, and hashes the
 * bytes that its steps give. Two spellings that give the same bytes have the same hash.
 */
export interface BytePattern {
  readonly steps: Uint16Array;
}

/**
 * Hashes the string whose content begins at `at` along a pattern. Never 0. A string without its closing quote does not
 * match. The tokenizer computes the same (tokenizer.as).
 */
export function hashAlong({ steps }: BytePattern, bytes: Uint8Array, at: number): number {
  let hash = 0;
  let state: number = PATTERN.start;
  for (let index = at; state > PATTERN.accepted; index++) {
    const byte = bytes[index] ?? STEPS;
    const step = byte < STEPS ? (steps[(state >> 1) + byte] ?? PATTERN.refused) : PATTERN.refused;
    state = step & 0xff00;
    const given = step & 0xff;
    if (given !== 0) hash = withGiven(hash, given);
  }
  return state === PATTERN.refused ? NO_MATCH : finished(hash);
}

/**
 * Hashes the JSON string whose content begins at `at` and has no escapes. `hashAlong` gives the same for each string whose
 * steps give these bytes.
 */
export function hashGiven(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let index = at, byte = bytes[index]; byte !== undefined && byte !== QUOTE; byte = bytes[++index])
    hash = withGiven(hash, byte);
  return finished(hash);
}

/** The same of a text without quotes. */
export const hashGivenText = (text: string): number => hashGiven(encoder.encode(text), 0);

const withGiven = (hash: number, given: number): number => Math.imul(hash ^ given, 0x01000193);
/** V8 stores a number of 30 bits without allocating. */
const finished = (hash: number): number => ((hash ^ (hash >>> 15)) & 0x1fffffff) | 0x20000000;

/** Makes a pattern from its states and steps. `PATTERN.start` is the first state. */
export class PatternBuilder {
  private readonly steps = new Uint16Array(MAX_PATTERN_STATES * STEPS);
  private states = PATTERN.start >> 8;

  state(): number {
    const state = ++this.states;
    if (state >= MAX_PATTERN_STATES) throw new RangeError("the pattern has too many states");
    return state << 8;
  }

  /** At `byte`, `from` continues with `to` and gives `given` to the hash; 0 gives nothing. */
  step(from: number, byte: number, to: number, given = 0): void {
    if (byte === QUOTE) throw new RangeError("a quote ends the string");
    this.steps[(from >> 1) + byte] = to | given;
  }

  /** A string may end in this state. */
  accept(state: number): void {
    this.steps[(state >> 1) + QUOTE] = PATTERN.accepted;
  }

  result(): BytePattern {
    return { steps: this.steps.slice(0, (this.states + 1) * STEPS) };
  }
}
