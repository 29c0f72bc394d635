/** Reads CycloneDX XML 1.2 to 1.7. Rare, so it is loaded when a document needs it. */
import { CYCLONEDX_VERSIONS, parseDocumentVersion } from "../vocabulary.ts";
import type { XmlElement } from "@rgrove/parse-xml";
import { allBytes, MemorySource } from "../../../json-rows/source.ts";
import { lineAndColumn } from "../../../json-rows/position.ts";
import { EolgateError } from "../../../messages/error.ts";
import { ComponentTable } from "../../component-table.ts";
import { createDocument, type ParsedSbom } from "../../component.ts";
import { dependenciesOf } from "../../graph/dependency-graph.ts";
import { lazy } from "../../../text/values.ts";
import type { Opened } from "../../envelope.ts";
import { unsupportedFormat, requireVersion } from "../../refusals.ts";
import { componentFormat, ComponentReading, orderedComponents } from "../component-reading.ts";
import {
  NAMESPACE,
  type XmlReading,
  known,
  localName,
  namespaceOf,
  readComponent,
  readComponents,
  single,
  textOf,
} from "./components.ts";
import { xmlTree, type XmlTree } from "./tree.ts";

interface XmlDocumentReading extends XmlReading {
  readonly reading: ComponentReading;
  readonly dependencies: Map<string, string[]>;
  readonly tools: string[];
}

export function readCycloneDxXml(opened: Opened): ParsedSbom {
  const source = new MemorySource(allBytes(opened.source));
  const tree = xmlTree(source, opened.at);
  const namespace = namespaceOf(tree.root);
  const specVersion = versionOf(tree, namespace);
  const table = new ComponentTable(
    source,
    componentFormat("", () => []),
  );
  const into: XmlDocumentReading = {
    tree,
    namespace,
    reading: new ComponentReading(table),
    dependencies: new Map(),
    tools: [],
    signed: opened.signed,
  };
  readBom(into, tree.root);
  const { serialNumber, version } = tree.root.attributes;
  const { components, roots } = orderedComponents(table);
  return createDocument(opened, {
    fields: {
      format: "CycloneDX",
      specVersion,
      ...(serialNumber !== undefined && { serialNumber }),
      documentVersion: parseDocumentVersion(version),
      generator: into.tools.length === 0 ? undefined : into.tools.join("; "),
      signed: into.signed,
    },
    components,
    roots,
    dependencies: lazy(() => dependenciesOf(into.dependencies)),
    root: tree.spanOf(tree.root),
    versionEnd: 0,
    noteAt: undefined,
    source,
  });
}

/** The namespace contains the version. */
function versionOf(tree: XmlTree, namespace: string): string {
  const { root } = tree;
  if (localName(root) !== "bom" || !namespace.startsWith(NAMESPACE)) throw noBom(root, namespace);
  const version = namespace.slice(NAMESPACE.length);
  const where = lineAndColumn(tree.source, tree.spanOf(root).start);
  return requireVersion({ format: "CycloneDX", encoding: "XML", version, supported: CYCLONEDX_VERSIONS }, where);
}

function noBom(root: XmlElement, namespace: string): EolgateError {
  if (root.name === "rdf:RDF") return unsupportedFormat("RDF/XML", "Pass CycloneDX or SPDX in JSON.");
  const isBom = localName(root) === "bom";
  const lacking = isBom
    ? `its namespace is ${JSON.stringify(namespace.slice(0, 100))}`
    : `its root is the element ${JSON.stringify(root.name.slice(0, 100))}`;
  return EolgateError.of("not-sbom", {
    problem: `it is XML, but ${lacking}`,
    advice: `CycloneDX XML has the element bom in the namespace ${NAMESPACE}1.6 or that of another version.`,
  });
}

function readBom(into: XmlDocumentReading, bom: XmlElement): void {
  for (const [name, element] of single(into, bom, ["metadata", "components", "dependencies"])) {
    if (name === "metadata") readMetadata(into, element);
    else if (name === "components") readComponents(into, into.reading, element);
    else if (name === "dependencies") readDependencies(into, element);
  }
}

function readMetadata(into: XmlDocumentReading, metadata: XmlElement): void {
  for (const [name, element] of single(into, metadata, ["component", "tools"])) {
    if (name === "tools") readTools(into, element);
    if (name !== "component") continue;
    into.reading.inRoot = true;
    readComponent(into, into.reading, element, 0);
    into.reading.inRoot = false;
  }
}

/** A list of tools until 1.4; since then also a list of components, under an element of its own. */
function readTools(into: XmlDocumentReading, tools: XmlElement): void {
  for (const [name, element] of known(into, tools)) {
    if (name === "components") readTools(into, element);
    else if (name === "tool" || name === "component") into.tools.push(toolName(into, element));
  }
}

const TOOL_FIELDS = new Set(["vendor", "group", "name", "version"]);

const toolName = (into: XmlDocumentReading, tool: XmlElement): string =>
  [...known(into, tool)].flatMap(([name, element]) => (TOOL_FIELDS.has(name) ? textOf(element) : [])).join(" ");

/** A dependency contains the ones it needs, and the schema allows these to contain their own. */
function readDependencies(into: XmlDocumentReading, list: XmlElement, from?: string): void {
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
