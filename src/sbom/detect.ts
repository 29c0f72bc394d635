/**
 * Tells the format of a document by its first bytes, and then by the first of its top-level keys that decides. The reader
 * of that format checks the rest, so that the document is read once. A new format is a row here and one in `read.ts`.
 */
import { readFully, type ByteSource } from "../json-rows/source.ts";
import type { Schema } from "../json-rows/schema.ts";
import { utf8Text } from "../json-rows/bytes.ts";
import { EolgateError } from "../messages/error.ts";
import { FORMAT_KEYS, type EnvelopeKind, type JsonFormat } from "./format-keys.ts";
import { notSbom, requireNothingAfter, unsupportedFormat } from "./refusals.ts";
import { readJson } from "./json-bytes.ts";

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
export function detectFormat(source: ByteSource, at: number, whole: boolean): DocumentFormat | EnvelopeKind {
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
  return prefix[0] === LESS_THAN ? "cyclonedx-xml" : undefined;
}
