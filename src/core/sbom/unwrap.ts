/**
 * Opens what a document may be wrapped in: UTF-16, a DSSE envelope (also in a Sigstore bundle), an in-toto statement,
 * an export of the form {"sbom": …}. Each wrapping that changes the bytes is kept as a layer, so that an edited document
 * can be put back.
 */
import { EolgateError } from "../errors.ts";
import type { Wrapper } from "../model.ts";
import { decodeBase64 } from "../../bytes/base64.ts";
import { CLOSE_OBJECT, OPEN_OBJECT, Scanner } from "../../bytes/scanner.ts";
import { duplicateKey } from "../../bytes/walk.ts";
import { decodeUtf16, utf16Order, type Utf16Order } from "../../bytes/utf16.ts";
import { own } from "../own.ts";
import { detect, type DocumentKind } from "./detect.ts";
import { FORMAT_KEYS, twoFormats, type EnvelopeKind } from "./format-keys.ts";

/** A wrapping that changes the bytes: what is inside stood at `start`…`end` of `outer`, written in `encoding`. */
export interface Layer {
  readonly outer: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly encoding: "base64" | "json-string" | Utf16Order;
}

/** A document ready for its reader. */
export interface Opened {
  readonly kind: DocumentKind;
  /** The bytes that positions count in. */
  readonly bytes: Uint8Array;
  /** Where the document's object begins. */
  readonly at: number;
  /** JSON pointer of that object in `bytes`: empty, unless it stands inside another. */
  readonly pointer: string;
  /** Whether the document's object is all that `bytes` hold. */
  readonly whole: boolean;
  readonly wrappers: readonly Wrapper[];
  /** Outermost first. */
  readonly layers: readonly Layer[];
  /** Inside a signed envelope. */
  readonly signed: boolean;
}

interface Opening {
  bytes: Uint8Array;
  at: number;
  pointer: string;
  whole: boolean;
  signed: boolean;
  readonly wrappers: Wrapper[];
  readonly layers: Layer[];
}

/** Envelopes in envelopes are read up to here: a statement in an envelope in a bundle are three. */
const MAX_WRAPPERS = 8;

export function unwrap(input: Uint8Array): Opened {
  const into = begin(input);
  for (let count = 0; count < MAX_WRAPPERS; count++) {
    const kind = detect(into.bytes, into.at, into.whole);
    if (!isEnvelope(kind)) return { ...into, kind };
    open(into, kind);
  }
  throw EolgateError.raw("input", {
    code: "not-sbom",
    message: `the document is wrapped more than ${MAX_WRAPPERS} times and no SBOM was found inside`,
    hint: "Hand over the SBOM itself.",
  });
}

function begin(input: Uint8Array): Opening {
  // A plain view: one layout of bytes for the scanner, whatever the caller's subclass is.
  const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  const order = utf16Order(bytes);
  const start: Opening = { bytes, at: 0, pointer: "", whole: true, signed: false, wrappers: [], layers: [] };
  if (order === undefined) return { ...start, at: hasByteOrderMark(bytes) ? 3 : 0 };
  const inner = decodeUtf16(bytes, order);
  const layer: Layer = { outer: bytes, start: 0, end: bytes.length, encoding: order };
  return { ...start, bytes: inner, at: hasByteOrderMark(inner) ? 3 : 0, wrappers: ["utf-16"], layers: [layer] };
}

const hasByteOrderMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** The member that holds what is inside, and how the wrapping is called. */
const ENVELOPES: Readonly<
  Record<EnvelopeKind, { readonly member: string; readonly wrapper: Wrapper; readonly text: boolean }>
> = {
  dsse: { member: "payload", wrapper: "dsse", text: true },
  sigstore: { member: "dsseEnvelope", wrapper: "dsse", text: false },
  "in-toto": { member: "predicate", wrapper: "in-toto", text: false },
  "predicate-data": { member: "Data", wrapper: "in-toto", text: false },
  export: { member: "sbom", wrapper: "export", text: false },
};

const isEnvelope = (kind: DocumentKind | EnvelopeKind): kind is EnvelopeKind => Object.hasOwn(ENVELOPES, kind);

function open(into: Opening, kind: EnvelopeKind): void {
  const { member, wrapper } = ENVELOPES[kind];
  const scanner = new Scanner(into.bytes, into.at);
  const at = find(scanner, member, kind);
  if (into.whole) scanner.finish();
  if (at === undefined) throw hollow(into, member);
  if (into.wrappers.at(-1) !== wrapper) into.wrappers.push(wrapper);
  if (kind === "dsse") into.signed = true;
  scanner.at = at;
  const first = scanner.peek();
  if (first === OPEN_OBJECT) {
    into.at = at;
    into.pointer += `/${member}`;
    into.whole = false;
  } else if (first === 0x22) {
    scanner.string();
    openText(into, scanner, kind === "dsse" ? "base64" : "json-string");
  } else throw hollow(into, member);
}

/** What is inside is a text: base64 of a DSSE payload, or JSON in a string. */
function openText(into: Opening, scanner: Scanner, encoding: "base64" | "json-string"): void {
  const { textStart: start, textEnd: end, bytes: outer } = scanner;
  const raw = scanner.hasEscapes ? new TextEncoder().encode(scanner.text()) : outer.subarray(start, end);
  const inner = encoding === "base64" ? decodeBase64(raw) : raw.slice();
  if (inner === undefined) {
    throw EolgateError.raw("input", {
      code: "bad-envelope",
      message: "the payload of the DSSE envelope is not base64",
      where: scanner.place(start),
    });
  }
  into.layers.push({ outer, start, end, encoding });
  into.bytes = inner;
  into.at = hasByteOrderMark(inner) ? 3 : 0;
  into.pointer = "";
  into.whole = true;
}

/** Where the value of that member begins. The whole object is checked. */
function find(scanner: Scanner, member: string, kind: EnvelopeKind): number | undefined {
  let found: number | undefined;
  scanner.take(OPEN_OBJECT);
  for (let more = !scanner.take(CLOSE_OBJECT); more; more = scanner.more(CLOSE_OBJECT)) {
    scanner.key();
    const key = scanner.text();
    const keyAt = scanner.textStart - 1;
    const format = own(FORMAT_KEYS, key);
    if (format !== undefined && format !== kind) throw twoFormats(key, scanner.place(keyAt));
    scanner.peek();
    if (key === member) {
      if (found !== undefined) throw duplicateKey(key, scanner.place(keyAt));
      found = scanner.at;
    }
    scanner.skip();
  }
  return found;
}

const hollow = (into: Opening, member: string): EolgateError =>
  EolgateError.raw("input", {
    code: "bad-envelope",
    message: `the document is an envelope (${[...into.wrappers, member].join(", ")}) with no SBOM inside`,
    where: `${into.pointer}/${member}`,
  });
