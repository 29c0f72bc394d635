/** Translates schemas to the tables of the tokenizer. */
import { MAX_FIELDS, ROW_FIELDS, TABLES, TABLES_SIZE } from "./memory-layout.ts";
import type { BytePattern } from "./pattern.ts";
import type { Schema, StoredField } from "./schema.ts";

export interface CompiledSchema<C> {
  /** Content of the tables in the memory of the tokenizer. */
  readonly tables: Int32Array;
  /** Schemas by state, which counts from 1. */
  readonly schemas: readonly Schema<C>[];
  /** What the tokenizer has for a key of an object, for keys with escapes. */
  stateOfKey(schema: Schema<C>, key: string): number;
  /** The key of a member, for messages. */
  nameOf(schema: Schema<C>, member: number): string;
}

const MAX_STATES = 256;
/** Numbers of a state in the tables, and the order of them. What has choices has no pattern. */
const STATE_NUMBERS = 8;
const STATE = {
  keys: 0,
  elements: 1,
  others: 2,
  flags: 3,
  field: 4,
  hashField: 5,
  choices: 6,
  pattern: 6,
  needs: 7,
} as const;
/** Of which values there are events, what is computed, and the types that are accepted. */
const FLAG = {
  onAny: 1,
  onString: 2,
  onOther: 4,
  onObject: 8,
  hashed: 16,
  chosen: 32,
  starts: 64,
  isRow: 128,
  isNumbered: 256,
  isNode: 512,
  namesNode: 1024,
  isEdge: 2048,
  object: 4096,
  list: 8192,
  string: 16_384,
  scalar: 32_768,
  hasPattern: 65_536,
} as const;
const STATE_SHIFT = 12;
const MEMBER_SHIFT = 5;
/** Bits of one number record which members of an object occurred. */
const MAX_MEMBERS = 30;

export const stateOf = (event: number): number => event >>> STATE_SHIFT;
export const memberOf = (event: number): number => (event >>> MEMBER_SHIFT) & 31;
export const isWrongType = (event: number): boolean => (event & 16) !== 0;
export const FIRST_STATE: number = 1 << STATE_SHIFT;

function compileSchema<C>(root: Schema<C>): CompiledSchema<C> {
  return new Compilation(root).result();
}

interface CompiledMembers {
  /** Address of the heads of the key chains, counted from the tables. */
  readonly heads: number;
  readonly keys: ReadonlyMap<string, number>;
}
const NO_MEMBERS = (): Readonly<Record<string, never>> => ({});

class Compilation<C> {
  /** By function: schemas that share their members share their tables. */
  private readonly compiled = new Map<NonNullable<Schema<C>["members"]>, CompiledMembers>();
  private readonly schemas: Schema<C>[] = [{}];
  private readonly states = new Map<Schema<C>, number>();
  private readonly keys = new Map<Schema<C>, ReadonlyMap<string, number>>();
  private readonly bytes = new Uint8Array(TABLES_SIZE);
  private readonly numbers = new Int32Array(this.bytes.buffer);
  private next = MAX_STATES * STATE_NUMBERS * 4;

  constructor(root: Schema<C>) {
    this.state(root);
    for (let state = 1; state < this.schemas.length; state++) this.fill(state);
  }

  result(): CompiledSchema<C> {
    if (this.schemas.length > MAX_STATES) throw new RangeError("the schema has too many states");
    const { keys } = this;
    return {
      tables: this.numbers.slice(0, this.next >> 2),
      schemas: this.schemas,
      stateOfKey: (schema, key) =>
        keys.get(schema)?.get(key) ?? (schema.others === undefined ? 0 : this.state(schema.others())),
      nameOf: (schema, member) =>
        [...(keys.get(schema) ?? [])].find(([, event]) => memberOf(event) === member)?.[0] ?? "",
    };
  }

  /** The number of a schema, shifted as the tokenizer keeps it. */
  private state(schema: Schema<C>): number {
    const known = this.states.get(schema);
    if (known !== undefined) return known << STATE_SHIFT;
    const state = this.schemas.push(schema) - 1;
    this.states.set(schema, state);
    return state << STATE_SHIFT;
  }

  private fill(state: number): void {
    const schema = this.schemas[state] ?? {};
    this.set(state, "flags", flagsOf(schema));
    if (schema.elements !== undefined) this.set(state, "elements", this.state(schema.elements()));
    if (schema.others !== undefined) this.set(state, "others", this.state(schema.others()));
    if (schema.needs !== undefined) this.set(state, "needs", fieldOffset(schema.needs));
    if (schema.store !== undefined) this.fillStore(state, schema.store);
    if (schema.members === undefined && schema.others === undefined) return;
    const members = schema.members ?? NO_MEMBERS;
    const known = this.compiled.get(members) ?? this.compileMembers(members);
    this.compiled.set(members, known);
    this.set(state, "keys", TABLES + known.heads);
    this.keys.set(schema, known.keys);
  }

  private fillStore(state: number, { field, hash, choices, pattern }: StoredField): void {
    this.set(state, "field", fieldOffset(field));
    if (hash !== undefined) this.set(state, "hashField", fieldOffset(hash));
    if (choices !== undefined) this.set(state, "choices", TABLES + this.compileChoices(choices));
    if (pattern !== undefined) this.set(state, "pattern", TABLES + this.addPattern(pattern()));
  }

  private set(state: number, name: keyof typeof STATE, value: number): void {
    this.numbers[state * STATE_NUMBERS + STATE[name]] = value;
  }

  private compileChoices(choices: Readonly<Record<string, number>>): number {
    const heads = this.allocate(256);
    for (const [text, choice] of Object.entries(choices)) this.addKey(heads, text, choice);
    return heads;
  }

  private addPattern({ steps }: BytePattern): number {
    const address = this.allocate(steps.byteLength);
    new Uint16Array(this.bytes.buffer).set(steps, address >> 1);
    return address;
  }

  private compileMembers(members: NonNullable<Schema<C>["members"]>): CompiledMembers {
    const heads = this.allocate(256);
    const names: string[] = [];
    const keys = new Map<string, number>();
    for (const [key, member] of Object.entries(members())) {
      const { sameAs: name = key } = member;
      if (!names.includes(name)) names.push(name);
      const number = names.indexOf(name) + 1;
      if (number > MAX_MEMBERS) throw new RangeError("the schema has too many members");
      const event = this.state(member) | (number << MEMBER_SHIFT);
      keys.set(key, event);
      this.addKey(heads, key, event);
    }
    return { heads, keys };
  }

  /** An entry: address of the next one with the same hash, length of the key, event, key. */
  private addKey(heads: number, key: string, event: number): void {
    const bytes = new TextEncoder().encode(key);
    const hash = (bytes.length + (bytes[0] ?? 0) * 5 + (bytes.at(-1) ?? 0) * 3) & 63;
    const entry = this.allocate(12 + bytes.length);
    const head = (heads >> 2) + hash;
    this.numbers.set([this.numbers[head] ?? 0, bytes.length, event], entry >> 2);
    this.bytes.set(bytes, entry + 12);
    this.numbers[head] = TABLES + entry;
  }

  private allocate(length: number): number {
    const address = this.next;
    this.next += (length + 3) & ~3;
    if (this.next > TABLES_SIZE) throw new RangeError("the tables of the schema are too large");
    return address;
  }
}

const COMPILED = new WeakMap<object, unknown>();

function fieldOffset(field: number): number {
  if (field >= MAX_FIELDS) throw new RangeError("a row has too few fields");
  return ROW_FIELDS + field * 4;
}

export const isReference = <C>({ graph }: Schema<C>): boolean => graph === "reference" || graph === "edge";

function flagsOf<C>(schema: Schema<C>): number {
  const { begin, string, other, open, close, row, store, graph } = schema;
  const parts: readonly (readonly [isSet: boolean, flag: number])[] = [
    [begin !== undefined, FLAG.onAny],
    [string !== undefined, FLAG.onString],
    [other !== undefined, FLAG.onOther],
    [open !== undefined || close !== undefined, FLAG.onObject],
    [schema.hashed === true || (store?.hash !== undefined && !store.pattern) || isReference(schema), FLAG.hashed],
    [store?.pattern !== undefined, FLAG.hasPattern],
    [store?.as === "choice", FLAG.chosen],
    [store?.as === "start", FLAG.starts],
    [row !== undefined, FLAG.isRow],
    [schema.numbered === true, FLAG.isNumbered],
    [graph === "node", FLAG.isNode],
    [graph === "reference", FLAG.namesNode],
    [graph === "edge", FLAG.isEdge],
  ];
  return parts.reduce((flags, [isSet, flag]) => flags | (isSet ? flag : 0), acceptedTypes(schema));
}

/** What has a function for it is accepted besides the type that is expected. */
function acceptedTypes<C>({ type, string, members, others, elements }: Schema<C>): number {
  if (type === undefined) return FLAG.object | FLAG.list | FLAG.string | FLAG.scalar;
  const isList = elements !== undefined && type.type !== "object";
  const isObject = members !== undefined || others !== undefined;
  return FLAG[type.type] | (string ? FLAG.string : 0) | (isObject ? FLAG.object : 0) | (isList ? FLAG.list : 0);
}

/** Each schema is compiled once. */
export function compiledOf<C>(schema: Schema<C>): CompiledSchema<C> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the map has for each schema what was compiled from it
  const known = COMPILED.get(schema) as CompiledSchema<C> | undefined;
  const compiled = known ?? compileSchema(schema);
  if (known === undefined) COMPILED.set(schema, compiled);
  return compiled;
}
