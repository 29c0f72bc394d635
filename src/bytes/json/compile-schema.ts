/** Translates schemas to the tables of the tokenizer. */
import { TABLES, TABLES_SIZE } from "./memory-layout.ts";
import type { Schema } from "./schema.ts";

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

const MAX_STATES = 512;
const STATE_SHIFT = 12;
const MEMBER_SHIFT = 4;
/** Bits of one number record which members of an object occurred. */
const MAX_MEMBERS = 30;

export const stateOf = (event: number): number => event >>> STATE_SHIFT;
export const memberOf = (event: number): number => (event >>> MEMBER_SHIFT) & 31;
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
  private next = MAX_STATES * 16;

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
    if (schema.elements !== undefined) this.numbers[state * 4 + 1] = this.state(schema.elements());
    if (schema.others !== undefined) this.numbers[state * 4 + 2] = this.state(schema.others());
    if (schema.members === undefined && schema.others === undefined) return;
    const members = schema.members ?? NO_MEMBERS;
    const known = this.compiled.get(members) ?? this.compileMembers(members);
    this.compiled.set(members, known);
    this.numbers[state * 4] = TABLES + known.heads;
    this.keys.set(schema, known.keys);
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

/** Each schema is compiled once. */
export function compiledOf<C>(schema: Schema<C>): CompiledSchema<C> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the map has for each schema what was compiled from it
  const known = COMPILED.get(schema) as CompiledSchema<C> | undefined;
  const compiled = known ?? compileSchema(schema);
  if (known === undefined) COMPILED.set(schema, compiled);
  return compiled;
}
