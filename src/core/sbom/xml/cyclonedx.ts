/** Reads CycloneDX XML 1.2–1.7: the first step of the main path, for this format. Rare: loaded when a document needs it. */
import type { XmlElement } from "@rgrove/parse-xml";
import { EolgateError } from "../../errors.ts";
import type { SbomDocument } from "../../model.ts";
import { own } from "../../own.ts";
import {
  CYCLONEDX_KINDS,
  CYCLONEDX_SCOPES,
  CYCLONEDX_VERSIONS,
  isForDevelopment,
  mark,
  noMarkers,
  PROPERTY_MEANINGS,
  type Markers,
} from "../cyclonedx-words.ts";
import { append, ComponentDraft, purlsOf, textsOf } from "../draft.ts";
import { unsupportedFormat, unsupportedVersion } from "../faults.ts";
import { positions } from "../../../bytes/position.ts";
import { keepSource } from "../source.ts";
import { lineAndColumn } from "../../../bytes/position.ts";

import type { Opened } from "../unwrap.ts";
import { elementsOf, localName, namespaceOf, textOf } from "./names.ts";
import { xmlTree, type XmlTree } from "./tree.ts";

const NAMESPACE = "http://cyclonedx.org/schema/bom/";
const SIGNATURES = "http://www.w3.org/2000/09/xmldsig#";

interface Reading {
  readonly tree: XmlTree;
  readonly namespace: string;
  readonly roots: ComponentDraft[];
  readonly components: ComponentDraft[];
  readonly dependencies: Map<string, string[]>;
  tools: string[];
  signed: boolean;
}

export function readCycloneDxXml(opened: Opened): SbomDocument {
  const { bytes, at } = opened;
  const tree = xmlTree(bytes, at);
  const namespace = namespaceOf(tree.root);
  const specVersion = versionOf(tree.root, namespace, opened, tree);
  const into: Reading = {
    tree,
    namespace,
    roots: [],
    components: [],
    dependencies: new Map(),
    tools: [],
    signed: opened.signed,
  };
  readBom(into, tree.root);
  const { serialNumber } = tree.root.attributes;
  const drafts = [...into.roots, ...into.components];
  const document: SbomDocument = {
    format: "CycloneDX",
    specVersion,
    wrappers: opened.wrappers,
    ...(serialNumber !== undefined && { serialNumber }),
    generator: into.tools.length === 0 ? undefined : into.tools.join("; "),
    signed: into.signed,
    components: drafts,
    roots: into.roots.slice(0, 1).flatMap(({ bomRef }) => bomRef ?? []),
    dependencies: into.dependencies,
    position: positions(bytes),
  };
  const root = tree.spanOf(tree.root);
  return keepSource(document, { opened, drafts, root, versionEnd: 0, noteAt: undefined });
}

/** The version stands in the namespace. */
function versionOf(root: XmlElement, namespace: string, { bytes }: Opened, tree: XmlTree): string {
  if (localName(root) !== "bom" || !namespace.startsWith(NAMESPACE)) throw noBom(root, namespace);
  const version = namespace.slice(NAMESPACE.length);
  if (CYCLONEDX_VERSIONS.includes(version)) return version;
  const where = lineAndColumn(bytes, tree.spanOf(root).start);
  throw unsupportedVersion("CycloneDX", version, CYCLONEDX_VERSIONS, where, "XML");
}

function noBom(root: XmlElement, namespace: string): EolgateError {
  if (root.name === "rdf:RDF") return unsupportedFormat("RDF/XML", "Hand over CycloneDX or SPDX in JSON.");
  const isBom = localName(root) === "bom";
  const lacking = isBom
    ? `its namespace is ${JSON.stringify(namespace.slice(0, 100))}`
    : `its root is the element ${JSON.stringify(root.name.slice(0, 100))}`;
  return EolgateError.raw("input", {
    code: "not-sbom",
    message: `the document is XML but no SBOM: ${lacking}`,
    hint: `CycloneDX XML has the element bom in the namespace ${NAMESPACE}1.6 or that of another version.`,
  });
}

/** The children in the document's own namespace, by name; anything else is an extension and passed over. */
function* known(into: Reading, parent: XmlElement): Generator<readonly [name: string, element: XmlElement]> {
  for (const element of elementsOf(parent)) {
    const name = localName(element);
    const namespace = namespaceOf(element);
    if (namespace === into.namespace) yield [name, element];
    else if (namespace.startsWith(NAMESPACE)) throw otherVersion(into.tree, element, namespace);
    else if (namespace === SIGNATURES && name === "Signature") into.signed = true;
  }
}

/** The known children; each of those in `once` may occur once. */
function* single(
  into: Reading,
  parent: XmlElement,
  once: readonly string[],
): Generator<readonly [name: string, element: XmlElement]> {
  const seen = new Set<string>();
  for (const child of known(into, parent)) {
    const [name, element] = child;
    if (once.includes(name) && seen.has(name)) throw duplicate(into.tree, element, name);
    seen.add(name);
    yield child;
  }
}

const duplicate = (tree: XmlTree, element: XmlElement, name: string): EolgateError =>
  EolgateError.of(
    "duplicate-key",
    { what: `the element "${name}"` },
    { where: lineAndColumn(tree.bytes, tree.spanOf(element).start) },
  );

const otherVersion = (tree: XmlTree, element: XmlElement, namespace: string): EolgateError =>
  EolgateError.of(
    "two-formats",
    { what: `the namespace ${JSON.stringify(namespace.slice(0, 100))}` },
    { where: lineAndColumn(tree.bytes, tree.spanOf(element).start) },
  );

function readBom(into: Reading, bom: XmlElement): void {
  let next = 0;
  for (const [name, element] of single(into, bom, ["metadata", "components", "dependencies"])) {
    if (name === "metadata") readMetadata(into, element);
    else if (name === "components") next = readComponents(into, element, into.components, { above: "", next });
    else if (name === "dependencies") readDependencies(into, element);
  }
}

function readMetadata(into: Reading, metadata: XmlElement): void {
  for (const [name, element] of single(into, metadata, ["component", "tools"])) {
    if (name === "tools") readTools(into, element);
    if (name !== "component") continue;
    readComponent(into, element, into.roots, { pointer: "/metadata/component", isRoot: true });
  }
}

/** A list of tools until 1.4; since then also a list of components, under an element of its own. */
function readTools(into: Reading, tools: XmlElement): void {
  for (const [name, element] of known(into, tools)) {
    if (name === "components") readTools(into, element);
    else if (name === "tool" || name === "component") into.tools.push(toolName(into, element));
  }
}

const TOOL_WORDS = new Set(["vendor", "group", "name", "version"]);

const toolName = (into: Reading, tool: XmlElement): string =>
  [...known(into, tool)].flatMap(([name, element]) => (TOOL_WORDS.has(name) ? textOf(element) : [])).join(" ");

interface Seat {
  readonly pointer: string;
  readonly isRoot?: boolean;
  readonly parent?: string;
}

/** A second list goes on counting: no component is left out, and no two have one pointer. Answers with the next place. */
function readComponents(
  into: Reading,
  list: XmlElement,
  drafts: ComponentDraft[],
  { above, next }: { readonly above: string; readonly next: number },
): number {
  let index = next;
  for (const [name, element] of known(into, list)) {
    if (name !== "component") continue;
    const seat = { pointer: `${above}/components/${index++}`, ...(above !== "" && { parent: above }) };
    readComponent(into, element, drafts, seat);
  }
  return index;
}

/** A component whose children are being read. */
interface Open {
  readonly draft: ComponentDraft;
  /** The list that it stands in, where its nested components follow it. */
  readonly drafts: ComponentDraft[];
  readonly markers: Markers;
  /** How many are nested in it so far. */
  nested: number;
}

function readComponent(into: Reading, element: XmlElement, drafts: ComponentDraft[], seat: Seat): void {
  const span = into.tree.spanOf(element);
  const draft = new ComponentDraft(seat.pointer, span.start, seat.parent);
  draft.span = span;
  draft.bomRef = element.attributes["bom-ref"];
  draft.kind = kindOf(element.attributes["type"], seat.isRoot === true);
  drafts.push(draft);
  const open: Open = { draft, drafts, markers: noMarkers(), nested: 0 };
  for (const [name, child] of single(into, element, COMPONENT_FIELDS)) readField(into, name, child, open);
  if (isForDevelopment(open.markers)) draft.scope = "development";
}

const COMPONENT_FIELDS = [
  "supplier",
  "publisher",
  "group",
  "name",
  "version",
  "scope",
  "licenses",
  "cpe",
  "purl",
  "properties",
  "components",
];

function kindOf(type: string | undefined, isRoot: boolean): ComponentDraft["kind"] {
  const kind = type === undefined ? undefined : own(CYCLONEDX_KINDS, type);
  if (isRoot) return kind === "operating-system" || kind === "model" ? kind : "root";
  return kind ?? "other";
}

function readField(into: Reading, name: string, element: XmlElement, open: Open): void {
  const { draft } = open;
  switch (name) {
    case "name":
    case "group":
    case "version":
    case "publisher":
      draft[name] = textOf(element);
      return;
    case "supplier":
      for (const [part, child] of known(into, element)) if (part === "name") draft.supplier = textOf(child);
      return;
    case "purl":
      draft.purls = purlsOf(textOf(element));
      return;
    case "cpe":
      draft.cpes = textsOf(textOf(element));
      return;
    case "scope":
      draft.scope = own(CYCLONEDX_SCOPES, textOf(element));
      return;
    case "licenses":
      draft.licenses = licencesOf(into, element);
      return;
    case "properties":
      readProperties(into, element, draft, open.markers);
      return;
    case "components":
      open.nested = readComponents(into, element, open.drafts, { above: draft.pointer, next: open.nested });
  }
}

function licencesOf(into: Reading, list: XmlElement): string[] {
  const licences: string[] = [];
  for (const [name, element] of known(into, list)) {
    if (name === "expression") licences.push(textOf(element));
    if (name !== "license") continue;
    for (const [part, child] of known(into, element))
      if (part === "id" || part === "name") licences.push(textOf(child));
  }
  return licences;
}

function readProperties(into: Reading, list: XmlElement, draft: ComponentDraft, markers: Markers): void {
  let index = -1;
  for (const [name, element] of known(into, list)) {
    if (name !== "property") continue;
    index++;
    const written = element.attributes["name"] ?? "";
    const meaning = own(PROPERTY_MEANINGS, written);
    if (meaning === undefined) continue;
    const value = textOf(element);
    if (meaning.kind !== "milestone") mark(markers, meaning.kind, value);
    else {
      const pointer = `${draft.pointer}/properties/${index}`;
      draft.declared = append(draft.declared, { milestone: meaning.milestone, value, pointer });
    }
  }
}

/** A dependency holds those that it needs; the schema lets them hold theirs in turn. */
function readDependencies(into: Reading, list: XmlElement, from?: string): void {
  for (const [name, element] of known(into, list)) {
    const { ref } = element.attributes;
    if (name !== "dependency" || ref === undefined) continue;
    if (from !== undefined) into.dependencies.get(from)?.push(ref);
    if (from === undefined || element.children.length > 0) {
      if (!into.dependencies.has(ref)) into.dependencies.set(ref, []);
      readDependencies(into, element, ref);
    }
  }
}
