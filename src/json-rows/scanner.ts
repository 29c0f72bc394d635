/**
 * Reads JSON (RFC 8259) from UTF-8 bytes token by token, for callers that need the position of each value. Strings are
 * decoded on request, and nesting does not use the call stack, so a document may be of any size and depth.
 */
import { hex, shown, type JsonErrors } from "./errors.ts";
import { asciiText, type KeyTable, sequenceLength, utf8Text } from "./bytes.ts";
import { lineAndColumn } from "./position.ts";

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SLASH = 0x2f;
const STAR = 0x2a;
const COLON = 0x3a;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
/** The end of the input. */
export const END = -1;

/** Bytes that end a run of plain characters in a string: the quote, a backslash, controls, all above ASCII. */
const STOPS = new Uint8Array(256).map((_, byte) =>
  byte === QUOTE || byte === BACKSLASH || byte < 0x20 || byte > 0x7f ? 1 : 0,
);
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
/** `"\/bfnrt`: what may follow a backslash, besides `u` and its four digits. */
const ESCAPES = new Uint8Array(256);
for (const byte of [QUOTE, BACKSLASH, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]) ESCAPES[byte] = 1;
const LITERALS: ReadonlyMap<number, Uint8Array> = new Map(
  ["true", "false", "null"].map((text) => [text.charCodeAt(0), new TextEncoder().encode(text)]),
);

/** The end of the run of plain characters at `from`. It checks four bytes at once, because most bytes are in strings. */
function plainEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  let at = from;
  while (at + 3 < end && (stop(bytes, at) | stop(bytes, at + 1) | stop(bytes, at + 2) | stop(bytes, at + 3)) === 0) {
    at += 4;
  }
  while (at < end && stop(bytes, at) === 0) at++;
  return at;
}

const stop = (bytes: Uint8Array, at: number): number => STOPS[bytes[at] ?? 0] ?? 1;

const NO_BRACKETS = new Uint8Array(0);

export interface ScannerOptions {
  /** Where reading begins. */
  readonly at: number;
  /** Allow comments, and commas after the last value of a container. */
  readonly comments: boolean;
}

export class Scanner {
  readonly bytes: Uint8Array;
  /** The next byte to read. */
  at: number;
  /** Content of the last string read, without its quotes. */
  textStart = 0;
  textEnd = 0;
  private readonly errors: JsonErrors;
  private readonly comments: boolean;
  private plain = true;
  private escaped = false;
  /** Closing brackets of the containers around `at` in `skip`. Allocated on demand: many scanners read one string only. */
  private open: Uint8Array = NO_BRACKETS;

  constructor(bytes: Uint8Array, errors: JsonErrors, { at, comments }: ScannerOptions) {
    this.bytes = bytes;
    this.errors = errors;
    this.at = at;
    this.comments = comments;
  }

  /** Moves `at` to the next byte that is not white space, and returns that byte or END. */
  peek(): number {
    const { bytes } = this;
    for (let at = this.at; at < bytes.length; at++) {
      const byte = bytes[at] ?? END;
      // One comparison for most bytes saves 16 ms for 70 MB: this runs between any two tokens.
      if (byte > 0x20 || !isSpace(byte)) {
        this.at = at;
        return byte === SLASH && this.comments && this.skipComment() ? this.peek() : byte;
      }
    }
    this.at = bytes.length;
    return END;
  }

  /** Skips the comment at `at`, and moves `at` after it; false if there is none. */
  private skipComment(): boolean {
    const { bytes, at } = this;
    const isLine = bytes[at + 1] === SLASH;
    if (!isLine && bytes[at + 1] !== STAR) return false;
    let end = at + 2;
    while (end < bytes.length && (isLine ? bytes[end] !== 0x0a : bytes[end] !== STAR || bytes[end + 1] !== SLASH))
      end++;
    if (!isLine && end >= bytes.length) throw this.cutOff("the end of a comment");
    this.at = Math.min(bytes.length, isLine ? end : end + 2);
    return true;
  }

  /** Consumes the next byte if it is `byte`, and returns whether it was. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at++;
    return true;
  }

  /** Reads `"key" :`. The key is from `textStart` to `textEnd`. */
  key(): void {
    if (this.peek() !== QUOTE) throw this.wrong("a key in double quotes");
    this.string();
    if (!this.take(COLON)) throw this.wrong("a colon after the key");
  }

  /** After a value in a container that `close` ends: true if another value follows, false if the container ended. */
  more(close: number): boolean {
    const byte = this.peek();
    if (byte === close) {
      this.at++;
      return false;
    }
    if (byte !== COMMA) throw this.wrong(close === CLOSE_OBJECT ? 'a comma or "}"' : 'a comma or "]"');
    this.at++;
    return !this.comments || !this.take(close);
  }

  /** Reads and checks the string at `at`; `text()` decodes it. */
  string(): void {
    const { bytes } = this;
    const end = bytes.length;
    let at = this.at + 1;
    this.textStart = at;
    this.plain = true;
    this.escaped = false;
    for (;;) {
      at = plainEnd(bytes, at);
      if (at >= end) throw this.cutOff("a string");
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) break;
      at = byte === BACKSLASH ? this.escape(at) : this.sequence(at, byte);
    }
    this.textEnd = at;
    this.at = at + 1;
  }

  /** The end of the multi-byte sequence at `at`, whose first byte is `byte`. */
  private sequence(at: number, byte: number): number {
    if (byte < 0x80) throw this.bad(at, `has an unescaped control character (${hex(byte)}) in a string`);
    this.plain = false;
    const length = sequenceLength(this.bytes, at);
    if (length === 0) throw this.notUtf8(at);
    return at + length;
  }

  /** Decodes the last string that was read. */
  text(): string {
    const { bytes, textStart: start, textEnd: end } = this;
    if (end - start > MAX_TEXT) throw this.errors.textTooLong({ end: end - start }, this.where(start));
    if (this.escaped) return String(JSON.parse(`"${utf8Text(bytes, start, end)}"`));
    return this.plain ? asciiText(bytes, start, end) : utf8Text(bytes, start, end);
  }

  /** Looks up the last string that was read. */
  find<V>(table: KeyTable<V>): V | undefined {
    return this.escaped ? table.get(this.text()) : table.find(this.bytes, this.textStart, this.textEnd);
  }

  /** Skips one value, and checks all of it. */
  skip(): void {
    let depth = 0;
    for (;;) {
      const byte = this.peek();
      if (byte !== OPEN_OBJECT && byte !== OPEN_LIST) this.scalar(byte);
      else if (this.enter(byte + 2, depth)) {
        depth++;
        continue;
      }
      while (depth > 0 && !this.more(this.open[depth - 1] ?? 0)) depth--;
      if (depth === 0) return;
      if (this.open[depth - 1] === CLOSE_OBJECT) this.key();
    }
  }

  /** Reads an opening bracket and the key of the first member. False if the container is empty; it is then skipped. */
  private enter(close: number, depth: number): boolean {
    this.at++;
    if (this.take(close)) return false;
    if (depth === this.open.length) this.open = grow(this.open);
    this.open[depth] = close;
    if (close === CLOSE_OBJECT) this.key();
    return true;
  }

  /** Reads a string, number, `true`, `false` or `null`; `byte` is its first byte. */
  scalar(byte: number): void {
    if (byte === QUOTE) this.string();
    else if (byte === 0x2d || isDigit(byte)) this.number();
    else this.literal(byte);
  }

  private number(): void {
    if (this.next() === 0x2d) this.at++;
    if (this.next() === 0x30) this.at++;
    else this.digits();
    if (this.next() === 0x2e) {
      this.at++;
      this.digits();
    }
    if ((this.next() | 0x20) === 0x65) {
      this.at++;
      if (this.next() === 0x2b || this.next() === 0x2d) this.at++;
      this.digits();
    }
  }

  private digits(): void {
    if (!isDigit(this.next())) throw this.wrong("a digit");
    while (isDigit(this.next())) this.at++;
  }

  private next(): number {
    return this.at < this.bytes.length ? (this.bytes[this.at] ?? END) : END;
  }

  private literal(byte: number): void {
    const literal = LITERALS.get(byte);
    if (literal === undefined) throw this.wrong("a value");
    for (const letter of literal) {
      if (this.next() !== letter) throw this.wrong("a value");
      this.at++;
    }
  }

  private escape(at: number): number {
    const { bytes } = this;
    this.escaped = true;
    const byte = at + 1 < bytes.length ? (bytes[at + 1] ?? 0) : END;
    if (byte === END) throw this.cutOff("a string");
    if (ESCAPES[byte] === 1) return at + 2;
    if (byte !== 0x75) throw this.bad(at, "has an unknown escape in a string");
    for (let digit = at + 2; digit < at + 6; digit++) {
      if (digit >= bytes.length) throw this.cutOff("a string");
      if (!isHex(bytes[digit] ?? 0)) throw this.bad(at, "has a \\u escape without four hexadecimal digits");
    }
    return at + 6;
  }

  /** Checks that only white space follows. */
  finish(): void {
    const byte = this.peek();
    if (byte === END) return;
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      throw this.bad(this.at, "holds more than one JSON document", "Hand over one document per file");
    }
    throw this.bad(this.at, "goes on after its end");
  }

  private wrong(expected: string): Error {
    const byte = this.peek();
    if (byte === END) return this.cutOff(expected);
    if (byte > 0x7f && sequenceLength(this.bytes, this.at) === 0) return this.notUtf8(this.at);
    return this.bad(this.at, `expects ${expected} but has ${shown(byte)}`);
  }

  private cutOff(inside: string): Error {
    return this.errors.truncated({ what: `it ends where ${inside} was expected` }, this.where(this.bytes.length));
  }

  private notUtf8(at: number): Error {
    return this.errors.invalidUtf8({ byte: hex(this.bytes[at] ?? 0), offset: at }, this.where(at));
  }

  private bad(at: number, what: string, hint?: string): Error {
    return this.errors.notJson({ problem: what, advice: hint }, this.where(at));
  }

  private where(at: number): string {
    return lineAndColumn(this.bytes, at);
  }
}

/** The longest text that becomes a string. Strings of JavaScript end at 512 MiB. */
const MAX_TEXT = 256 * 1024 * 1024;

function grow(stack: Uint8Array): Uint8Array {
  const larger = new Uint8Array(Math.max(64, stack.length * 2));
  larger.set(stack);
  return larger;
}
