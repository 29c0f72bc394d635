/** How the rows of CycloneDX components are filled, in JSON and in XML. */
import type { JsonRow } from "../../json-rows/schema.ts";
import type { ComponentKind } from "../../model/index.ts";
import { orderWithFirst, TableComponents } from "../component.ts";
import { FIELD, type ComponentFormat, type ComponentTable } from "../component-table.ts";
import { isDevelopmentGroup, type PropertyMeaning } from "./vocabulary.ts";

const NO_COMPONENT = -1;

/** Described software of another kind is the root, and has no other kind. */
const KINDS_OF_ROOTS: ReadonlySet<ComponentKind> = new Set(["operating-system", "model"]);

export interface Property {
  readonly meaning: PropertyMeaning;
  readonly value: string;
  /** Index in the list of properties. */
  readonly place: number;
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

  begin(start: number, place: number): void {
    const index = this.table.add(start);
    this.table.setNumber(index, FIELD.parent, this.open + 1);
    this.table.setNumber(index, FIELD.place, place);
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

  /** A property of the component with this index. */
  addProperty(index: number, { meaning, value, place, isMarked }: Property): void {
    const { table } = this;
    if (meaning.kind === "flag") {
      if (value === "true") table.setFlag(index, "development");
    } else if (meaning.kind === "group") table.setFlag(index, isDevelopmentGroup(value) ? "development" : "otherGroup");
    else if (meaning.kind === "module") table.addExtra(index).moduleLabel = value;
    // A milestone that enrichment wrote repeats the catalogue: the document itself does not declare it.
    else if (!isMarked) this.addDeclared(index, meaning.milestone, value, place);
  }

  private addDeclared(index: number, milestone: "end-of-support" | "end-of-life", value: string, place: number): void {
    (this.table.addExtra(index).declared ??= []).push({ milestone, value, place: `/properties/${place}` });
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
      : `${pointer}/components/${table.number(index, FIELD.place)}`,
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
