/**
 * Tells what a document is, by its first bytes and then by the first of its top-level keys that decides. The reader of
 * that format checks the rest, so that the document is scanned once. A new format is a row here and one in `read.ts`.
 */
import { EolgateError } from "../errors.ts";
import { noSbom, unsupportedFormat } from "./faults.ts";
import { FORMAT_KEYS, type EnvelopeKind, type JsonKind } from "./format-keys.ts";
import { Words } from "../../bytes/members.ts";
import { CLOSE_OBJECT, END, OPEN_LIST, OPEN_OBJECT, Scanner } from "../../bytes/scanner.ts";
import { utf8Text } from "../../bytes/utf8.ts";

/** Not JSON: the readers of these are loaded when a document needs one. */
export type TextKind = "cyclonedx-xml" | "spdx2-tag-value";
export type DocumentKind = JsonKind | TextKind;

const DECIDING = new Words<JsonKind | EnvelopeKind>(FORMAT_KEYS);

/** What begins at `at`; `whole` tells that nothing may stand behind it. */
export function detect(bytes: Uint8Array, at: number, whole: boolean): DocumentKind | EnvelopeKind {
  const scanner = new Scanner(bytes, at);
  const first = scanner.peek();
  if (first === END) throw empty();
  if (first === OPEN_LIST) throw checkedNoSbom(bytes, at);
  if (first !== OPEN_OBJECT) return textKind(scanner);
  scanner.at++;
  for (let more = !scanner.take(CLOSE_OBJECT); more; more = scanner.more(CLOSE_OBJECT)) {
    scanner.key();
    const kind = DECIDING.find(scanner);
    if (kind !== undefined) return kind;
    scanner.skip();
  }
  if (whole) scanner.finish();
  throw noSbom({ bytes, at });
}

/** That it is no SBOM is only said of what is JSON. */
function checkedNoSbom(bytes: Uint8Array, at: number): EolgateError {
  const scanner = new Scanner(bytes, at);
  scanner.skip();
  scanner.finish();
  return noSbom({ bytes, at });
}

const empty = (): EolgateError => EolgateError.of("empty-document", {});

interface Foreign {
  readonly name: string;
  readonly pattern: RegExp;
}
const FOREIGN: readonly Foreign[] = [
  { name: "SPDX RDF/XML", pattern: /^(?:<\?[^]*?\?>|<!--[^]*?-->|\s)*<rdf:RDF\b/ },
  { name: "HTML", pattern: /^<(?:!doctype\s+html|html)/i },
  { name: "SPDX YAML", pattern: /^(?:---\s*\n)?(?:#[^\n]*\n\s*)*(?:[\w-]+:[^\n]*\n[^]*)?\bspdxVersion:/ },
  { name: "a ZIP archive", pattern: /^PK/ },
];
/** The first line that is no comment has a tag of the document's own section; `SPDXID` alone could be YAML. */
const TAG_VALUE =
  /^(?:#[^\n]*\n\s*)*(?:SPDXVersion|DataLicense|DocumentName|DocumentNamespace|DocumentComment|Creator|Created|PackageName)[ \t]*:/;
/** A licence or a greeting may stand in comments before the first line that tells. */
const GLANCE = 65_536;

/** No JSON document begins like this: XML or tag-value, refused by name where it is another known form. */
function textKind(scanner: Scanner): TextKind {
  const { bytes, at } = scanner;
  const glance = utf8Text(bytes, at, Math.min(bytes.length, at + GLANCE));
  if (TAG_VALUE.test(glance)) return "spdx2-tag-value";
  const compressed = bytes[at] === 0x1f && bytes[at + 1] === 0x8b;
  const known = compressed ? "compressed with gzip" : FOREIGN.find(({ pattern }) => pattern.test(glance))?.name;
  if (known !== undefined) throw unsupportedFormat(known, "Hand over CycloneDX or SPDX in JSON.");
  if (bytes[at] === LESS) return "cyclonedx-xml";
  scanner.skip();
  scanner.finish();
  throw noSbom({ bytes, at });
}
const LESS = 0x3c;
