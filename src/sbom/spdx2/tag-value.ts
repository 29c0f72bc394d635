/** Reads SPDX tag-value 2.2 and 2.3. Rare, so it is loaded when a document needs it. */
import { allBytes, MemorySource } from "../../json-rows/source.ts";
import { lineAndColumn } from "../../json-rows/position.ts";
import { EolgateError } from "../../messages/error.ts";
import { asPurl } from "../../text/ids.ts";
import { getOwn } from "../../text/values.ts";
import { ComponentTable, FIELD, type ExtraFields, type Field } from "../component-table.ts";
import type { ParsedSbom } from "../component.ts";
import type { Opened } from "../envelope.ts";
import { requireVersion } from "../refusals.ts";
import { setRef, SpdxRelations } from "../spdx/relations.ts";
import { requireUtf8 } from "../json-bytes.ts";
import { createSpdx2, packageFormat, relate } from "./package-format.ts";
import { notTagValue, tagLines, valueOf, type TagLine } from "./tag-lines.ts";
import { SPDX2_KINDS, SPDX2_REFERENCES, SPDX2_RELATIONS, SPDX2_VERSIONS, spdx2Version } from "./vocabulary.ts";

/** Each section begins with a tag of its own and lasts until the next one begins. */
type TagSection = "document" | "package" | "file" | "snippet" | "licence";
const SECTIONS: ReadonlyMap<string, TagSection> = new Map([
  ["PackageName", "package"],
  ["FileName", "file"],
  ["SnippetSPDXID", "snippet"],
  ["SnippetSPDXIdentifier", "snippet"],
  ["LicenseID", "licence"],
]);

const NO_PACKAGE = -1;

class TagReading {
  readonly table: ComponentTable;
  readonly relations = new SpdxRelations();
  version: { readonly text: string; readonly at: number } | undefined = undefined;
  namespace: string | undefined = undefined;
  readonly creators: string[] = [];
  hasRelationship = false;
  /** Index of the package that is being read. */
  open = NO_PACKAGE;
  /** Its tags so far. */
  readonly tags = new Set<string>();

  constructor(table: ComponentTable) {
    this.table = table;
  }

  get extra(): ExtraFields {
    return this.table.addExtra(this.open);
  }
}

export function readTagValue(opened: Opened): ParsedSbom {
  const { at } = opened;
  const bytes = allBytes(opened.source);
  const source = new MemorySource(bytes);
  requireUtf8(bytes, at);
  const into = new TagReading(new ComponentTable(source, packageFormat(opened.pointer)));
  let last = at;
  for (const line of tagLines(bytes, at)) {
    const section = SECTIONS.get(line.tag);
    if (section !== undefined) begin(into, section, line, last);
    read(into, line, bytes);
    last = line.end;
  }
  const isLastWhole = into.open === NO_PACKAGE || MANDATORY.every((tag) => into.tags.has(tag));
  finish(into, last);
  const specVersion = versionOf(into, source);
  requireWhole(into, bytes, isLastWhole);
  return createSpdx2(opened, into, {
    specVersion,
    source,
    root: { start: at, end: last },
    versionEnd: 0,
    noteAt: undefined,
  });
}

function versionOf({ version }: TagReading, source: MemorySource): string {
  if (version === undefined) throw notTagValue(source.bytes, source.length, "it has no SPDXVersion");
  return requireVersion(
    { format: "SPDX", encoding: "tag-value", version: spdx2Version(version.text), supported: SPDX2_VERSIONS },
    lineAndColumn(source, version.at),
  );
}

/** Tags that every package has in SPDX 2.2 and 2.3. */
const MANDATORY = ["SPDXID", "PackageDownloadLocation"];

/**
 * The format has no end mark. A document that was cut off is found by its last line, by its last package, and by the
 * relationships that name what it lacks.
 */
function requireWhole({ table, hasRelationship }: TagReading, bytes: Uint8Array, isLastWhole: boolean): void {
  if (bytes.at(-1) !== 0x0a) throw cutOff(bytes, "its last line has no line end");
  if (table.length === 0 && !hasRelationship) throw cutOff(bytes, "it has neither a package nor a relationship");
  if (!isLastWhole) throw cutOff(bytes, `its last package lacks ${MANDATORY.join(" or ")}`);
}

const cutOff = (bytes: Uint8Array, what: string): EolgateError =>
  EolgateError.of("truncated", { what }).at(lineAndColumn(bytes, bytes.length));

function begin(into: TagReading, section: TagSection, { start }: TagLine, last: number): void {
  finish(into, last);
  into.tags.clear();
  if (section !== "package") return;
  into.open = into.table.add(start);
  into.table.setNumber(into.open, FIELD.listIndex, into.open);
}

/** The package that was read ends with its last line. */
function finish(into: TagReading, last: number): void {
  if (into.open !== NO_PACKAGE) into.table.setPosition(into.open, FIELD.end, last);
  into.open = NO_PACKAGE;
}

type TagStep = (into: TagReading, value: string, line: TagLine, bytes: Uint8Array) => void;

/** Allowed anywhere, or in the document's own section. */
const DOCUMENT_TAGS: Readonly<Record<string, TagStep>> = {
  SPDXVersion: (into, text, { valueStart }, bytes) => {
    if (into.version !== undefined) throw duplicate(bytes, valueStart, "SPDXVersion");
    into.version = { text, at: valueStart };
  },
  DocumentNamespace: (into, value) => {
    into.namespace = value;
  },
  Creator: ({ creators }, value) => void creators.push(value),
  Relationship: addRelationship,
};

const text =
  (field: Field) =>
  ({ table, open }: TagReading, value: string): void =>
    table.setText(open, field, value);

/** Belong to the package that is being read; `SPDXID` names a file or the document elsewhere. */
const PACKAGE_TAGS: Readonly<Record<string, (into: TagReading, value: string) => void>> = {
  PackageName: text(FIELD.name),
  SPDXID: (into, value) => {
    into.table.setText(into.open, FIELD.ref, value);
    setRef(into.table, into.open, into.relations, into.relations.refs.addText(value));
  },
  PackageVersion: text(FIELD.version),
  PackageSupplier: text(FIELD.supplier),
  PackageOriginator: text(FIELD.publisher),
  PackageLicenseConcluded: text(FIELD.licenses),
  PackageLicenseDeclared: text(FIELD.declaredLicense),
  PrimaryPackagePurpose: ({ table, open }, value) => table.setKind(open, getOwn(SPDX2_KINDS, value) ?? "other"),
  ValidUntilDate: ({ extra }, value) => {
    extra.declared = [{ milestone: "end-of-support", value, suffix: "/validUntilDate" }];
  },
  ExternalRef: addReference,
};

function read(into: TagReading, line: TagLine, bytes: Uint8Array): void {
  const { tag } = line;
  const step = getOwn(DOCUMENT_TAGS, tag);
  if (step !== undefined) {
    step(into, valueOf(bytes, line), line, bytes);
    return;
  }
  if (ELEMENT_IDS.has(tag)) into.relations.define(into.relations.refs.addText(valueOf(bytes, line)));
  if (into.open !== NO_PACKAGE) {
    if (into.tags.has(tag) && SINGLE.has(tag)) throw duplicate(bytes, line.start, tag);
    into.tags.add(tag);
  }
  const field = getOwn(PACKAGE_TAGS, tag);
  if (field === undefined) return;
  if (into.open !== NO_PACKAGE) field(into, valueOf(bytes, line));
  else if (tag !== "SPDXID") throw notTagValue(bytes, line.start, `${tag} is outside of a package`);
}

const ELEMENT_IDS = new Set(["SPDXID", "SnippetSPDXID", "SnippetSPDXIdentifier"]);
/** Tags that identify a package. */
const SINGLE = new Set(["SPDXID", "PackageName", "PackageVersion", "PackageDownloadLocation", "PrimaryPackagePurpose"]);

const duplicate = (bytes: Uint8Array, at: number, tag: string): EolgateError =>
  EolgateError.of("duplicate-key", { what: `the tag ${tag}` }).at(lineAndColumn(bytes, at));

/** `ExternalRef: PACKAGE-MANAGER purl pkg:npm/express@4.21.2` */
function addReference({ extra }: TagReading, value: string): void {
  const [, type = "", locator = ""] = /^\S+\s+(\S+)\s+(.*\S)\s*$/.exec(value) ?? [];
  const kind = getOwn(SPDX2_REFERENCES, type);
  if (kind === "purl") (extra.purls ??= []).push(asPurl(locator));
  if (kind === "cpe") (extra.cpes ??= []).push(locator);
}

/** `Relationship: SPDXRef-A DEPENDS_ON SPDXRef-B` */
function addRelationship(into: TagReading, value: string, { start }: TagLine): void {
  into.hasRelationship = true;
  const { relations } = into;
  const [element = "", type = "", related = ""] = value.trim().split(/\s+/);
  const relation = getOwn(SPDX2_RELATIONS, type);
  if (relation === undefined) return;
  const { refs } = relations;
  relate(relations, relation, { element: refs.addText(element), related: refs.addText(related) }, start);
}
