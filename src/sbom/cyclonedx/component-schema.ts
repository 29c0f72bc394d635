/** What is read of a CycloneDX component, and how its row of the table is filled. */
import type { JsonRow, Schema, StoredField } from "../../json-rows/schema.ts";
import { purlPattern } from "../../resolve/purl/pattern.ts";
import { FIELD, kindChoices, ROW_CHOICE, scopeChoices, type Field } from "../component-table.ts";
import { refuseNull } from "../json-bytes.ts";
import { isMarked } from "../mark.ts";
import type { ComponentReading } from "./component-reading.ts";
import { CYCLONEDX_KINDS, CYCLONEDX_SCOPES, PROPERTY_MEANINGS } from "./vocabulary.ts";

const text = (field: Field): Schema<ComponentReading> => ({ store: { field, as: "text" } });
const start = (field: Field): StoredField => ({ field, as: "start" });

const type: Schema<ComponentReading> = {
  store: { field: ROW_CHOICE.kind, as: "choice", choices: kindChoices(CYCLONEDX_KINDS) },
};
const scope: Schema<ComponentReading> = {
  store: { field: ROW_CHOICE.scope, as: "choice", choices: scopeChoices(CYCLONEDX_SCOPES) },
};

/** An identifier that is not a string is kept as it is written: it is invalid and not absent. */
const purl: Schema<ComponentReading> = {
  store: { field: FIELD.purl, as: "text", hash: FIELD.purlHash, pattern: purlPattern },
  other: ({ table }, value) => {
    if (!value.isNull) table.setText(value.row, FIELD.purl, value.raw());
  },
};

/** Fields of the row of a property. */
const PROPERTY = { meaning: 0, value: 1 } as const;
const MEANINGS = Object.values(PROPERTY_MEANINGS);
const meanings = Object.fromEntries(Object.keys(PROPERTY_MEANINGS).map((name, index) => [name, index + 1]));

/** Components may have dozens of properties: those without a meaning here are dropped before they get here. */
const property: Schema<ComponentReading> = {
  members: () => ({
    name: { store: { field: PROPERTY.meaning, as: "choice", choices: meanings } },
    value: { store: { field: PROPERTY.value, as: "text" } },
  }),
  row: addProperty,
  needs: PROPERTY.meaning,
};

function addProperty(into: ComponentReading, row: JsonRow): void {
  const { texts } = into.table;
  const meaning = MEANINGS[row.field(PROPERTY.meaning) - 1];
  const value = row.field(PROPERTY.value);
  if (meaning === undefined || value === 0) return;
  into.addProperty(row.parent, {
    meaning,
    value: texts.at(row.start + value),
    place: row.index,
    isMarked: texts.withStart(row.start, isMarked),
  });
}

const componentMembers = (): Readonly<Record<string, Schema<ComponentReading>>> => ({
  type,
  "bom-ref": { store: { field: FIELD.ref, as: "text", hash: FIELD.refHash } },
  name: text(FIELD.name),
  group: text(FIELD.group),
  // Another type is refused: the number 3.10 is 3.1, and a component without its version passes.
  version: { ...text(FIELD.version), type: { type: "string", name: "the version of a component" } },
  publisher: text(FIELD.publisher),
  supplier: { members: () => ({ name: text(FIELD.supplier) }) },
  purl,
  cpe: text(FIELD.cpe),
  scope,
  licenses: { store: start(FIELD.licenses) },
  properties: { store: start(FIELD.entries), elements: () => property },
  // Any value is a signature; its form is up to the signer.
  signature: {
    begin: (into, value) => {
      into.signed ||= !value.isNull;
    },
  },
  components: { elements: () => component, type: { type: "list", name: '"components"' } },
});

const described: Schema<ComponentReading> = {
  members: componentMembers,
  row: (into, row) => into.addRow(row),
  numbered: true,
};

export const component: Schema<ComponentReading> = {
  ...described,
  other: refuseNull("a component"),
  type: { type: "object", name: "a component" },
};

export const rootComponent: Schema<ComponentReading> = {
  ...described,
  open: (into) => {
    into.inRoot = true;
  },
  close: (into) => {
    into.inRoot = false;
  },
  type: { type: "object", name: '"metadata.component"' },
};
