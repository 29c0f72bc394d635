/**
 * The grammar of SPDX tag-value (SPDX 2.3, annex "Tag:value"): one `Tag: value` a line, `#` begins a comment line, and a
 * value in `<text>…</text>` may go over several lines. Values are places in the bytes: most are never read.
 */
import { EolgateError } from "../../messages/error.ts";
import { asciiText, utf8Text } from "../../json-rows/bytes.ts";
import { lineAndColumn } from "../../json-rows/position.ts";

export interface TagLine {
  readonly tag: string;
  /** First byte of the tag. */
  readonly start: number;
  /** Behind the value, and its `</text>`. */
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

const LF = 0x0a;
const COLON = 0x3a;
const HASH = 0x23;
const TAG = /^[A-Za-z][A-Za-z0-9]*$/;
/** The longest tag of the specification has 32 letters. */
const LONGEST_TAG = 64;
const OPEN = new TextEncoder().encode("<text>");
const CLOSE = new TextEncoder().encode("</text>");

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;

/** @throws EolgateError of kind `input`: `not-tag-value`, `truncated` */
export function* tagLines(bytes: Uint8Array, from: number): Generator<TagLine, void, undefined> {
  let at = from;
  while (at < bytes.length) {
    const begin = pastBlanks(bytes, at);
    const lineEnd = endOfLine(bytes, begin);
    if (begin < lineEnd && bytes[begin] !== HASH) {
      const line = tagLine(bytes, begin, lineEnd);
      yield line;
      at = endOfLine(bytes, line.end) + 1;
    } else at = lineEnd + 1;
  }
}

export const valueOf = (bytes: Uint8Array, { valueStart, valueEnd }: TagLine): string =>
  utf8Text(bytes, valueStart, valueEnd);

function tagLine(bytes: Uint8Array, start: number, lineEnd: number): TagLine {
  const colon = bytes.indexOf(COLON, start);
  const tagEnd = colon < 0 || colon > lineEnd ? start : beforeBlanks(bytes, start, colon);
  const tag = tagEnd - start > LONGEST_TAG ? "" : asciiText(bytes, start, tagEnd);
  if (!TAG.test(tag)) {
    throw notTagValue(bytes, start, "the line is neither a comment nor a tag with a colon and its value");
  }
  const valueStart = Math.min(pastBlanks(bytes, colon + 1), lineEnd);
  if (!has(bytes, valueStart, OPEN)) {
    const valueEnd = beforeBlanks(bytes, valueStart, lineEnd);
    return { tag, start, end: valueEnd, valueStart, valueEnd };
  }
  const textStart = valueStart + OPEN.length;
  const textEnd = closing(bytes, textStart);
  const end = textEnd + CLOSE.length;
  if (pastBlanks(bytes, end) < endOfLine(bytes, end)) {
    throw notTagValue(bytes, pastBlanks(bytes, end), "the line goes on behind </text>");
  }
  return { tag, start, end, valueStart: textStart, valueEnd: textEnd };
}

function closing(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x3c, from); at >= 0; at = bytes.indexOf(0x3c, at + 1)) {
    if (has(bytes, at, CLOSE)) return at;
  }
  throw EolgateError.of("truncated", { what: "it ends inside a <text> value" }).at(
    lineAndColumn(bytes, from - OPEN.length),
  );
}

function endOfLine(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(LF, from);
  return at < 0 ? bytes.length : at;
}

function pastBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isBlank(bytes[at])) at++;
  return at;
}

function beforeBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(bytes[at - 1])) at--;
  return at;
}

function has(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

export const notTagValue = (bytes: Uint8Array, at: number, what: string): EolgateError =>
  EolgateError.of("not-tag-value", { what }).at(lineAndColumn(bytes, at));
