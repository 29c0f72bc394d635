/** Parses TOML lockfiles, with the location of each table in the text, which the parser does not return. */
import { parse, TomlError } from "smol-toml";
import { lockfileError } from "./errors.ts";
import type { TextPlace } from "./lockfile.ts";

export type TomlTable = Readonly<Record<string, unknown>>;

export interface PlacedTable {
  readonly table: TomlTable;
  /** Where the table begins and where the next one of its array does. */
  readonly at: number;
  readonly end: number;
}

/**
 * Parses a TOML text.
 * @throws EolgateError `lockfile-broken` with the line
 */
export function parseToml(text: string): TomlTable {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [reason = ""] = cause.message.split("\n");
    throw lockfileError("lockfile-broken", `the file is not TOML: ${reason}`, text, lineStart(text, cause.line));
  }
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let next = 1; next < line; next++) at = text.indexOf("\n", at) + 1;
  return at;
}

export const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

export const tableAt = (table: TomlTable, ...path: readonly string[]): TomlTable =>
  path.reduce<TomlTable>((inner, key) => {
    const value = inner[key];
    return isTable(value) ? value : {};
  }, table);

export const stringAt = (table: TomlTable, key: string): string | undefined => {
  const value = table[key];
  return typeof value === "string" ? value : undefined;
};

/** A number or text at a key as text; versions of formats are written as either. */
export const versionAt = (table: TomlTable, key: string): string | undefined => {
  const value = table[key];
  return typeof value === "number" || typeof value === "string" ? String(value) : undefined;
};

export const listAt = (table: TomlTable, key: string): readonly unknown[] => {
  const value = table[key];
  return Array.isArray(value) ? value : [];
};

/** The tables of an array (`[[package]]`) with their locations: the n-th header belongs to the n-th table. */
export function placedTables(text: string, document: TomlTable, name: string): readonly PlacedTable[] {
  const tables = listAt(document, name).filter(isTable);
  const header = new RegExp(`^[ \\t]*\\[\\[[ \\t]*"?${name}"?[ \\t]*\\]\\]`, "gm");
  const starts = [...text.matchAll(header)].map(({ index }) => index);
  // A header inside a multi-line string counts as one too many; then the locations are not known.
  const exact = starts.length === tables.length;
  return tables.map((table, index) => ({
    table,
    at: exact ? (starts[index] ?? 0) : 0,
    end: exact ? (starts[index + 1] ?? text.length) : 0,
  }));
}

/** The location of the value of a key; that of the header if the key is missing. */
export function keyPlace(text: string, { at, end }: PlacedTable, key: string): TextPlace {
  const section = text.slice(at, end);
  const match = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*("[^"\\n]*"|'[^'\\n]*')`, "m").exec(section);
  const value = match?.[1];
  if (!match || value === undefined) return { at, length: Math.max(section.indexOf("\n"), 0) };
  return { at: at + match.index + match[0].length - value.length, length: value.length };
}
