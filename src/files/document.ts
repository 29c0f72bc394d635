/** Converts the entries of one file to a document, which later steps handle like an SBOM. */
import { lazy, percentEncode } from "../text/values.ts";
import { positions } from "../json-rows/position.ts";
import { EolgateError } from "../messages/error.ts";
import { asPurl } from "../text/ids.ts";
import type {
  Component,
  ComponentKind,
  ComponentScope,
  Dependencies,
  ParsedDocument,
  SbomFormat,
  StatedRetirement,
} from "../model/index.ts";
import { dependenciesOf } from "../sbom/graph/dependency-graph.ts";
import { Offsets } from "../sbom/json-bytes.ts";

/** A version pin or a locked package, as its reader returns it. */
export interface InventoryEntry {
  readonly name: string;
  /** Package URL without a version. */
  readonly purl?: string | undefined;
  readonly version?: string | undefined;
  /** Its location in the file's text, in UTF-16 units. */
  readonly location: { readonly at: number; readonly length: number };
  readonly kind?: ComponentKind;
  readonly scope?: ComponentScope | undefined;
  /** The version is a lower bound. */
  readonly minimum?: true;
  /** One part of an image; the others are entries of their own. */
  readonly isPart?: true;
  /** A person named the product and the version. */
  readonly asked?: true;
  /** What the file states of the package, with its location. */
  readonly retirement?: StatedRetirement & { readonly at: number };
  /** Unique within the file; absent for an entry without an id. */
  readonly id?: string;
  readonly dependsOn?: readonly string[];
  /** The ranges in which it requires them, by id, where the file states them. */
  readonly ranges?: ReadonlyMap<string, string>;
}

export interface InventoryContents {
  readonly format: SbomFormat;
  /** The kind of file, with the version of its format where it states one. */
  readonly specVersion: string;
  readonly entries: readonly InventoryEntry[];
  /** Ids of the direct dependencies of the project. */
  readonly direct?: readonly string[];
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
const hasMark = (bytes: Uint8Array): boolean => BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);

/**
 * Reads a file as a document. `read` parses the text, which is passed without a byte order mark.
 * @throws EolgateError `input`, code `invalid-encoding`
 */
export async function inventoryDocument(
  bytes: Uint8Array,
  read: (text: string) => Promise<InventoryContents>,
): Promise<ParsedDocument> {
  const text = decode(bytes);
  return documentReader(bytes, text)(await read(text));
}

/**
 * Reads a file as several documents, with what the file states of each.
 * @throws EolgateError `input`, code `invalid-encoding`
 */
export async function inventoryDocuments<Stated>(
  bytes: Uint8Array,
  read: (text: string) => Promise<readonly (readonly [Stated, InventoryContents])[]>,
): Promise<readonly (readonly [Stated, ParsedDocument])[]> {
  const text = decode(bytes);
  const toDocument = documentReader(bytes, text);
  return (await read(text)).map(([stated, contents]) => [stated, toDocument(contents)]);
}

/** Returns a function that converts entries of a text to a document. It is fastest if they come in the order of the text. */
function documentReader(bytes: Uint8Array, text: string): (contents: InventoryContents) => ParsedDocument {
  const position = positions(bytes);
  const offsets = new Offsets(bytes, hasMark(bytes) ? BYTE_ORDER_MARK.length : 0, text);
  return ({ format, specVersion, entries, direct }) => {
    const onLine = new Map<number, number>();
    const components = entries
      .toSorted((one, other) => one.location.at - other.location.at)
      .map((entry): Component => {
        const start = offsets.byteOf(entry.location.at);
        const { line } = position(start);
        const before = onLine.get(line) ?? 0;
        onLine.set(line, before + 1);
        const pointer = `/lines/${String(line)}${before === 0 ? "" : `/${String(before)}`}`;
        const span = { start, end: offsets.byteOf(entry.location.at + entry.location.length) };
        const lineOf = (at: number): number => position(offsets.byteOf(at)).line;
        return { ...toComponent(entry, pointer, span), ...retirementOf(entry, lineOf) };
      });
    return {
      format,
      specVersion,
      wrappers: [],
      signed: false,
      components,
      roots: direct ?? [],
      dependencies: lazy(() => dependenciesOf(dependencyMap(entries), rangesOf(entries))),
      position,
    };
  };
}

function retirementOf({ retirement }: InventoryEntry, lineOf: (at: number) => number): Pick<Component, "retirement"> {
  if (retirement === undefined) return {};
  const { at, ...stated } = retirement;
  return { retirement: { ...stated, line: lineOf(at) } };
}

function dependencyMap(entries: readonly InventoryEntry[]): ReadonlyMap<string, readonly string[]> {
  const dependencies = new Map<string, readonly string[]>();
  for (const { id, dependsOn = [] } of entries) {
    if (id !== undefined && dependsOn.length > 0) dependencies.set(id, dependsOn);
  }
  return dependencies;
}

/** Undefined where no entry states a range. */
function rangesOf(entries: readonly InventoryEntry[]): Dependencies["rangeOf"] {
  const ranges = new Map(entries.flatMap(({ id, ranges: own }) => (id === undefined || !own ? [] : [[id, own]])));
  return ranges.size === 0 ? undefined : (from, to) => ranges.get(from)?.get(to);
}

function toComponent(entry: InventoryEntry, pointer: string, span: Component["span"]): Component {
  const { id, name, purl, version, kind = "other", scope, minimum, asked, isPart } = entry;
  return {
    pointer,
    span,
    kind,
    bomRef: id,
    name,
    version,
    purls: purl === undefined ? [] : [asPurl(withVersion(purl, version))],
    cpes: [],
    licenses: [],
    scope,
    ...(minimum && { minimum }),
    ...(asked && { asked }),
    ...(isPart && { isPart }),
    declared: [],
  };
}

/** Adds a version to a package URL: it comes before the qualifiers. */
export function withVersion(purl: string, version: string | undefined): string {
  if (version === undefined) return purl;
  const [path = purl, query] = purl.split("?");
  return `${path}@${percentEncode(version)}${query === undefined ? "" : `?${query}`}`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw EolgateError.of(
      "invalid-encoding",
      { problem: "the file is not UTF-8 text", advice: "Save it as UTF-8, or leave it out with --exclude." },
      { cause },
    );
  }
}
