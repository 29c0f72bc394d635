/** Components of CycloneDX XML. */
import { XmlElement } from "@rgrove/parse-xml";
import { lineAndColumn } from "../../../json-rows/position.ts";
import { EolgateError } from "../../../messages/error.ts";
import type { XmlTree } from "./tree.ts";
import { asPurl } from "../../../text/ids.ts";
import { getOwn } from "../../../text/values.ts";
import { FIELD } from "../../component-table.ts";
import { isBlank } from "../../component.ts";
import { hashOfText } from "../../../json-rows/bytes.ts";
import type { ComponentReading } from "../component-reading.ts";
import { CYCLONEDX_KINDS, CYCLONEDX_SCOPES, PROPERTY_MEANINGS } from "../vocabulary.ts";

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

const whereOf = ({ source, spanOf }: XmlTree, element: XmlElement): string =>
  lineAndColumn(source, spanOf(element).start);

const duplicate = (tree: XmlTree, element: XmlElement, name: string): EolgateError =>
  EolgateError.of("duplicate-key", { what: `the element "${name}"` }).at(whereOf(tree, element));

const otherVersion = (tree: XmlTree, element: XmlElement, namespace: string): EolgateError =>
  EolgateError.of("two-formats", { what: `the namespace ${JSON.stringify(namespace.slice(0, 100))}` }).at(
    whereOf(tree, element),
  );

export function readComponents(into: XmlReading, reading: ComponentReading, list: XmlElement): void {
  let listIndex = 0;
  for (const [name, element] of known(into, list)) {
    if (name === "component") readComponent(into, reading, element, listIndex++);
  }
}

/** Fields that a component has once. */
const FIELDS = "supplier publisher group name version scope licenses cpe purl properties components".split(" ");

export function readComponent(
  into: XmlReading,
  reading: ComponentReading,
  element: XmlElement,
  listIndex: number,
): void {
  const span = into.tree.spanOf(element);
  reading.begin(span.start, listIndex);
  const { table, open } = reading;
  const { "bom-ref": ref, type } = element.attributes;
  table.setText(open, FIELD.ref, ref);
  if (ref !== undefined) table.setNumber(open, FIELD.refHash, hashOfText(ref));
  reading.setKind((type === undefined ? undefined : getOwn(CYCLONEDX_KINDS, type)) ?? "other");
  for (const [name, child] of single(into, element, FIELDS)) readField(into, reading, name, child);
  reading.end(span.end);
}

const TEXT_FIELDS = {
  name: FIELD.name,
  group: FIELD.group,
  version: FIELD.version,
  publisher: FIELD.publisher,
  cpe: FIELD.cpe,
} as const;

function readField(into: XmlReading, reading: ComponentReading, name: string, element: XmlElement): void {
  const field = getOwn(TEXT_FIELDS, name);
  if (field !== undefined) reading.table.setText(reading.open, field, textOf(element));
  else getOwn(OTHER_FIELDS, name)?.(into, reading, element);
}

type ReadField = (into: XmlReading, reading: ComponentReading, element: XmlElement) => void;

const OTHER_FIELDS: Readonly<Record<string, ReadField>> = {
  supplier: (into, { table, open }, element) => {
    for (const [name, child] of single(into, element, ["name"]))
      if (name === "name") table.setText(open, FIELD.supplier, textOf(child));
  },
  purl: (_, { table, open }, element) => {
    const purl = textOf(element);
    table.addExtra(open).purls = isBlank(purl) ? [] : [asPurl(purl)];
  },
  scope: (_, { table, open }, element) => table.setScope(open, getOwn(CYCLONEDX_SCOPES, textOf(element))),
  licenses: (into, { table, open }, element) => {
    table.addExtra(open).licenses = licensesOf(into, element);
  },
  properties: readProperties,
  components: readComponents,
};

function licensesOf(into: XmlReading, list: XmlElement): string[] {
  const licenses: string[] = [];
  for (const [name, element] of known(into, list)) {
    if (name === "expression") licenses.push(textOf(element));
    if (name !== "license") continue;
    for (const [part, child] of known(into, element))
      if (part === "id" || part === "name") licenses.push(textOf(child));
  }
  return licenses;
}

function readProperties(into: XmlReading, reading: ComponentReading, list: XmlElement): void {
  let listIndex = 0;
  for (const [name, element] of known(into, list)) {
    if (name !== "property") continue;
    const meaning = getOwn(PROPERTY_MEANINGS, element.attributes["name"] ?? "");
    if (meaning !== undefined)
      reading.addProperty(reading.open, { meaning, value: textOf(element), listIndex, isMarked: false });
    listIndex++;
  }
}
