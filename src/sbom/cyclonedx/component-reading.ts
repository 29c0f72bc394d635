/** How the rows of CycloneDX components are filled, in JSON and in XML. */
import type { JsonRow, Schema, StoredField } from "../../json-rows/schema.ts";
import type { ComponentKind } from "../../model/index.ts";
import { TableComponents, orderWithFirst } from "../component.ts";
import {
  type ComponentFormat,
  type ComponentTable,
  FIELD,
  type Field,
  ROW_CHOICE,
  kindChoices,
  scopeChoices,
} from "../component-table.ts";
import {
  CYCLONEDX_KINDS,
  CYCLONEDX_SCOPES,
  PROPERTY_MEANINGS,
  type PropertyMeaning,
  isDevelopmentGroup,
} from "./vocabulary.ts";
import { purlPattern } from "../../resolve/purl/pattern.ts";
import { isMarked, refuseNull } from "../json-bytes.ts";

const NO_COMPONENT = -1;

/** Described software of another kind is the root, and has no other kind. */
const KINDS_OF_ROOTS: ReadonlySet<ComponentKind> = new Set(["operating-system", "model"]);

export interface Property {
  readonly meaning: PropertyMeaning;
  readonly value: string;
  readonly listIndex: number;
  /** Enrichment wrote it. */
  readonly isMarked: boolean;
}

/** The state of reading components; the reader of the document extends it. */
export class ComponentReading {
  readonly table: ComponentTable;
  /** Index of the innermost component that is being read. */
  open = NO_COMPONENT;
  /** The described software is being read. */
  inRoot = false;
  signed = false;
  constructor(table: ComponentTable) {
    this.table = table;
  }

  begin(start: number, listIndex: number): void {
    const index = this.table.add(start);
    this.table.setNumber(index, FIELD.parent, this.open + 1);
    this.table.setNumber(index, FIELD.listIndex, listIndex);
    if (this.inRoot) this.table.setFlag(index, "inRoot");
    if (this.isRoot(index)) this.table.setKind(index, "root");
    this.open = index;
  }

  end(position: number): void {
    const { table, open } = this;
    table.setPosition(open, FIELD.end, position);
    this.setDevelopmentScope(open);
    this.open = table.number(open, FIELD.parent) - 1;
  }

  setKind(kind: ComponentKind): void {
    if (!this.isRoot(this.open) || KINDS_OF_ROOTS.has(kind)) this.table.setKind(this.open, kind);
  }

  /** Adds a component that was read as a row. Those within it were added before. */
  addRow(row: JsonRow): void {
    const { table } = this;
    const { number } = row;
    table.addRow(row);
    if (this.inRoot) table.setFlag(number, "inRoot");
    if (this.isRoot(number) && !KINDS_OF_ROOTS.has(table.kind(number))) table.setKind(number, "root");
    this.setDevelopmentScope(number);
  }

  addProperty(index: number, { meaning, value, listIndex, isMarked }: Property): void {
    const { table } = this;
    if (meaning.kind === "flag") {
      if (value === "true") table.setFlag(index, "development");
    } else if (meaning.kind === "group") table.setFlag(index, isDevelopmentGroup(value) ? "development" : "otherGroup");
    else if (meaning.kind === "module") table.addExtra(index).moduleLabel = value;
    // A milestone that enrichment wrote repeats the catalogue: the document itself does not declare it.
    else if (!isMarked) {
      const { milestone } = meaning;
      (table.addExtra(index).declared ??= []).push({ milestone, value, suffix: `/properties/${listIndex}` });
    }
  }

  private setDevelopmentScope(index: number): void {
    const { table } = this;
    if (table.hasFlag(index, "development") && !table.hasFlag(index, "otherGroup"))
      table.setScope(index, "development");
  }

  private isRoot(index: number): boolean {
    return this.inRoot && this.table.number(index, FIELD.parent) === 0;
  }
}

/** How a component is read from its row; `pointer` is that of the document. */
export const componentFormat = (pointer: string, licenses: ComponentFormat["licenses"]): ComponentFormat => ({
  pointer: (table, index) =>
    table.hasFlag(index, "inRoot")
      ? `${pointer}/metadata/component`
      : `${pointer}/components/${table.number(index, FIELD.listIndex)}`,
  licenses,
  cpes: (table, index) => {
    const cpe = table.text(index, FIELD.cpe);
    return cpe === undefined || cpe.trim() === "" ? [] : [cpe];
  },
  agent: (name) => name,
});

/** All components, those of the described software first: its metadata may come after the others. */
export function orderedComponents(table: ComponentTable): {
  readonly components: TableComponents;
  readonly roots: readonly string[];
} {
  const inRoot = (index: number): boolean => table.hasFlag(index, "inRoot");
  let root = 0;
  while (root < table.length && !inRoot(root)) root++;
  const components = new TableComponents(
    table,
    root > 0 && root < table.length ? orderWithFirst(table, inRoot) : undefined,
  );
  const ref = root < table.length ? table.text(root, FIELD.ref) : undefined;
  return { components, roots: ref === undefined ? [] : [ref] };
}

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
    listIndex: row.index,
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
