/**
 * Detects the format of a document, and opens what it may be wrapped in: UTF-16, a DSSE envelope (also in a Sigstore
 * bundle), an in-toto statement, or an export of the form {"sbom": …}. The format follows from the first bytes, and then
 * from the first top-level key that decides; the reader of that format checks the rest, so that the document is read once.
 */
import { pageAddress } from "../messages/pages.ts";
import { decodeBase64, decodeUtf16, utf16Order, type Utf16Order } from "../text/encodings.ts";
import { allBytes, MemorySource, readFully, type ByteSource } from "../json-rows/source.ts";
import type { Schema } from "../json-rows/schema.ts";
import { lineAndColumn } from "../json-rows/position.ts";
import { utf8Text } from "../json-rows/bytes.ts";
import { EolgateError } from "../messages/error.ts";
import type { Wrapper } from "../model/index.ts";
import { readJson } from "./json-bytes.ts";
import { notSbom, requireNothingAfter, unsupportedFormat } from "./refusals.ts";
import { isKeyOf } from "../text/values.ts";

export type JsonFormat = "cyclonedx" | "spdx2" | "spdx3";
/** Envelopes, by the member that contains the document. */
export type EnvelopeKind = "dsse" | "sigstore" | "in-toto" | "predicate-data" | "export";

export const FORMAT_KEYS = {
  bomFormat: "cyclonedx",
  components: "cyclonedx",
  spdxVersion: "spdx2",
  SPDXID: "spdx2",
  packages: "spdx2",
  "@context": "spdx3",
  "@graph": "spdx3",
  payload: "dsse",
  payloadType: "dsse",
  dsseEnvelope: "sigstore",
  predicate: "in-toto",
  predicateType: "in-toto",
  Data: "predicate-data",
  sbom: "export",
} as const satisfies Readonly<Record<string, JsonFormat | EnvelopeKind>>;

type Members<C> = Readonly<Record<string, Schema<C>>>;

/** The members of an object: those of its own format, and a refusal for the keys of all others. */
export const documentMembers =
  <C>(format: JsonFormat | EnvelopeKind, own: () => Members<C>): (() => Members<C>) =>
  () => {
    const others = Object.entries(FORMAT_KEYS).filter(([, other]) => other !== format);
    return { ...Object.fromEntries(others.map(([key]) => [key, otherFormat<C>(key)])), ...own() };
  };

const otherFormat = <C>(key: string): Schema<C> => ({
  sameAs: "a key of another format",
  begin: (_, value) => value.refuse(value.start, (where) => twoFormats(key, where)),
});

const twoFormats = (key: string, where: string): EolgateError =>
  EolgateError.of("two-formats", { what: `the key "${key}"` }).at(where);

/** Not JSON: the readers of these are loaded when a document needs one. */
export type TextFormat = "cyclonedx-xml" | "spdx2-tag-value";
export type DocumentFormat = JsonFormat | TextFormat;

interface Detection {
  format: JsonFormat | EnvelopeKind | undefined;
}

const topLevel: Schema<Detection> = {
  members: () =>
    Object.fromEntries(
      Object.entries(FORMAT_KEYS).map(([key, format]): [string, Schema<Detection>] => [
        key,
        {
          begin: (into, value) => {
            into.format = format;
            value.stop();
          },
        },
      ]),
    ),
};

/** A licence or a greeting in comments may come before the line that tells the format. */
const PREFIX = 65_536;
const OPEN_OBJECT = 0x7b;
const LESS_THAN = 0x3c;

/** The format of what begins at `at`; `whole` tells that nothing may follow it. */
function detectFormat(source: ByteSource, at: number, whole: boolean): DocumentFormat | EnvelopeKind {
  const prefix = readPrefix(source, at);
  const first = prefix.findIndex((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
  if (first < 0 && at + prefix.length >= source.length) throw EolgateError.of("empty-document", {});
  if (first >= 0 && prefix[first] !== OPEN_OBJECT) {
    const format = textFormat(prefix.subarray(first));
    if (format !== undefined) return format;
  }
  const into: Detection = { format: undefined };
  const { end } = readJson(source, at, topLevel, into);
  if (into.format !== undefined) return into.format;
  if (whole) requireNothingAfter(source, end);
  throw notSbom({ source, at });
}

function readPrefix(source: ByteSource, at: number): Uint8Array {
  const prefix = new Uint8Array(Math.min(PREFIX, source.length - at));
  return prefix.subarray(0, readFully(source, prefix, at));
}

interface OtherFormat {
  readonly name: string;
  readonly pattern: RegExp;
}
const OTHER_FORMATS: readonly OtherFormat[] = [
  { name: "SPDX RDF/XML", pattern: /^(?:<\?[^]*?\?>|<!--[^]*?-->|\s)*<rdf:RDF\b/ },
  { name: "HTML", pattern: /^<(?:!doctype\s+html|html)/i },
  { name: "SPDX YAML", pattern: /^(?:---\s*\n)?(?:#[^\n]*\n\s*)*(?:[\w-]+:[^\n]*\n[^]*)?\bspdxVersion:/ },
  { name: "a ZIP archive", pattern: /^PK/ },
];
/** A text in words: no value of JSON begins like it. */
const PROSE = /^(?:[#*>]|(?!(?:true|false|null)\b)[A-Za-z_])/;
/** The first line that is not a comment has a tag of the document's own section; `SPDXID` alone could be YAML. */
const TAG_VALUE =
  /^(?:#[^\n]*\n\s*)*(?:SPDXVersion|DataLicense|DocumentName|DocumentNamespace|DocumentComment|Creator|Created|PackageName)[ \t]*:/;

/** XML or tag-value; undefined for a value of JSON. A known format that is not supported is refused by its name. */
function textFormat(prefix: Uint8Array): TextFormat | undefined {
  const text = utf8Text(prefix, 0, prefix.length);
  if (TAG_VALUE.test(text)) return "spdx2-tag-value";
  const isGzip = prefix[0] === 0x1f && prefix[1] === 0x8b;
  const other = isGzip ? "compressed with gzip" : OTHER_FORMATS.find(({ pattern }) => pattern.test(text))?.name;
  if (other !== undefined) throw unsupportedFormat(other, "Pass CycloneDX or SPDX in JSON.");
  if (PROSE.test(text))
    throw unsupportedFormat(
      "plain text",
      `It is no SBOM, lockfile or file with version pins. See ${pageAddress("inputs.md")}.`,
    );
  return prefix[0] === LESS_THAN ? "cyclonedx-xml" : undefined;
}

/** A wrapping that changes the bytes: the content is `start`…`end` of `outer`, written in `encoding`. */
export interface Layer {
  readonly outer: ByteSource;
  readonly start: number;
  readonly end: number;
  readonly encoding: "base64" | "json-string" | Utf16Order;
}

/** A document that is ready for its reader. */
export interface Opened {
  readonly format: DocumentFormat;
  /** The bytes that positions count in. */
  readonly source: ByteSource;
  /** Where the document begins. */
  readonly at: number;
  /** JSON pointer of the document's object; empty unless it is inside another one. */
  readonly pointer: string;
  /** Whether only white space may follow the document. */
  readonly whole: boolean;
  readonly wrappers: readonly Wrapper[];
  /** Outermost first. */
  readonly layers: readonly Layer[];
  /** Inside a signed envelope. */
  readonly signed: boolean;
}

interface Opening {
  source: ByteSource;
  at: number;
  pointer: string;
  whole: boolean;
  signed: boolean;
  readonly wrappers: Wrapper[];
  readonly layers: Layer[];
}

/** A statement in an envelope in a bundle is three levels deep. */
const MAX_WRAPPERS = 8;

/** @throws EolgateError of kind `input` for envelopes that are empty or damaged */
export function openDocument(input: ByteSource): Opened {
  const into = begin(input);
  for (let count = 0; count < MAX_WRAPPERS; count++) {
    const format = detectFormat(into.source, into.at, into.whole);
    if (!isKeyOf(ENVELOPES, format)) return { ...into, format };
    openEnvelope(into, format);
  }
  throw EolgateError.of("not-sbom", {
    problem: `no SBOM was found in ${MAX_WRAPPERS} nested envelopes`,
    advice: "Extract the SBOM from its envelopes.",
  });
}

/** @throws EolgateError `not-json` when something follows the document */
export function requireEnd({ source, whole }: Opened, end: number): void {
  if (whole) requireNothingAfter(source, end);
}

function begin(input: ByteSource): Opening {
  const first = new Uint8Array(4);
  const order = utf16Order(first.subarray(0, readFully(input, first, 0)));
  const start: Opening = { source: input, at: 0, pointer: "", whole: true, signed: false, wrappers: [], layers: [] };
  if (order === undefined) return { ...start, at: behindByteOrderMark(first) };
  const inner = toUtf8(allBytes(input), order);
  const layer: Layer = { outer: input, start: 0, end: input.length, encoding: order };
  const source = new MemorySource(inner);
  return { ...start, source, at: behindByteOrderMark(inner), wrappers: ["utf-16"], layers: [layer] };
}

const behindByteOrderMark = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

interface DocumentEnvelope {
  /** The member that contains the document. */
  readonly member: string;
  readonly wrapper: Wrapper;
}

const ENVELOPES: Readonly<Record<EnvelopeKind, DocumentEnvelope>> = {
  dsse: { member: "payload", wrapper: "dsse" },
  sigstore: { member: "dsseEnvelope", wrapper: "dsse" },
  "in-toto": { member: "predicate", wrapper: "in-toto" },
  "predicate-data": { member: "Data", wrapper: "in-toto" },
  export: { member: "sbom", wrapper: "export" },
};

/** The content of an envelope: the position of an object, or the bytes of a string. */
interface Content {
  objectAt: number | undefined;
  text: { readonly bytes: Uint8Array; readonly start: number; readonly end: number } | undefined;
}

const envelopeSchema = (kind: EnvelopeKind): Schema<Content> => ({
  members: documentMembers<Content>(kind, () => ({
    [ENVELOPES[kind].member]: {
      begin: (into, value) => {
        if (value.isObject) into.objectAt = value.start;
      },
      string: (into, value) => {
        const bytes = value.withBytes((window, start, end) => window.slice(start, end));
        into.text = { bytes, start: value.textStart, end: value.end - 1 };
      },
    },
  })),
});

function openEnvelope(into: Opening, kind: EnvelopeKind): void {
  const { member, wrapper } = ENVELOPES[kind];
  const content: Content = { objectAt: undefined, text: undefined };
  const result = readJson(into.source, into.at, envelopeSchema(kind), content);
  if (into.whole) requireNothingAfter(into.source, result.end);
  result.throwRefusal();
  if (into.wrappers.at(-1) !== wrapper) into.wrappers.push(wrapper);
  if (kind === "dsse") into.signed = true;
  if (content.objectAt !== undefined) {
    into.at = content.objectAt;
    into.pointer += `/${member}`;
    into.whole = false;
  } else if (content.text !== undefined) openText(into, content.text, kind === "dsse" ? "base64" : "json-string");
  else throw emptyEnvelope(into, member);
}

/** The content is a string: Base64 of a DSSE payload, or JSON. */
function openText(into: Opening, text: NonNullable<Content["text"]>, encoding: "base64" | "json-string"): void {
  const { start, end } = text;
  const outer = into.source;
  const inner = encoding === "base64" ? decodeBase64(text.bytes) : text.bytes;
  if (inner === undefined) {
    throw EolgateError.of("bad-envelope", { problem: "the payload of the DSSE envelope is not Base64" }).at(
      lineAndColumn(outer, start),
    );
  }
  into.layers.push({ outer, start, end, encoding });
  into.source = new MemorySource(inner);
  into.at = behindByteOrderMark(inner);
  into.pointer = "";
  into.whole = true;
}

const emptyEnvelope = (into: Opening, member: string): EolgateError =>
  EolgateError.of("bad-envelope", {
    problem: `the envelope (${[...into.wrappers, member].join(", ")}) contains no SBOM`,
  }).at(`${into.pointer}/${member}`);

function toUtf8(bytes: Uint8Array, order: Utf16Order): Uint8Array {
  try {
    return decodeUtf16(bytes, order);
  } catch (cause) {
    throw EolgateError.of("invalid-encoding", { problem: "the document is not valid UTF-16" }, { cause });
  }
}
