/** The children of an element that belong to the document's own version of CycloneDX. */
import type { XmlElement } from "@rgrove/parse-xml";
import { lineAndColumn } from "../../../json-rows/position.ts";
import { EolgateError } from "../../../messages/error.ts";
import { elementsOf, localName, namespaceOf } from "./names.ts";
import type { XmlTree } from "./tree.ts";

export const NAMESPACE = "http://cyclonedx.org/schema/bom/";
const SIGNATURES = "http://www.w3.org/2000/09/xmldsig#";

/** What the children of an element are read with. */
export interface XmlReading {
  readonly tree: XmlTree;
  readonly namespace: string;
  signed: boolean;
}

type NamedElement = readonly [name: string, element: XmlElement];

/** Children of another namespace are extensions and skipped, but not those of another CycloneDX version. */
export function* known(into: XmlReading, parent: XmlElement): Generator<NamedElement> {
  for (const element of elementsOf(parent)) {
    const name = localName(element);
    const namespace = namespaceOf(element);
    if (namespace === into.namespace) yield [name, element];
    else if (namespace.startsWith(NAMESPACE)) throw otherVersion(into.tree, element, namespace);
    else if (namespace === SIGNATURES && name === "Signature") into.signed = true;
  }
}

/** The known children; each of those in `once` may occur once. */
export function* single(into: XmlReading, parent: XmlElement, once: readonly string[]): Generator<NamedElement> {
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
    { where: lineAndColumn(tree.source, tree.spanOf(element).start) },
  );

const otherVersion = (tree: XmlTree, element: XmlElement, namespace: string): EolgateError =>
  EolgateError.of(
    "two-formats",
    { what: `the namespace ${JSON.stringify(namespace.slice(0, 100))}` },
    { where: lineAndColumn(tree.source, tree.spanOf(element).start) },
  );
