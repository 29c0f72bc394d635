/**
 * A schema states which values of a JSON document are needed, and what to do with each. All other values are validated
 * and skipped. `C` is the type of the object that collects the results.
 */
import type { ByteSource } from "./source.ts";
import type { KeyTable, BytePattern } from "./bytes.ts";
import { EVENT } from "./memory-layout.ts";

/** The value that is being read. It is valid only during the call. */
export interface JsonValue {
  /** Position of its first byte, and of the first byte after it. */
  readonly start: number;
  readonly end: number;
  /** Position of the content of a string, after its opening quote. */
  readonly textStart: number;
  /** Index in the nearest list around it, from 0. */
  readonly index: number;
  /** Hash of a string of a schema that is `hashed`: `hashOf` of its UTF-8 bytes. */
  readonly hash: number;
  /** Number of the innermost row around it, or -1. */
  readonly row: number;
  readonly isString: boolean;
  readonly isNull: boolean;
  readonly isObject: boolean;
  readonly isList: boolean;
  /** Decodes a string. */
  text(): string;
  /** Looks up a string. */
  find<V>(table: KeyTable<V>): V | undefined;
  /** Calls `use` with the UTF-8 bytes of a string, and its hash. */
  withBytes<T>(use: (bytes: Uint8Array, start: number, end: number, hash: number) => T): T;
  /** The first bytes of the value as they are written, for messages. */
  raw(): string;
  /** Where it begins: `line 3, column 14`. */
  where(): string;
  /** Records why the document must be refused. Only the first reason is kept. */
  refuse(at: number, makeError: (where: string) => Error): void;
  /** Ends the reading. */
  stop(): void;
}

/**
 * An object that ended, as numbers: the values that `store` of its members selects. The rows within it ended before it.
 * It is valid only during the call.
 */
export interface JsonRow {
  /** Counts the numbered rows of the document from 0, in the order in which they begin. -1 for the others. */
  readonly number: number;
  /** Number of the innermost row around it, or -1. */
  readonly parent: number;
  /** Index in the nearest list around it, from 0. */
  readonly index: number;
  /** Position of its first byte, and of the first byte after it. */
  readonly start: number;
  readonly end: number;
  /** A stored number; 0 if there is none. */
  field(field: number): number;
  /** Copies the stored numbers that are not 0, `MAX_FIELDS` in all, to `target` from `at` on. */
  copyTo(target: Int32Array, at: number): void;
}

/** How a value is stored in the row that it is a member of. */
export interface StoredField {
  /** From 0 to 17. */
  readonly field: number;
  /**
   * `text`: where the content of a string begins. `start`: where a value of any type begins. Both are offsets from the
   * beginning of the row. `choice`: the number that `choices` gives for a string, from 1.
   */
  readonly as: "text" | "start" | "choice";
  readonly choices?: Readonly<Record<string, number>>;
  /** The field for the hash of the string. */
  readonly hash?: number;
  /** The hash is computed along this pattern, as by `hashAlong`. */
  readonly pattern?: () => BytePattern;
}

type Visit<C> = (into: C, value: JsonValue) => void;

export interface Schema<C> {
  /** A value of any type begins. Called before the other functions. */
  readonly begin?: Visit<C>;
  /** The value is a string; `value.text()` decodes it. */
  readonly string?: Visit<C>;
  /** The value is not a string. */
  readonly other?: Visit<C>;
  /** `value.hash` is needed in `string`. */
  readonly hashed?: boolean;
  /** Each object is a row. Called when the row ends. */
  readonly row?: (into: C, row: JsonRow) => void;
  /** The rows are numbered; values within a row have its number. */
  readonly numbered?: boolean;
  /** A row is dropped if this field is not set. */
  readonly needs?: number;
  /**
   * The graph of the document: each object that is a `node`, the string that is its `reference`, and the strings that are
   * its `edges`. A node without a reference is dropped.
   */
  readonly graph?: "node" | "reference" | "edge";
  /** What its row stores of the value. */
  readonly store?: StoredField;
  /** The value is an object with `members` or `others`. */
  readonly open?: Visit<C>;
  /** That object ended before `value.end`. */
  readonly close?: Visit<C>;
  /** Schemas by key. A function, because a schema may contain itself. At most 30. */
  readonly members?: () => Readonly<Record<string, Schema<C>>>;
  /** The schema of all other keys of the object. */
  readonly others?: () => Schema<C>;
  readonly elements?: () => Schema<C>;
  /** Another key with the same meaning. Only one of the two may occur. */
  readonly sameAs?: string;
  /** The type that the value must have. Null is accepted as absent. */
  readonly type?: ExpectedType;
}

export interface ExpectedType {
  readonly type: "object" | "list" | "string";
  /** The value's name in messages: `"components"`, `a package`. */
  readonly name: string;
}

/** Decodes a string. Any other value counts as absent. */
export const text = <C>(set: (into: C, value: string | undefined) => void): Schema<C> => ({
  begin: (into) => set(into, undefined),
  string: (into, value) => set(into, value.text()),
});

/** The references of a document and the edges between them. References have ids, which count from 0. */
export interface JsonGraph {
  /** Number of references. */
  readonly size: number;
  /** The ids of the nodes in document order. An id with several nodes occurs several times. */
  readonly nodes: Iterable<number>;
  /** Calls `use` with the ids that the nodes of `id` have edges to, in document order. */
  eachEdge(id: number, use: (to: number) => void): void;
  refOf(id: number): string;
  idOf(ref: string): number | undefined;
}

/** The result of `readJson`. `end` is the position after the value. */
export interface JsonResult {
  readonly end: number;
  /** Empty if the schema describes no graph. */
  readonly graph: JsonGraph;
  /** Throws the error of the first `refuse`, if there was one. */
  throwRefusal(): void;
}

/** Reads the value at `position` by `schema` and collects into `into`. */
export type ReadJson = <C>(source: ByteSource, position: number, schema: Schema<C>, into: C) => JsonResult;

/** How error messages name the types. */
export const TYPE_NAMES = {
  object: "an object",
  list: "a list",
  string: "a string",
  true: "true",
  false: "false",
  number: "a number",
} as const;

export type ValueType = keyof typeof TYPE_NAMES;

const OPEN_LIST = 0x5b;

/** `kind` is the event of the value, whose bytes are from `from` to `to`; a string without its quotes. */
export function valueType(bytes: Uint8Array, kind: number, from: number, to: number): ValueType {
  if (kind === EVENT.string || kind === EVENT.escapedString) return "string";
  // The beginning of a skipped value may not be in the window any more, so its closing bracket decides.
  if (kind === EVENT.skipped) return containerType((bytes[to - 1] ?? 0) - 2);
  const byte = bytes[from] ?? 0;
  return kind === EVENT.open ? containerType(byte) : scalarType(byte);
}

const containerType = (open: number): ValueType => (open === OPEN_LIST ? "list" : "object");
const scalarType = (first: number): ValueType => (first === 0x74 ? "true" : first === 0x66 ? "false" : "number");
