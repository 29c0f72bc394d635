/** What is read of a CycloneDX component, and how its row of the table is filled. */
import { KeyTable } from "../../../bytes/key-table.ts";
import { ABSENT, textPosition, type Schema } from "../../../bytes/json/schema.ts";
import type { ComponentKind, ComponentScope } from "../../model.ts";
import { FIELD, type Field } from "../component-table.ts";
import { isMarked } from "../edit/mark.ts";
import { hashOf } from "../graph/ref-table.ts";
import type { ComponentReading } from "./component-reading.ts";
import { CYCLONEDX_KINDS, CYCLONEDX_SCOPES, PROPERTY_MEANINGS, type PropertyMeaning } from "./vocabulary.ts";

const KINDS = new KeyTable<ComponentKind>(CYCLONEDX_KINDS);
const SCOPES = new KeyTable<ComponentScope>(CYCLONEDX_SCOPES);
const MEANINGS = new KeyTable<PropertyMeaning>(PROPERTY_MEANINGS);

type Reading = ComponentReading;

const position = (field: Field): Schema<Reading> =>
  textPosition(({ table, open }, at) => table.setPosition(open, field, at));

const type: Schema<Reading> = { string: (into, value) => into.setKind(value.find(KINDS) ?? "other") };

const ref: Schema<Reading> = {
  string: ({ table, open }, value) => {
    table.setPosition(open, FIELD.ref, value.textStart);
    table.setNumber(open, FIELD.refHash, value.withBytes(hashOf));
  },
};

/** An identifier that is not a string is kept as it is written: it is invalid and not absent. */
const purl: Schema<Reading> = {
  begin: ({ table, open }, value) => {
    if (value.isString) table.setPosition(open, FIELD.purl, value.textStart);
    else if (!value.isNull) table.setText(open, FIELD.purl, value.raw());
  },
};

const property: Schema<Reading> = {
  open: (into, value) => into.beginProperty(value.withOpening(isMarked)),
  members: () => ({
    name: { string: (into, value) => into.setMeaning(value.find(MEANINGS)) },
    value: { string: (into, value) => into.setValue(value.textStart) },
  }),
  close: (into, value) => into.endProperty(value.index),
};

const componentMembers = (): Readonly<Record<string, Schema<Reading>>> => ({
  type,
  "bom-ref": ref,
  name: position(FIELD.name),
  group: position(FIELD.group),
  version: position(FIELD.version),
  publisher: position(FIELD.publisher),
  supplier: { members: () => ({ name: position(FIELD.supplier) }) },
  purl,
  cpe: position(FIELD.cpe),
  scope: { string: ({ table, open }, value) => table.setScope(open, value.find(SCOPES)) },
  licenses: { begin: ({ table, open }, value) => table.setPosition(open, FIELD.licenses, value.start) },
  properties: {
    begin: ({ table, open }, value) => table.setPosition(open, FIELD.entries, value.start),
    elements: () => property,
  },
  // Any value is a signature; its form is up to the signer.
  signature: {
    begin: (into, value) => {
      into.signed ||= !value.isNull;
    },
  },
  components: { elements: () => component, type: { type: "list", name: '"components"' } },
});

export const component: Schema<Reading> = {
  open: (into, value) => into.begin(value.start, value.index, () => value.where()),
  close: (into, value) => into.end(value.end),
  members: componentMembers,
  type: { type: "object", name: "a component" },
};

export const rootComponent: Schema<Reading> = {
  open: (into, value) => {
    into.inRoot = true;
    into.begin(value.start, ABSENT, () => value.where());
  },
  close: (into, value) => {
    into.end(value.end);
    into.inRoot = false;
  },
  members: componentMembers,
  type: { type: "object", name: '"metadata.component"' },
};
