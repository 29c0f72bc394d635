/** Components of CycloneDX XML. */
import type { XmlElement } from "@rgrove/parse-xml";
import { asPurl } from "../../../text/ids.ts";
import { getOwn } from "../../../text/values.ts";
import { FIELD } from "../../component-table.ts";
import { isBlank } from "../../component.ts";
import { hashOfText } from "../../../json-rows/bytes.ts";
import type { ComponentReading } from "../component-reading.ts";
import { CYCLONEDX_KINDS, CYCLONEDX_SCOPES, PROPERTY_MEANINGS } from "../vocabulary.ts";
import { type XmlReading, known, single, textOf } from "./children.ts";

export function readComponents(into: XmlReading, reading: ComponentReading, list: XmlElement): void {
  let place = 0;
  for (const [name, element] of known(into, list)) {
    if (name === "component") readComponent(into, reading, element, place++);
  }
}

/** Fields that a component has once. */
const FIELDS = [
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

export function readComponent(into: XmlReading, reading: ComponentReading, element: XmlElement, place: number): void {
  const span = into.tree.spanOf(element);
  reading.begin(span.start, place);
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
  let place = 0;
  for (const [name, element] of known(into, list)) {
    if (name !== "property") continue;
    const meaning = getOwn(PROPERTY_MEANINGS, element.attributes["name"] ?? "");
    if (meaning !== undefined)
      reading.addProperty(reading.open, { meaning, value: textOf(element), place, isMarked: false });
    place++;
  }
}
