/** How a document is printed where we write, read from the bytes around: what is inserted looks like its neighbours. */
import type { Span } from "../../model.ts";
import type { Scanner } from "../json/scanner.ts";
import { asciiText } from "../json/utf8.ts";

export interface Style {
  /** White space before a member or an entry: a line end with its indentation, a space, or nothing. */
  readonly separator: string;
  /** From a key's closing quote to its value: `: `. */
  readonly colon: string;
  /** One step of indentation. */
  readonly unit: string;
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The first byte at or behind `at` that is no white space. */
export function afterSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  return next;
}

/** The place behind the last byte before `at` that is no white space. */
export function beforeSpace(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place > 0 && isSpace(bytes[place - 1])) place--;
  return place;
}

const COMPACT: Style = { separator: "", colon: ":", unit: "" };
const DEFAULT_UNIT = "  ";

/** By the first member of an object: its indentation, its colon, and how much deeper it stands than the closing brace. */
export function styleOf(scanner: Scanner, object: Span): Style {
  const { bytes } = scanner;
  const first = afterSpace(bytes, object.start + 1);
  if (bytes[first] !== 0x22) return COMPACT;
  const leading = asciiText(bytes, object.start + 1, first);
  scanner.at = first;
  scanner.string();
  const keyEnd = scanner.at;
  const value = afterSpace(bytes, afterSpace(bytes, keyEnd) + 1);
  const colon = asciiText(bytes, keyEnd, value);
  const closing = asciiText(bytes, beforeSpace(bytes, object.end - 1), object.end - 1);
  // One line with spaces behind commas, as many languages print it, has none behind the brace.
  const separator = leading === "" && colon.endsWith(" ") ? " " : leading;
  return { separator, colon, unit: unitOf(separator, closing) };
}

/** Indentation is what follows the last line end. */
const indentation = (space: string): string => space.slice(space.lastIndexOf("\n") + 1);

function unitOf(separator: string, closing: string): string {
  if (!separator.includes("\n")) return "";
  const deep = indentation(separator);
  const shallow = closing.includes("\n") ? indentation(closing) : undefined;
  if (shallow === undefined || !deep.startsWith(shallow) || deep === shallow) return DEFAULT_UNIT;
  return deep.slice(shallow.length);
}

/** The style one level further in. On one line there are no levels. */
export const deeper = (style: Style): Style =>
  style.separator.includes("\n") ? { ...style, separator: style.separator + style.unit } : style;

/** White space behind an opening bracket: a line of its own, or nothing. */
export const opening = (style: Style): string => (style.separator.includes("\n") ? style.separator : "");
