/** Names, texts and children of elements, with the namespace that decides what a name means. */
import { XmlElement } from "@rgrove/parse-xml";
import { lineAndColumn } from "../../../json-rows/position.ts";
import { EolgateError } from "../../../messages/error.ts";
import type { XmlTree } from "./tree.ts";

/** The element's name without its prefix. */
export const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(":") + 1);

/** The namespace of the element's prefix, declared on it or on an ancestor. */
export function namespaceOf(element: XmlElement): string {
  const colon = element.name.indexOf(":");
  const declaration = colon < 0 ? "xmlns" : `xmlns:${element.name.slice(0, colon)}`;
  let at: XmlElement["parent"] = element;
  while (at instanceof XmlElement) {
    const namespace = at.attributes[declaration];
    if (namespace !== undefined) return namespace;
    at = at.parent;
  }
  return "";
}

/** The element's own text on one line: printers break and indent it. */
export const textOf = (element: XmlElement): string => element.text.replaceAll(/\s+/g, " ").trim();

export function* elementsOf({ children }: XmlElement): Generator<XmlElement, void, undefined> {
  for (const child of children) if (child instanceof XmlElement) yield child;
}

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
