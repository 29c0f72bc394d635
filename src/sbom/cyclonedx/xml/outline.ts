/**
 * Checks the bytes of an XML document before a parser builds a tree of it. The parser calls itself for each level and keeps
 * every node, so depth and number of tags are limited here. A document type is refused: no SBOM has one, and it could
 * define entities that name other entities or files.
 */
import { EolgateError } from "../../../messages/error.ts";
import { lineAndColumn } from "../../../json-rows/position.ts";

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
  EolgateError.of(
    "not-xml",
    {
      problem: "the XML document has a DOCTYPE, which is refused because it can define entities",
      advice: "Remove the DOCTYPE declaration.",
    },
    { where: lineAndColumn(bytes, at) },
  );

const tooLarge = (what: string): EolgateError =>
  EolgateError.of("too-large", {
    problem: `the XML document ${what}`,
    advice: "Convert the document to CycloneDX JSON, which has no size limit.",
  });

const tooDeep = (bytes: Uint8Array, at: number): EolgateError =>
  EolgateError.of(
    "too-deep",
    {
      problem: `the XML document nests deeper than ${MAX_DEPTH} levels`,
      advice: "Convert the document to CycloneDX JSON, which may be nested 32,768 components deep.",
    },
    { where: lineAndColumn(bytes, at) },
  );
