/**
 * Describes the values of a JSON document that a reader needs and what to do with each. Everything else is validated and
 * skipped. `C` is what the reader collects into.
 */
import type { ByteSource } from "../byte-source.ts";
import type { KeyTable } from "../key-table.ts";

/** The value that is being read. It is valid during the call only. */
export interface JsonValue {
  /** Position of its first byte, and of the first byte behind it. */
  readonly start: number;
  readonly end: number;
  /** Position of the content of a string, behind its opening quote. */
  readonly textStart: number;
  /** Index in the nearest list around it, from 0. */
  readonly index: number;
  readonly isString: boolean;
  readonly isNull: boolean;
  readonly isObject: boolean;
  readonly isList: boolean;
  /** Decodes a string. */
  text(): string;
  /** Looks a string up. */
  find<V>(table: KeyTable<V>): V | undefined;
  /** Calls `use` with the UTF-8 bytes of a string. */
  withBytes<T>(use: (bytes: Uint8Array, start: number, end: number) => T): T;
  /** Calls `use` with the bytes of an object, of which the opening bracket and two more bytes are there. */
  withOpening<T>(use: (bytes: Uint8Array, start: number) => T): T;
  /** The beginning of the value as it is written: enough to recognise one that has a wrong type. */
  raw(): string;
  /** `line 3, column 14`, where it begins. */
  where(): string;
  /** Notes why the document has to be refused. The first reason counts. */
  refuse(at: number, makeError: (where: string) => Error): void;
  /** Ends the reading: what was requested is known. */
  stop(): void;
}

type Visit<C> = (into: C, value: JsonValue) => void;

export interface Schema<C> {
  /** The value begins, of whatever type. Called before the other functions. */
  readonly begin?: Visit<C>;
  /** It is a string; `value.text()` decodes it. */
  readonly string?: Visit<C>;
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

/** Absent values and values of another type have this position. */
export const ABSENT = -1;

/** Notes the position of a string's content. Any other value counts as absent. */
export const textPosition = <C>(set: (into: C, position: number) => void): Schema<C> => ({
  begin: (into) => set(into, ABSENT),
  string: (into, value) => set(into, value.textStart),
});

/** What `readJson` returns: where the value ends, and whether the document has to be refused. */
export interface JsonResult {
  readonly end: number;
  throwRefusal(): void;
}

/** Reads the value at `position` along `schema` and collects into `into`. */
export type ReadJson = <C>(source: ByteSource, position: number, schema: Schema<C>, into: C) => JsonResult;
