/**
 * An XML document as a tree of elements, each with its place in the bytes. What the parser takes for granted is checked
 * before (`outline`); it knows no entities but the five of the language, opens no file and asks no network.
 */
import { EolgateError } from "../../../messages/error.ts";
import { lineAndColumn } from "../../../json-rows/position.ts";
import { type XmlElement, XmlError, parseXml } from "@rgrove/parse-xml";
import type { MemorySource } from "../../../json-rows/source.ts";
import type { Span } from "../../../model/index.ts";
import { Offsets, requireUtf8 } from "../../json-bytes.ts";

/** Real documents nest a component in a component in its metadata: some thirty levels are far above all of them. */
const MAX_DEPTH = 500;
/** A tree takes about 500 bytes a tag (measured): these are 1 GB, and some 70,000 components. */
const MAX_TAGS = 2_000_000;
const MAX_BYTES = 128 * 1024 * 1024;

export interface Outline {
  /** Behind the last markup that is whole. An error from here on is one of a document that was cut off. */
  readonly wholeUntil: number;
  /** Whether the document ends inside an element, a tag, a comment or a section. */
  readonly cutOff: boolean;
}

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const code = (text: string): Uint8Array => new TextEncoder().encode(text);
const COMMENT = { open: code("<!--"), close: code("-->") };
const SECTION = { open: code("<![CDATA["), close: code("]]>") };
const INSTRUCTION = { open: code("<?"), close: code("?>") };
const SKIPPED = [COMMENT, SECTION, INSTRUCTION];
const DOCUMENT_TYPE = code("<!DOCTYPE");

/** @throws EolgateError of kind `too-large` or `input` (`not-xml` for a control character) */
export function outline(bytes: Uint8Array, start: number): Outline {
  if (bytes.length > MAX_BYTES) throw tooLarge(`is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  requireNoControls(bytes, start);
  const levels: Levels = { depth: 0, tags: 0 };
  let wholeUntil = start;
  for (let at = bytes.indexOf(LESS, start); at >= 0; at = bytes.indexOf(LESS, wholeUntil)) {
    if (startsWith(bytes, at, DOCUMENT_TYPE)) throw documentType(bytes, at);
    const end = skippedMarkup(bytes, at) ?? tagEnd(bytes, at);
    if (end < 0) return { wholeUntil: at, cutOff: true };
    wholeUntil = end;
    countTag(levels, bytes, at, end);
  }
  return { wholeUntil, cutOff: levels.depth > 0 };
}

interface Levels {
  depth: number;
  tags: number;
}

/** Counts the markup from `at` to `end` unless it is a comment, a section or an instruction. */
function countTag(levels: Levels, bytes: Uint8Array, at: number, end: number): void {
  const next = bytes[at + 1];
  if (next === 0x21 || next === 0x3f) return;
  levels.tags++;
  if (next === SLASH) levels.depth--;
  else if (bytes[end - 2] !== SLASH) levels.depth++;
  if (levels.tags > MAX_TAGS) throw tooLarge(`has more than ${MAX_TAGS} tags`);
  if (levels.depth > MAX_DEPTH) throw tooDeep(bytes, at);
}

/** Where a comment, a section or an instruction ends; -1 where it does not; undefined for a tag. */
function skippedMarkup(bytes: Uint8Array, at: number): number | undefined {
  const kind = SKIPPED.find(({ open }) => startsWith(bytes, at, open));
  if (kind === undefined) return undefined;
  const last = kind.close.at(-1) ?? GREATER;
  const from = at + kind.open.length + kind.close.length - 1;
  for (let end = bytes.indexOf(last, from); end >= 0; end = bytes.indexOf(last, end + 1)) {
    if (startsWith(bytes, end + 1 - kind.close.length, kind.close)) return end + 1;
  }
  return -1;
}

/** Behind the tag that begins at `at`: a `>` in a quoted attribute does not end it. */
function tagEnd(bytes: Uint8Array, at: number): number {
  let quote = 0;
  for (let end = at + 1; end < bytes.length; end++) {
    const byte = bytes[end];
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === 0x22 || byte === 0x27) quote = byte;
    else if (byte === GREATER) return end + 1;
  }
  return -1;
}

function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

/** XML 1.0 section 2.2 knows three characters below the space. */
function requireNoControls(bytes: Uint8Array, start: number): void {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0x20;
    if (byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    throw notXml(
      `it has a control character (0x${byte.toString(16).toUpperCase().padStart(2, "0")})`,
      lineAndColumn(bytes, at),
    );
  }
}

export const notXml = (what: string, where: string, cause?: unknown): EolgateError =>
  EolgateError.of("not-xml", { problem: `the document is not well-formed XML: ${what}` }, { where, cause });

const documentType = (bytes: Uint8Array, at: number): EolgateError =>
  EolgateError.of("not-xml", {
    problem: "the XML document has a DOCTYPE, which is refused because it can define entities",
    advice: "Remove the DOCTYPE declaration.",
  }).at(lineAndColumn(bytes, at));

const tooLarge = (what: string): EolgateError =>
  EolgateError.of("too-large", {
    problem: `the XML document ${what}`,
    advice: "Convert the document to CycloneDX JSON, which has no size limit.",
  });

const tooDeep = (bytes: Uint8Array, at: number): EolgateError =>
  EolgateError.of("too-deep", {
    problem: `the XML document nests deeper than ${MAX_DEPTH} levels`,
    advice: "Convert the document to CycloneDX JSON, which may be nested 32,768 components deep.",
  }).at(lineAndColumn(bytes, at));

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
    return EolgateError.of("truncated", { what: "it ends inside an element" }).at(lineAndColumn(bytes, bytes.length));
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
