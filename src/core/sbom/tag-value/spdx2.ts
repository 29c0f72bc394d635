/** Reads SPDX tag-value 2.2 and 2.3: the first step of the main path, for this format. Rare: loaded when a document needs it. */
import { asPurl } from "../../ids.ts";
import type { SbomDocument } from "../../model.ts";
import { own } from "../../own.ts";
import { append, ComponentDraft } from "../draft.ts";
import { unsupportedVersion } from "../faults.ts";
import { positions } from "../../../bytes/position.ts";
import { keepSource } from "../source.ts";
import { agentName, Edges, isStated, markDevelopment, markRoots, rootsFirst } from "../spdx-roles.ts";
import {
  generatorOf,
  SPDX2_KINDS,
  SPDX2_REFERENCES,
  SPDX2_RELATIONS,
  SPDX2_VERSIONS,
  spdx2Version,
} from "../spdx2-words.ts";
import { place, requireUtf8 } from "../text-place.ts";
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
  readonly described = new Set<string>();
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
  finish(into, last);
  const specVersion = versionOf(into, bytes);
  const roots = markRoots(into.components, into.described, () => into.edges);
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
  throw unsupportedVersion("SPDX", number, SPDX2_VERSIONS, place(bytes, version.at), "tag-value");
}

function begin(into: Reading, section: Section, { start }: TagLine, last: number): void {
  finish(into, last);
  into.section = section;
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

type Step = (into: Reading, value: string, line: TagLine) => void;

/** May stand anywhere, or in the document's own section. */
const DOCUMENT_TAGS: Readonly<Record<string, Step>> = {
  SPDXVersion: (into, text, { valueStart }) => {
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
    step(into, valueOf(bytes, line), line);
    return;
  }
  const field = own(PACKAGE_TAGS, tag);
  if (field === undefined) return;
  if (into.draft !== undefined) field(into.draft, valueOf(bytes, line), into);
  else if (tag !== "SPDXID") throw notTagValue(bytes, line.start, `${tag} stands outside of a package`);
}

/** `ExternalRef: PACKAGE-MANAGER purl pkg:npm/express@4.21.2` */
function refer(draft: ComponentDraft, value: string): void {
  const [, type = "", locator = ""] = /^\S+\s+(\S+)\s+(.*\S)\s*$/.exec(value) ?? [];
  const kind = own(SPDX2_REFERENCES, type);
  if (kind === "purl") draft.purls = append(draft.purls, asPurl(locator));
  if (kind === "cpe") draft.cpes = append(draft.cpes, locator);
}

/** `Relationship: SPDXRef-A DEPENDS_ON SPDXRef-B` */
function relate({ described, edges }: Reading, value: string): void {
  const [element = "", type = "", related = ""] = value.trim().split(/\s+/);
  const relation = own(SPDX2_RELATIONS, type);
  switch (relation?.kind) {
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
