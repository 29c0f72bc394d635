/** Errors for documents that are no SBOM, or none that can be read. */
import { type ByteSource, SourcePage } from "../json-rows/source.ts";
import type { Schema } from "../json-rows/schema.ts";
import { lineAndColumn } from "../json-rows/position.ts";
import { EolgateError } from "../messages/error.ts";
import type { SbomFormat } from "../model/index.ts";
import { readJson } from "./json-bytes.ts";
import { TOOL_RESULTS } from "./tool-results.ts";

/** Where a document begins. */
interface DocumentStart {
  readonly source: ByteSource;
  readonly at: number;
}

/** JSON, but no SBOM: named where it is known. */
export function notSbom(start: DocumentStart): EolgateError {
  const keys = topLevelKeys(start);
  const known = TOOL_RESULTS.find((result) => result.keys.every((key) => keys?.has(key)));
  if (known !== undefined) return unsupportedFormat(known.name, known.hint);
  return EolgateError.of("not-sbom", {
    problem: `it is JSON, but ${missingFrom(keys)}`,
    advice: "CycloneDX JSON has bomFormat, SPDX 2 JSON has spdxVersion, SPDX 3 JSON has an spdx.org @context.",
  });
}

function missingFrom(keys: ReadonlySet<string> | undefined): string {
  if (keys === undefined) return "it is not an object";
  if (keys.has("bomFormat")) return 'its bomFormat is not "CycloneDX"';
  if (keys.has("@context") || keys.has("@graph")) return "its @context is not that of SPDX 3";
  return "it has neither bomFormat nor spdxVersion nor an SPDX 3 @context";
}

const KEYS = [
  ...new Set([...TOOL_RESULTS.flatMap(({ keys }) => keys), "bomFormat", "@context", "@graph", "spdxVersion"]),
];

interface TopLevel {
  isObject: boolean;
  readonly keys: Set<string>;
}

const topLevel: Schema<TopLevel> = {
  open: (into) => {
    into.isObject = true;
  },
  members: () =>
    Object.fromEntries(
      KEYS.map((key): [string, Schema<TopLevel>] => [key, { begin: ({ keys }) => void keys.add(key) }]),
    ),
};

/** The keys of a document that identify its format; undefined when it is not an object. */
function topLevelKeys({ source, at }: DocumentStart): ReadonlySet<string> | undefined {
  const into: TopLevel = { isObject: false, keys: new Set() };
  readJson(source, at, topLevel, into);
  return into.isObject ? into.keys : undefined;
}

/** After the JSON of a document only white space is allowed. */
export function requireNothingAfter(source: ByteSource, end: number): void {
  const page = new SourcePage(source);
  for (let at = end; at < source.length; at++) {
    const index = page.load(at, 1);
    const byte = page.bytes[index] ?? 0;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
    const where = lineAndColumn(source, at);
    if (byte === 0x7b || byte === 0x5b)
      throw notJson("contains more than one JSON document", where, "Pass one document per file.");
    throw notJson("continues after its end", where);
  }
}

interface StatedVersion {
  readonly format: SbomFormat;
  readonly encoding?: "JSON" | "XML" | "tag-value";
  /** The version that the document names, if any. */
  readonly version: string | undefined;
  readonly supported: readonly string[];
}

/**
 * The version that the document names at `where`, if it is one of those that are read.
 *
 * @throws EolgateError `unsupported-version`
 */
export function requireVersion(
  { format, encoding = "JSON", version, supported }: StatedVersion,
  where: string,
): string {
  if (version !== undefined && supported.includes(version)) return version;
  const range = supported.length === 1 ? supported.join("") : `${supported[0]} to ${supported.at(-1)}`;
  throw EolgateError.of(
    "unsupported-version",
    {
      problem:
        version === undefined
          ? `the ${format} document does not state its version`
          : `${format} version ${JSON.stringify(version.slice(0, 40))} is not supported`,
      advice: `Supported: ${format} ${encoding} ${range}.`,
    },
    { where, details: { format, ...(version === undefined ? {} : { version }) } },
  );
}

/** Known, but no form that is read. */
export function unsupportedFormat(name: string, hint: string): EolgateError {
  return EolgateError.of(
    "unsupported-format",
    { problem: `the document is ${name}, which is not supported`, advice: hint },
    { details: { format: name } },
  );
}

const notJson = (problem: string, where: string, advice?: string): EolgateError =>
  EolgateError.of("not-json", { problem, advice }).at(where);
