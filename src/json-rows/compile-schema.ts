/** Translates a schema to the tables of the tokenizer. */
import {
  ACCEPTS,
  FLAG,
  KEY,
  KEY_CHAINS,
  MAX_FIELDS,
  MAX_STATES,
  MEMBER_MASK,
  MEMBER_SHIFT,
  ROW_FIELDS,
  STATE,
  STATE_SHIFT,
  STATE_SIZE,
  TABLES,
  TABLES_SIZE,
  WRONG_TYPE,
} from "./memory-layout.ts";
import type { BytePattern } from "./bytes.ts";
import type { Schema, StoredField } from "./schema.ts";

export interface CompiledSchema<C> {
  /** The content of the tables. */
  readonly tables: Int32Array;
  /** Schemas by state. States count from 1. */
  readonly schemas: readonly Schema<C>[];
  /** The table entry of a key with escapes, which the tokenizer does not look up itself. */
  stateOfKey(schema: Schema<C>, key: string): number;
  /** The key of a member, for messages. */
  nameOf(schema: Schema<C>, member: number): string;
}

/** Bits of one number record which members of an object occurred. */
const MAX_MEMBERS = 30;

export const stateOf = (event: number): number => event >>> STATE_SHIFT;
export const memberOf = (event: number): number => (event >>> MEMBER_SHIFT) & MEMBER_MASK;
export const isWrongType = (event: number): boolean => (event & WRONG_TYPE) !== 0;
export const FIRST_STATE: number = 1 << STATE_SHIFT;

function compileSchema<C>(root: Schema<C>): CompiledSchema<C> {
  return new SchemaCompilation(root).result();
}

interface CompiledMembers {
  /** Address of the heads of the key chains, counted from the tables. */
  readonly heads: number;
  readonly keys: ReadonlyMap<string, number>;
}
const NO_MEMBERS = (): Readonly<Record<string, never>> => ({});

class SchemaCompilation<C> {
  /** By function: schemas with the same members share their tables. */
  private readonly compiled = new Map<NonNullable<Schema<C>["members"]>, CompiledMembers>();
  private readonly schemas: Schema<C>[] = [{}];
  private readonly states = new Map<Schema<C>, number>();
  private readonly keys = new Map<Schema<C>, ReadonlyMap<string, number>>();
  private readonly bytes = new Uint8Array(TABLES_SIZE);
  private readonly numbers = new Int32Array(this.bytes.buffer);
  private next = MAX_STATES * STATE_SIZE;

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

  /** The number of a schema, shifted as in events. */
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
    this.numbers[(state * STATE_SIZE + STATE[name]) >> 2] = value;
  }

  private compileChoices(choices: Readonly<Record<string, number>>): number {
    const heads = this.allocate(KEY_CHAINS * 4);
    for (const [text, choice] of Object.entries(choices)) this.addKey(heads, text, choice);
    return heads;
  }

  private addPattern({ steps }: BytePattern): number {
    const address = this.allocate(steps.byteLength);
    new Uint16Array(this.bytes.buffer).set(steps, address >> 1);
    return address;
  }

  private compileMembers(members: NonNullable<Schema<C>["members"]>): CompiledMembers {
    const heads = this.allocate(KEY_CHAINS * 4);
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

  /** Puts a key at the front of its chain. */
  private addKey(heads: number, key: string, event: number): void {
    const bytes = new TextEncoder().encode(key);
    const hash = (bytes.length + (bytes[0] ?? 0) * 5 + (bytes.at(-1) ?? 0) * 3) & (KEY_CHAINS - 1);
    const entry = this.allocate(KEY.bytes + bytes.length);
    const head = (heads >> 2) + hash;
    this.numbers[(entry + KEY.next) >> 2] = this.numbers[head] ?? 0;
    this.numbers[(entry + KEY.length) >> 2] = bytes.length;
    this.numbers[(entry + KEY.value) >> 2] = event;
    this.bytes.set(bytes, entry + KEY.bytes);
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

/** A type is accepted if it is expected, or if the schema has a function for it. */
function acceptedTypes<C>({ type, string, members, others, elements }: Schema<C>): number {
  if (type === undefined) return ACCEPTS.object | ACCEPTS.list | ACCEPTS.string | ACCEPTS.scalar;
  const isList = elements !== undefined && type.type !== "object";
  const isObject = members !== undefined || others !== undefined;
  return (
    ACCEPTS[type.type] | (string ? ACCEPTS.string : 0) | (isObject ? ACCEPTS.object : 0) | (isList ? ACCEPTS.list : 0)
  );
}

export function compiledOf<C>(schema: Schema<C>): CompiledSchema<C> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the value was compiled from this schema
  const known = COMPILED.get(schema) as CompiledSchema<C> | undefined;
  const compiled = known ?? compileSchema(schema);
  if (known === undefined) COMPILED.set(schema, compiled);
  return compiled;
}
