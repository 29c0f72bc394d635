/**
 * The components of a document as numbers: where each begins, and where its texts are. A million components take 39 MB.
 */
import { MAX_FIELDS } from "../json-rows/memory-layout.ts";
import type { JsonRow } from "../json-rows/schema.ts";
import type { ComponentKind, ComponentScope, DeclaredLifecycle } from "../model/index.ts";
import type { Purl } from "../text/ids.ts";
import type { ByteSource } from "../json-rows/source.ts";
import { DocumentTexts } from "./document-texts.ts";

/** As many as a row of the JSON reader has. */
const FIELDS = MAX_FIELDS;
export const BLOCK_BITS = 12;
export const BLOCK: number = 1 << BLOCK_BITS;

export class ComponentBlock {
  /** Positions of the components. */
  readonly starts = new Float64Array(BLOCK);
  /** By component; undefined when the block is compact. */
  private numbers: Int32Array | undefined;
  private readonly narrow: (Uint16Array | undefined)[] = Array.from({ length: FIELDS });
  private readonly wide: (Int32Array | undefined)[] = Array.from({ length: FIELDS });

  /** @param numbers the memory of a block that was compacted */
  constructor(numbers: Int32Array = new Int32Array(BLOCK * FIELDS)) {
    this.numbers = numbers.fill(0);
  }

  get(field: number, at: number): number {
    if (this.numbers !== undefined) return this.numbers[at * FIELDS + field] ?? 0;
    return this.wide[field]?.[at] ?? this.narrow[field]?.[at] ?? 0;
  }

  set(field: number, at: number, value: number): void {
    if (this.numbers !== undefined) this.numbers[at * FIELDS + field] = value;
    else this.setCompact(field, at, value);
  }

  /** Sets the fields that a row has, and what it states itself. Fields of a component that were set before are kept. */
  addRow(row: JsonRow, at: number): void {
    const { start } = row;
    this.starts[at] = start;
    const isCompact = this.numbers === undefined;
    const numbers = this.numbers ?? new Int32Array(FIELDS);
    const first = isCompact ? 0 : at * FIELDS;
    row.copyTo(numbers, first);
    numbers[first + FIELD.role] = this.get(FIELD.role, at) | roleOf(row);
    numbers[first + FIELD.end] = row.end - start;
    numbers[first + FIELD.listIndex] = row.index;
    numbers[first + FIELD.parent] = row.parent + 1;
    if (!isCompact) return;
    for (const [field, value] of numbers.entries()) if (value !== 0) this.setCompact(field, at, value);
  }

  /** Rearranges the numbers by field, and returns the memory that is not needed any more. */
  compact(): Int32Array | undefined {
    const { numbers } = this;
    if (numbers === undefined) return undefined;
    for (let field = 0; field < FIELDS; field++) {
      const bits = copyColumn(numbers, field);
      if (bits >>> 16 !== 0) this.wide[field] = column.slice();
      else if (bits !== 0) this.narrow[field] = new Uint16Array(column);
    }
    this.numbers = undefined;
    return numbers;
  }

  private setCompact(field: number, at: number, value: number): void {
    const narrow = this.narrow[field];
    if (narrow !== undefined && this.wide[field] === undefined && value >>> 16 === 0) {
      narrow[at] = value;
      return;
    }
    const wide = (this.wide[field] ??= Int32Array.from(narrow ?? new Uint16Array(BLOCK)));
    wide[at] = value;
  }
}

/** A field of all components of a block. */
const column = new Int32Array(BLOCK);

/** Copies a field to `column` and returns all bits that occur in it. */
function copyColumn(numbers: Int32Array, field: number): number {
  let bits = 0;
  for (let at = 0, from = field; at < BLOCK; at++, from += FIELDS) {
    const number = numbers[from] ?? 0;
    column[at] = number;
    bits |= number;
  }
  return bits;
}

/**
 * Fields of a component. A text is a position, counted from the beginning of the component, or an entry in the list of
 * decoded values.
 */
export const FIELD = {
  end: 0,
  ref: 1,
  name: 2,
  group: 3,
  version: 4,
  publisher: 5,
  supplier: 6,
  purl: 7,
  cpe: 8,
  licenses: 9,
  /** `properties` of CycloneDX, `annotations` of SPDX: enrichment writes there. */
  entries: 10,
  /** What the licence is declared as, where `licenses` is what was concluded. */
  declaredLicense: 11,
  /** Index in its list. */
  listIndex: 12,
  /** Index of the component around it, plus 1. */
  parent: 13,
  /** Hash of the ref, to find components by their refs without decoding these. */
  refHash: 14,
  /** Kind, scope and flags. */
  role: 15,
  /** Id of the ref in the relations of SPDX, plus 1. */
  refId: 16,
  /** Hash of the purl along `purlPattern`, for documents of which the reader computes it. */
  purlHash: 17,
} as const;
export type Field = (typeof FIELD)[keyof typeof FIELD];

/**
 * What a row of the JSON reader has besides texts: the numbers of a kind and of a scope. It states its end and its index
 * itself, so their fields are free.
 */
export const ROW_CHOICE = { kind: FIELD.end, scope: FIELD.listIndex } as const;
const roleOf = (row: JsonRow): number => row.field(ROW_CHOICE.kind) | (row.field(ROW_CHOICE.scope) << 4);

/** Needed for development, needed for something else as well, in the described software. */
const FLAG = { development: 0x100, otherGroup: 0x200, inRoot: 0x400 } as const;
export type ComponentFlag = keyof typeof FLAG;

/** What few components have. */
export interface ExtraFields {
  pointer?: string;
  purls?: Purl[];
  cpes?: string[];
  licenses?: string[];
  moduleLabel?: string;
  /** `suffix` is the pointer from the component on. */
  declared?: { readonly milestone: DeclaredLifecycle["milestone"]; readonly value: string; readonly suffix: string }[];
}

/** What the format of a document decides. */
export interface ComponentFormat {
  /** Pointer of a component that is not nested in another one. */
  pointer(table: ComponentTable, index: number): string;
  /** Licences of a component that does not have them in its extra fields. */
  licenses(table: ComponentTable, index: number): readonly string[];
  cpes(table: ComponentTable, index: number): readonly string[];
  /** The name in a statement about a supplier or publisher. */
  agent(text: string): string | undefined;
}

const KINDS: readonly ComponentKind[] = ["other", "root", "file", "operating-system", "model", "data"];
const SCOPES: readonly (ComponentScope | undefined)[] = [undefined, "required", "optional", "excluded", "development"];

/** Texts by the numbers of their kinds, for `ROW_CHOICE.kind`. */
export const kindChoices = (kinds: Readonly<Record<string, ComponentKind>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(kinds).map(([text, kind]) => [text, KINDS.indexOf(kind)]));
/** Texts by the numbers of their scopes, for `ROW_CHOICE.scope`. */
export const scopeChoices = (scopes: Readonly<Record<string, ComponentScope>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(scopes).map(([text, scope]) => [text, SCOPES.indexOf(scope)]));

export class ComponentTable {
  readonly texts: DocumentTexts;
  readonly format: ComponentFormat;
  length = 0;
  /** Pointers of nested components that were requested, by row. */
  readonly nestedPointers = new Map<number, string>();
  private readonly blocks: ComponentBlock[] = [];
  private readonly values: string[] = [];
  private readonly extras = new Map<number, ExtraFields>();

  constructor(source: ByteSource, format: ComponentFormat) {
    this.texts = new DocumentTexts(source);
    this.format = format;
  }

  /** Adds the component that begins at `start` and returns its index. */
  add(start: number): number {
    const index = this.length;
    this.begin(index, start);
    return index;
  }

  /** The component of this index begins at `start`. A component ends after those within it, but has a smaller index. */
  begin(index: number, start: number): void {
    this.length = Math.max(this.length, index + 1);
    this.blockOf(index).starts[index & (BLOCK - 1)] = start;
  }

  /** Adds a component that the JSON reader has read as a row. Its kind and scope are numbers of `ROW_CHOICE`. */
  addRow(row: JsonRow): void {
    const { number } = row;
    this.length = Math.max(this.length, number + 1);
    this.blockOf(number).addRow(row, number & (BLOCK - 1));
  }

  start(index: number): number {
    return this.blocks[index >> BLOCK_BITS]?.starts[index & (BLOCK - 1)] ?? 0;
  }

  number(index: number, field: Field): number {
    return this.blocks[index >> BLOCK_BITS]?.get(field, index & (BLOCK - 1)) ?? 0;
  }
  /** The component may begin later: what is within it is noted first. */
  setNumber(index: number, field: Field, value: number): void {
    this.blockOf(index).set(field, index & (BLOCK - 1), value);
  }

  private blockOf(index: number): ComponentBlock {
    const number = index >> BLOCK_BITS;
    for (let block = this.blocks[number]; ; block = this.blocks[number]) {
      if (block !== undefined) return block;
      this.blocks.push(new ComponentBlock(this.blocks.at(-1)?.compact()));
    }
  }

  /** Notes a position behind the beginning of the component; a negative one clears the field. */
  setPosition(index: number, field: Field, position: number): void {
    this.setNumber(index, field, position < 0 ? 0 : position - this.start(index));
  }
  /** Position of a field, or -1. */
  position(index: number, field: Field): number {
    const offset = this.number(index, field);
    return offset > 0 ? this.start(index) + offset : -1;
  }

  /** Notes a text that was decoded already. */
  setText(index: number, field: Field, text: string | undefined): void {
    this.setNumber(index, field, text === undefined ? 0 : -this.values.push(text));
  }
  text(index: number, field: Field): string | undefined {
    const value = this.number(index, field);
    if (value < 0) return this.values[-value - 1];
    return value === 0 ? undefined : this.texts.at(this.start(index) + value);
  }

  kind(index: number): ComponentKind {
    return KINDS[this.number(index, FIELD.role) & 15] ?? "other";
  }
  setKind(index: number, kind: ComponentKind): void {
    this.setNumber(index, FIELD.role, (this.number(index, FIELD.role) & ~15) | KINDS.indexOf(kind));
  }
  scope(index: number): ComponentScope | undefined {
    return SCOPES[(this.number(index, FIELD.role) >> 4) & 15];
  }
  setScope(index: number, scope: ComponentScope | undefined): void {
    this.setNumber(index, FIELD.role, (this.number(index, FIELD.role) & ~0xf0) | (SCOPES.indexOf(scope) << 4));
  }
  hasFlag(index: number, flag: ComponentFlag): boolean {
    return (this.number(index, FIELD.role) & FLAG[flag]) !== 0;
  }
  setFlag(index: number, flag: ComponentFlag): void {
    this.setNumber(index, FIELD.role, this.number(index, FIELD.role) | FLAG[flag]);
  }

  /** The rare fields of a component; `addExtra` makes them. */
  extra(index: number): ExtraFields | undefined {
    return this.extras.get(index);
  }
  addExtra(index: number): ExtraFields {
    const known = this.extras.get(index);
    if (known !== undefined) return known;
    const extra: ExtraFields = {};
    this.extras.set(index, extra);
    return extra;
  }
}
