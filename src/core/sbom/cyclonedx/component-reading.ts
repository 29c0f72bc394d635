/** How the rows of CycloneDX components are filled, in JSON and in XML. */
import { EolgateError } from "../../errors.ts";
import type { ComponentKind } from "../../model.ts";
import { componentsOf, type DocumentComponent } from "../component.ts";
import { FIELD, type ComponentFormat, type ComponentTable } from "../component-table.ts";
import { isDevelopmentGroup, type PropertyMeaning } from "./vocabulary.ts";

/** Far beyond real documents. Deeper ones would only cost memory. */
const MAX_NESTING = 100_000;
const NO_COMPONENT = -1;

/** The state of reading components; the reader of the document extends it. */
export class ComponentReading {
  readonly table: ComponentTable;
  /** Index of the innermost component that is being read. */
  open = NO_COMPONENT;
  /** The described software is being read. */
  inRoot = false;
  signed = false;
  private depth = 0;
  /** The property that is being read. */
  private meaning: PropertyMeaning | undefined = undefined;
  /** Its value: a text, or where it is in the document. Few values are ever decoded. */
  private value: string | number | undefined = undefined;
  private propertyMarked = false;

  constructor(table: ComponentTable) {
    this.table = table;
  }

  begin(start: number, place: number, where: () => string): void {
    if (this.depth === MAX_NESTING)
      throw EolgateError.of("nesting-too-deep", { levels: MAX_NESTING }, { where: where() });
    this.depth++;
    const index = this.table.add(start);
    this.table.setNumber(index, FIELD.parent, this.open + 1);
    this.table.setNumber(index, FIELD.place, place);
    if (this.inRoot) this.table.setFlag(index, "inRoot");
    if (this.isRoot(index)) this.table.setKind(index, "root");
    this.open = index;
  }

  end(position: number): void {
    const { table, open } = this;
    this.depth--;
    table.setPosition(open, FIELD.end, position);
    if (table.hasFlag(open, "development") && !table.hasFlag(open, "otherGroup")) table.setScope(open, "development");
    this.open = table.number(open, FIELD.parent) - 1;
  }

  setKind(kind: ComponentKind): void {
    const keepsRoot = this.isRoot(this.open) && kind !== "operating-system" && kind !== "model";
    if (!keepsRoot) this.table.setKind(this.open, kind);
  }

  beginProperty(marked: boolean): void {
    this.meaning = undefined;
    this.value = undefined;
    this.propertyMarked = marked;
  }
  setMeaning(meaning: PropertyMeaning | undefined): void {
    this.meaning = meaning;
  }
  setValue(value: string | number): void {
    this.value = value;
  }
  endProperty(place: number): void {
    const { meaning, value } = this;
    if (meaning !== undefined && value !== undefined)
      this.apply(meaning, typeof value === "string" ? value : this.table.texts.at(value), place);
  }

  private apply(meaning: PropertyMeaning, value: string, place: number): void {
    const { table, open } = this;
    if (meaning.kind === "flag") {
      if (value === "true") table.setFlag(open, "development");
    } else if (meaning.kind === "group") table.setFlag(open, isDevelopmentGroup(value) ? "development" : "otherGroup");
    else if (meaning.kind === "module") table.addExtra(open).moduleLabel = value;
    // A milestone that enrichment wrote repeats the catalogue: the document itself does not declare it.
    else if (!this.propertyMarked) this.addDeclared(meaning.milestone, value, place);
  }

  private addDeclared(milestone: "end-of-support" | "end-of-life", value: string, place: number): void {
    const { table, open } = this;
    (table.addExtra(open).declared ??= []).push({ milestone, value, place: `/properties/${place}` });
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
  readonly components: readonly DocumentComponent[];
  readonly roots: readonly string[];
} {
  const all = componentsOf(table);
  const inRoot = all.filter((_, index) => table.hasFlag(index, "inRoot"));
  const isFirst = inRoot.length === 0 || table.hasFlag(0, "inRoot");
  const components = isFirst ? all : [...inRoot, ...all.filter((_, index) => !table.hasFlag(index, "inRoot"))];
  return { components, roots: inRoot.slice(0, 1).flatMap(({ bomRef }) => bomRef ?? []) };
}
