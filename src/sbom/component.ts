/** A component as a view of its row in the table, and the document that the reader of every format returns. */
import { NO_MATCH } from "../json-rows/memory-layout.ts";
import { type Purl, asPurl } from "../text/ids.ts";
import type {
  Component,
  ComponentKind,
  ComponentList,
  ComponentScope,
  ComponentText,
  DeclaredLifecycle,
  DocumentFields,
  ParsedDocument,
  Span,
} from "../model/index.ts";
import { keyHash } from "../resolve/purl/pattern.ts";
import { type ComponentTable, FIELD, type Field } from "./component-table.ts";
import { type ByteSource, allBytes } from "../json-rows/source.ts";
import { positions } from "../json-rows/position.ts";
import type { Opened } from "./envelope.ts";

const NONE: readonly never[] = [];
const TEXT_FIELD: Readonly<Record<ComponentText, Field>> = {
  name: FIELD.name,
  bomRef: FIELD.ref,
  version: FIELD.version,
  purl: FIELD.purl,
};
/** Most texts begin with a letter: those need not be trimmed. */
export const isBlank = (text: string): boolean => !(text.charCodeAt(0) > 0x20) && text.trim() === "";

export class DocumentComponent implements Component {
  /** Private, so that printing a component does not print the document behind it. */
  readonly #table: ComponentTable;
  readonly #index: number;

  constructor(table: ComponentTable, index: number) {
    this.#table = table;
    this.#index = index;
  }

  get pointer(): string {
    return pointerOf(this.#table, this.#index);
  }
  get parent(): string | undefined {
    const parent = this.#table.number(this.#index, FIELD.parent);
    return parent === 0 ? undefined : pointerOf(this.#table, parent - 1);
  }
  get span(): Span {
    return { start: this.#table.start(this.#index), end: this.#table.position(this.#index, FIELD.end) };
  }
  get kind(): ComponentKind {
    return this.#table.kind(this.#index);
  }
  set kind(kind: ComponentKind) {
    this.#table.setKind(this.#index, kind);
  }
  get scope(): ComponentScope | undefined {
    return this.#table.scope(this.#index);
  }
  set scope(scope: ComponentScope | undefined) {
    this.#table.setScope(this.#index, scope);
  }
  get bomRef(): string | undefined {
    return this.#text(FIELD.ref);
  }
  get name(): string {
    return this.#text(FIELD.name) ?? "";
  }
  get group(): string | undefined {
    return this.#text(FIELD.group);
  }
  get version(): string | undefined {
    return this.#text(FIELD.version);
  }
  get supplier(): string | undefined {
    return this.#agent(FIELD.supplier);
  }
  get publisher(): string | undefined {
    return this.#agent(FIELD.publisher);
  }
  get purls(): readonly Purl[] {
    const { purls } = this.#table.extra(this.#index) ?? {};
    if (purls !== undefined) return purls;
    const text = this.#text(FIELD.purl) ?? "";
    return isBlank(text) ? NONE : [asPurl(text)];
  }
  get cpes(): readonly string[] {
    return this.#table.extra(this.#index)?.cpes ?? this.#table.format.cpes(this.#table, this.#index);
  }
  get licenses(): readonly string[] {
    return this.#table.extra(this.#index)?.licenses ?? this.#table.format.licenses(this.#table, this.#index);
  }
  get declared(): readonly DeclaredLifecycle[] {
    const { declared } = this.#table.extra(this.#index) ?? {};
    return (
      declared?.map(({ milestone, value, suffix }) => ({ milestone, value, pointer: `${this.pointer}${suffix}` })) ??
      NONE
    );
  }
  get moduleLabel(): string | undefined {
    return this.#table.extra(this.#index)?.moduleLabel;
  }
  /** Position of the list that enrichment writes to, or -1. */
  get entriesAt(): number {
    return this.#table.position(this.#index, FIELD.entries);
  }
  /** Hash of the ref, or 0 without one. */
  get refHash(): number {
    return this.#table.number(this.#index, FIELD.refHash);
  }

  purlHash(): number {
    const known = this.#table.number(this.#index, FIELD.purlHash);
    if (known !== 0) return known;
    const position = this.#table.position(this.#index, FIELD.purl);
    const isOther = position < 0 || this.#table.extra(this.#index)?.purls !== undefined;
    return isOther ? NO_MATCH : this.#table.texts.withStart(position, keyHash);
  }

  copyText(name: ComponentText, target: Uint8Array, at: number): number {
    const table = this.#table;
    const position = table.position(this.#index, TEXT_FIELD[name]);
    if (position < 0) return -1;
    const length = table.texts.copyPlain(position, target, at);
    // A purl may be blank, or one of several.
    const isOther = name === "purl" && (!((target[at] ?? 0) > 0x20 && length > 0) || table.extra(this.#index)?.purls);
    return isOther ? -1 : length;
  }

  /** All fields as values. */
  toPlain(): Component {
    const { pointer, span, kind, bomRef, name, group, version, purls, cpes, licenses } = this;
    const { supplier, publisher, scope, declared, parent, moduleLabel } = this;
    const identity = { pointer, span, kind, bomRef, name, group, version, purls, cpes };
    return { ...identity, licenses, supplier, publisher, scope, declared, parent, ...(moduleLabel && { moduleLabel }) };
  }

  #text(field: Field): string | undefined {
    return this.#table.text(this.#index, field);
  }
  #agent(field: Field): string | undefined {
    const text = this.#text(field);
    return text === undefined ? undefined : this.#table.format.agent(text);
  }
}

/**
 * In a loop, because a call for each level would be limited by the stack. The pointers of nested components are kept, so
 * that each one is its container's with one step more: V8 joins them without copying.
 */
function pointerOf(table: ComponentTable, index: number): string {
  const inner: number[] = [];
  for (let at = index; ;) {
    const parent = table.number(at, FIELD.parent);
    const known = table.extra(at)?.pointer ?? table.nestedPointers.get(at);
    if (known === undefined && parent !== 0) {
      inner.push(at);
      at = parent - 1;
      continue;
    }
    let pointer = known ?? table.format.pointer(table, at);
    for (const each of inner.reverse()) {
      pointer += `/components/${table.number(each, FIELD.listIndex)}`;
      table.nestedPointers.set(each, pointer);
    }
    return pointer;
  }
}

/** The components of a complete table. A view is made when it is requested: a million of them take 50 MB. */
export class TableComponents implements ComponentList {
  private readonly table: ComponentTable;
  /** The rows in the order of the components; by default that of the table. */
  private readonly order: readonly number[] | undefined;

  constructor(table: ComponentTable, order?: readonly number[]) {
    this.table = table;
    this.order = order;
  }

  get length(): number {
    return this.table.length;
  }

  at(index: number): DocumentComponent | undefined {
    return index < this.length ? this.view(index) : undefined;
  }

  *[Symbol.iterator](): Generator<DocumentComponent, void, undefined> {
    for (let index = 0; index < this.length; index++) yield this.view(index);
  }

  private view(index: number): DocumentComponent {
    return new DocumentComponent(this.table, this.order?.[index] ?? index);
  }
}

/** The order in which some rows come first. */
export function orderWithFirst(table: ComponentTable, isFirst: (index: number) => boolean): readonly number[] {
  const rows = Array.from({ length: table.length }, (_, index) => index);
  return [...rows.filter(isFirst), ...rows.filter((index) => !isFirst(index))];
}

/** A document with its bytes and the positions where enrichment writes. */
export interface ParsedSbom extends ParsedDocument {
  readonly components: TableComponents;
  readonly opened: Opened;
  /** The document's object. */
  readonly root: Span;
  /** End of the value that every document of its format has: CycloneDX `specVersion`, SPDX 2 `spdxVersion`. */
  readonly versionEnd: number;
  /** Position of CycloneDX `metadata`, SPDX 2 `annotations` or SPDX 3 `@graph`; undefined when absent. */
  readonly noteAt: number | undefined;
}

type DocumentField =
  | "format"
  | "specVersion"
  | "serialNumber"
  | "documentVersion"
  | "generator"
  | "signed"
  | "absentElements";

/** What a reader has read. */
export interface ReadParts extends Pick<
  ParsedSbom,
  "components" | "roots" | "dependencies" | "root" | "versionEnd" | "noteAt"
> {
  readonly fields: Pick<DocumentFields, DocumentField>;
  /** The bytes that `position` counts in; by default those of the opened input. */
  readonly source?: ByteSource;
}

export function createDocument(opened: Opened, { fields, source = opened.source, ...parts }: ReadParts): ParsedSbom {
  return { ...fields, ...parts, opened, wrappers: opened.wrappers, position: positions(source) };
}

/** The bytes of the document's object, without what it was wrapped in. */
export const documentBytes = ({ opened, root }: ParsedSbom): Uint8Array =>
  allBytes(opened.source).subarray(root.start, root.end);
