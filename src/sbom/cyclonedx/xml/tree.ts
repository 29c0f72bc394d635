/**
 * An XML document as a tree of elements, each with its place in the bytes. What the parser takes for granted is checked
 * before (`outline.ts`); it knows no entities but the five of the language, opens no file and asks no network.
 */
import { parseXml, type XmlElement, XmlError } from "@rgrove/parse-xml";
import type { MemorySource } from "../../../json-rows/source.ts";
import { EolgateError } from "../../../messages/error.ts";
import type { Span } from "../../../model/index.ts";
import { lineAndColumn } from "../../../json-rows/position.ts";
import { Offsets, requireUtf8 } from "../../utf8-text.ts";
import { notXml, outline, type Outline } from "./outline.ts";

export interface XmlTree {
  readonly source: MemorySource;
  readonly root: XmlElement;
  /** The position of an element in the bytes. */
  spanOf(element: XmlElement): Span;
}

/** @throws EolgateError of kind `input` (`not-xml`, `truncated`, `invalid-encoding`) or `too-large` */
export function xmlTree(source: MemorySource, start: number): XmlTree {
  const { bytes } = source;
  const from = pastSpace(bytes, start);
  const known = outline(bytes, from);
  requireEncoding(bytes, from);
  requireUtf8(bytes, from);
  // A carriage return is white space wherever it may stand, and the parser takes quadratic time to take many of them out.
  const text = new TextDecoder().decode(bytes.subarray(from)).replaceAll("\r", " ");
  const offsets = new Offsets(bytes, from, text);
  const root = parsed(text, bytes, from, known);
  return {
    source,
    root,
    spanOf: ({ start, end }) => ({ start: offsets.byteOf(start), end: offsets.byteOf(end) }),
  };
}

/** White space before the declaration is not allowed, and does no harm. */
function pastSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at++;
  return at;
}

function parsed(text: string, bytes: Uint8Array, from: number, known: Outline): XmlElement {
  try {
    const { root } = parseXml(text, { includeOffsets: true });
    if (root !== null) return root;
  } catch (error) {
    if (error instanceof XmlError) throw toEolgateError(error, bytes, from, known);
    throw error;
  }
  throw notXml("it has no element", lineAndColumn(bytes, bytes.length));
}

/** The parser's message ends with the line, the column and an excerpt of its own. */
function toEolgateError(
  error: XmlError,
  bytes: Uint8Array,
  from: number,
  { cutOff, wholeUntil }: Outline,
): EolgateError {
  const at = byteOfCharacter(bytes, from, error.pos);
  if (cutOff && at >= wholeUntil) {
    return EolgateError.of(
      "truncated",
      { what: "it ends inside an element" },
      { where: lineAndColumn(bytes, bytes.length) },
    );
  }
  const [what = ""] = error.message.split(" (line ");
  return notXml(`${what.slice(0, 1).toLowerCase()}${what.slice(1)}`, lineAndColumn(bytes, at), error);
}

/** The parser counts errors in characters, a pair of UTF-16 units being one. */
function byteOfCharacter(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < bytes.length; left--) {
    at++;
    while ((bytes[at] ?? 0) >> 6 === 2) at++;
  }
  return at;
}

const ENCODING = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/;
/** A document that was decoded from UTF-16 still declares it. */
const READABLE = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|ascii)$/i;
/** In these, bytes below 0x80 are ASCII. Others (UTF-7, EBCDIC, ISO 2022) hide characters in such bytes. */
const EXTENDS_ASCII =
  /^(?:iso-?8859-\d+|latin-?\d+|windows-125\d|cp125\d|koi8-[ru]|gb2312|gbk|gb18030|euc-(?:jp|kr))$/i;

function requireEncoding(bytes: Uint8Array, from: number): void {
  const declaration = String.fromCharCode(...bytes.subarray(from, from + 200));
  const encoding = ENCODING.exec(declaration)?.[1] ?? "utf-8";
  if (READABLE.test(encoding)) return;
  if (EXTENDS_ASCII.test(encoding) && bytes.subarray(from).every((byte) => byte < 0x80)) return;
  throw EolgateError.of("invalid-encoding", {
    problem: `the XML encoding ${encoding} is not supported`,
    advice: "Convert the document and its XML declaration to UTF-8.",
  });
}
