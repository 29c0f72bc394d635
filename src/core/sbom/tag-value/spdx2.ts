/** Reads SPDX tag-value 2.2 and 2.3: the first step of the main path, for this format. Rare: loaded when a document needs it. */
import { asPurl } from "../../ids.ts";
import type { SbomDocument } from "../../model.ts";
import { own } from "../../own.ts";
import { EolgateError } from "../../errors.ts";
import { append, ComponentDraft } from "../draft.ts";
import { unsupportedVersion } from "../faults.ts";
import { positions } from "../../../bytes/position.ts";
import { keepSource } from "../source.ts";
import { LocalElements } from "../spdx2-elements.ts";
import { agentName, Edges, isStated, markDevelopment, markRoots, rootsFirst } from "../spdx-roles.ts";
import {
  generatorOf,
  SPDX2_KINDS,
  SPDX2_REFERENCES,
  SPDX2_RELATIONS,
  SPDX2_VERSIONS,
  spdx2Version,
} from "../spdx2-words.ts";
import { lineAndColumn } from "../../../bytes/position.ts";
import { requireUtf8 } from "../text-place.ts";
import type { Opened } from "../unwrap.ts";
import { notTagValue, tagLines, valueOf, type TagLine } from "./lines.ts";

/** What the lines belong to: each section begins with a tag of its own and lasts until the next one begins. */
type Section = "document" | "package" | "file" | "snippet" | "licence";
const SECTIONS: ReadonlyMap<string, Section> = new Map([
  ["PackageName", "package"],
  ["FileName", "file"],
  ["SnippetSPDXID", "snippet"],
  ["SnippetSPDXIdentifier", "snippet"],
  ["LicenseID", "licence"],
]);

class Reading {
  section: Section = "document";
  version: { readonly text: string; readonly at: number } | undefined;
  namespace: string | undefined;
  readonly creators: string[] = [];
  readonly components: ComponentDraft[] = [];
  draft: ComponentDraft | undefined;
  concluded: string | undefined;
  declared: string | undefined;
  /** Tags of the package that were met. */
  readonly tags = new Set<string>();
  readonly described = new Set<string>();
  readonly elements = new LocalElements();
  readonly edges = new Edges();
}

export function readTagValue(opened: Opened): SbomDocument {
  const { bytes, at } = opened;
  requireUtf8(bytes, at);
  const into = new Reading();
  let last = at;
  for (const line of tagLines(bytes, at)) {
    const section = SECTIONS.get(line.tag);
    if (section !== undefined) begin(into, section, line, last);
    read(into, line, bytes);
    last = line.end;
  }
  const isLastWhole = into.draft === undefined || MANDATORY.every((tag) => into.tags.has(tag));
  finish(into, last);
  const specVersion = versionOf(into, bytes);
  requireWhole(into, bytes, isLastWhole);
  const roots = markRoots(into.components, into.described);
  markDevelopment(into.components, into.edges);
  const drafts = rootsFirst(roots, into.components);
  const document: SbomDocument = {
    format: "SPDX",
    specVersion,
    wrappers: opened.wrappers,
    serialNumber: into.namespace,
    generator: generatorOf(into.creators),
    signed: opened.signed,
    components: drafts,
    roots: roots.flatMap(({ bomRef }) => bomRef ?? []),
    dependencies: into.edges.dependencies,
    position: positions(bytes),
  };
  return keepSource(document, { opened, drafts, root: { start: at, end: last }, versionEnd: 0, noteAt: undefined });
}

function versionOf({ version }: Reading, bytes: Uint8Array): string {
  if (version === undefined) throw notTagValue(bytes, bytes.length, "it has no SPDXVersion");
  const number = spdx2Version(version.text);
  if (SPDX2_VERSIONS.includes(number)) return number;
  throw unsupportedVersion("SPDX", number, SPDX2_VERSIONS, lineAndColumn(bytes, version.at), "tag-value");
}

/** Tags that every package has in SPDX 2.2 and 2.3. */
const MANDATORY = ["SPDXID", "PackageDownloadLocation"];

/**
 * The format has no end mark. A document that was cut off is found by its last line, by its last package, and by the
 * relationships, which name every element and often are at the end.
 */
function requireWhole(into: Reading, bytes: Uint8Array, isLastWhole: boolean): void {
  if (bytes.at(-1) !== 0x0a) throw cutOff(bytes, "its last line has no line end");
  if (!isLastWhole) throw cutOff(bytes, `its last package lacks ${MANDATORY.join(" or ")}`);
  if (into.described.size === 0) throw cutOff(bytes, "no relationship DESCRIBES names what the document describes");
  into.elements.requireAll(bytes);
}

const cutOff = (bytes: Uint8Array, what: string): EolgateError =>
  EolgateError.of("truncated", { what }, { where: lineAndColumn(bytes, bytes.length) });

function begin(into: Reading, section: Section, { start }: TagLine, last: number): void {
  finish(into, last);
  into.section = section;
  into.tags.clear();
  if (section !== "package") return;
  into.draft = new ComponentDraft(`/packages/${into.components.length}`, start);
  into.components.push(into.draft);
}

/** The package that was read ends with its last line. */
function finish(into: Reading, last: number): void {
  const { draft, concluded, declared } = into;
  if (draft === undefined) return;
  draft.span = { start: draft.span.start, end: last };
  // What the document's author concluded stands above what the package declares.
  const licence = isStated(concluded) ? concluded : declared;
  if (isStated(licence)) draft.licenses = [licence];
  into.draft = into.concluded = into.declared = undefined;
}

type Step = (into: Reading, value: string, line: TagLine, bytes: Uint8Array) => void;

/** May stand anywhere, or in the document's own section. */
const DOCUMENT_TAGS: Readonly<Record<string, Step>> = {
  SPDXVersion: (into, text, { valueStart }, bytes) => {
    if (into.version !== undefined) throw duplicate(bytes, valueStart, "SPDXVersion");
    into.version = { text, at: valueStart };
  },
  DocumentNamespace: (into, value) => {
    into.namespace = value;
  },
  Creator: ({ creators }, value) => void creators.push(value),
  Relationship: relate,
};

/** Belong to the package that is open; `SPDXID` names a file or the document elsewhere. */
const PACKAGE_TAGS: Readonly<Record<string, (draft: ComponentDraft, value: string, into: Reading) => void>> = {
  PackageName: (draft, value) => {
    draft.name = value;
  },
  SPDXID: (draft, value) => {
    draft.bomRef = value;
  },
  PackageVersion: (draft, value) => {
    draft.version = value;
  },
  PackageSupplier: (draft, value) => {
    draft.supplier = agentName(value);
  },
  PackageOriginator: (draft, value) => {
    draft.publisher = agentName(value);
  },
  PackageLicenseConcluded: (_, value, into) => {
    into.concluded = value;
  },
  PackageLicenseDeclared: (_, value, into) => {
    into.declared = value;
  },
  PrimaryPackagePurpose: (draft, value) => {
    draft.kind = own(SPDX2_KINDS, value) ?? "other";
  },
  ValidUntilDate: (draft, value) => {
    draft.declared = [{ milestone: "end-of-support", value, pointer: `${draft.pointer}/validUntilDate` }];
  },
  ExternalRef: refer,
};

function read(into: Reading, line: TagLine, bytes: Uint8Array): void {
  const { tag } = line;
  const step = own(DOCUMENT_TAGS, tag);
  if (step !== undefined) {
    step(into, valueOf(bytes, line), line, bytes);
    return;
  }
  if (ELEMENT_IDS.has(tag)) into.elements.define(valueOf(bytes, line));
  if (into.draft !== undefined) {
    if (into.tags.has(tag) && SINGLE.has(tag)) throw duplicate(bytes, line.start, tag);
    into.tags.add(tag);
  }
  const field = own(PACKAGE_TAGS, tag);
  if (field === undefined) return;
  if (into.draft !== undefined) field(into.draft, valueOf(bytes, line), into);
  else if (tag !== "SPDXID") throw notTagValue(bytes, line.start, `${tag} is outside of a package`);
}

const ELEMENT_IDS = new Set(["SPDXID", "SnippetSPDXID", "SnippetSPDXIdentifier"]);
/** Tags that identify a package. */
const SINGLE = new Set(["SPDXID", "PackageName", "PackageVersion", "PackageDownloadLocation", "PrimaryPackagePurpose"]);

const duplicate = (bytes: Uint8Array, at: number, tag: string): EolgateError =>
  EolgateError.of("duplicate-key", { what: `the tag ${tag}` }, { where: lineAndColumn(bytes, at) });

/** `ExternalRef: PACKAGE-MANAGER purl pkg:npm/express@4.21.2` */
function refer(draft: ComponentDraft, value: string): void {
  const [, type = "", locator = ""] = /^\S+\s+(\S+)\s+(.*\S)\s*$/.exec(value) ?? [];
  const kind = own(SPDX2_REFERENCES, type);
  if (kind === "purl") draft.purls = append(draft.purls, asPurl(locator));
  if (kind === "cpe") draft.cpes = append(draft.cpes, locator);
}

/** `Relationship: SPDXRef-A DEPENDS_ON SPDXRef-B` */
function relate({ described, edges, elements }: Reading, value: string, { start }: TagLine): void {
  const [element = "", type = "", related = ""] = value.trim().split(/\s+/);
  const relation = own(SPDX2_RELATIONS, type);
  if (relation === undefined) return;
  for (const id of [element, related]) elements.name(id, start);
  switch (relation.kind) {
    case "describes":
      described.add(related);
      return;
    case "described-by":
      described.add(element);
      return;
    case "forward":
      edges.add(element, related, relation);
      return;
    case "backward":
      edges.add(related, element, relation);
  }
}
