/**
 * Describes the values of a JSON document that a reader needs and what to do with each. Everything else is validated and
 * skipped. `C` is what the reader collects into.
 */
import type { ByteSource } from "./byte-source.ts";
import type { KeyTable } from "./key-table.ts";
import type { BytePattern } from "./pattern.ts";

/** The value that is being read. It is valid during the call only. */
export interface JsonValue {
  /** Position of its first byte, and of the first byte behind it. */
  readonly start: number;
  readonly end: number;
  /** Position of the content of a string, behind its opening quote. */
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
  /** Looks a string up. */
  find<V>(table: KeyTable<V>): V | undefined;
  /** Calls `use` with the UTF-8 bytes of a string, and its hash. */
  withBytes<T>(use: (bytes: Uint8Array, start: number, end: number, hash: number) => T): T;
  /** The beginning of the value as it is written: enough to recognise one that has a wrong type. */
  raw(): string;
  /** `line 3, column 14`, where it begins. */
  where(): string;
  /** Notes why the document has to be refused. The first reason counts. */
  refuse(at: number, makeError: (where: string) => Error): void;
  /** Ends the reading: what was requested is known. */
  stop(): void;
}

/**
 * An object that ended, as numbers: the tokenizer keeps the values that `store` of its members selects. Rows within it ended before.
 * It is valid during the call only.
 */
export interface JsonRow {
  /** Counts the numbered rows of the document from 0, in the order in which they begin. -1 for the others. */
  readonly number: number;
  /** Number of the innermost row around it, or -1. */
  readonly parent: number;
  /** Index in the nearest list around it, from 0. */
  readonly index: number;
  /** Position of its first byte, and of the first byte behind it. */
  readonly start: number;
  readonly end: number;
  /** A stored number; 0 when there is none. */
  field(field: number): number;
}

/** A number of the row that a value is a member of. */
export interface StoredField {
  /** From 0 to 17. */
  readonly field: number;
  /**
   * `text`: where the content of a string begins. `start`: where a value of any type begins. Both are counted from the
   * beginning of the row. `choice`: what `choices` has for a string, from 1.
   */
  readonly as: "text" | "start" | "choice";
  readonly choices?: Readonly<Record<string, number>>;
  /** The field for the hash of the string. */
  readonly hash?: number;
  /** That hash is the one along this pattern: `hashAlong`. */
  readonly pattern?: () => BytePattern;
}

type Visit<C> = (into: C, value: JsonValue) => void;

export interface Schema<C> {
  /** The value begins, of whatever type. Called before the other functions. */
  readonly begin?: Visit<C>;
  /** It is a string; `value.text()` decodes it. */
  readonly string?: Visit<C>;
  /** It is no string. */
  readonly other?: Visit<C>;
  /** `value.hash` is needed in `string`. */
  readonly hashed?: boolean;
  /** Each object is a row, which is passed here when it ended. */
  readonly row?: (into: C, row: JsonRow) => void;
  /** Rows are counted, and values within them refer to them by number. */
  readonly numbered?: boolean;
  /** A row is dropped when this field has no number. */
  readonly needs?: number;
  /**
   * The graph of the document: each object that is a `node`, the string that is its `reference`, and the strings that are
   * its `edges`. A node without a reference counts for nothing.
   */
  readonly graph?: "node" | "reference" | "edge";
  /** What is kept of the value in its row. */
  readonly store?: StoredField;
  /** It is an object with `members` or `others`. */
  readonly open?: Visit<C>;
  /** That object ended before `value.end`. */
  readonly close?: Visit<C>;
  /** Values of an object by key. A function, because schemas may contain themselves. At most 30. */
  readonly members?: () => Readonly<Record<string, Schema<C>>>;
  /** Values of all other keys of the object. */
  readonly others?: () => Schema<C>;
  readonly elements?: () => Schema<C>;
  /** Another key that means the same: only one of the two may occur. */
  readonly sameAs?: string;
  /** The type that the value must have. Null is accepted as absent. */
  readonly type?: ExpectedType;
}

export interface ExpectedType {
  readonly type: "object" | "list" | "string";
  /** How messages call the value: `"components"`, `a package`. */
  readonly name: string;
}

/** Decodes a string. Any other value counts as absent. */
export const text = <C>(set: (into: C, value: string | undefined) => void): Schema<C> => ({
  begin: (into) => set(into, undefined),
  string: (into, value) => set(into, value.text()),
});

/** References of a document and the edges between them. References have ids, which count from 0. */
export interface JsonGraph {
  /** Number of references. */
  readonly size: number;
  /** The ids of the nodes in document order; one with several nodes occurs several times. */
  readonly nodes: Iterable<number>;
  /** Calls `use` with the ids that the nodes of `id` have edges to, in document order. */
  eachEdge(id: number, use: (to: number) => void): void;
  refOf(id: number): string;
  idOf(ref: string): number | undefined;
}

/** What `readJson` returns: where the value ends, and whether the document has to be refused. */
export interface JsonResult {
  readonly end: number;
  /** Without a schema that describes one, it is empty. */
  readonly graph: JsonGraph;
  throwRefusal(): void;
}

/** Reads the value at `position` along `schema` and collects into `into`. */
export type ReadJson = <C>(source: ByteSource, position: number, schema: Schema<C>, into: C) => JsonResult;
