/** Look-ups in a catalogue file: each reads, verifies and decodes one block of rows, and no other. */
import { crc32 } from "node:zlib";
import { hashGiven, hashGivenText } from "../../json-rows/bytes.ts";
import { parseOwnJson } from "../../platform/package-files.ts";
import { type CatalogueByteSource, corrupt } from "./head.ts";
import type { Directory, SectionDirectory } from "./layout.ts";
import { SECTION_FORMS, type FileSections, type SectionForm, type SectionName } from "./sections.ts";

type ElementOf<List> = List extends readonly (infer Item)[] ? Item : never;
type RecordOf<Records> = Records extends Readonly<Record<string, infer Value>> ? Value : never;

type SectionsOf<Form extends SectionForm> = {
  [Name in SectionName]: (typeof SECTION_FORMS)[Name] extends Form ? Name : never;
}[SectionName];
export type RecordSection = SectionsOf<"records">;
export type ListSection = SectionsOf<"list">;
export type ValueSection = SectionsOf<"value">;

/** Rows of one block: the text of records, or the elements of a list. */
interface Block {
  readonly text: string;
  rows?: readonly string[];
}

export interface SectionReaderOptions {
  readonly source: CatalogueByteSource;
  /** First byte of the third row: the directory counts from it. */
  readonly start: number;
  readonly directory: Directory;
  /** Named in errors. */
  readonly origin: string;
  /** Compare each block with its checksum. Not needed where the digest of the whole file was compared. */
  readonly verifyBlocks: boolean;
}

export class SectionReader {
  readonly #options: SectionReaderOptions;
  readonly #blocks = new Map<string, Block>();

  constructor(options: SectionReaderOptions) {
    this.#options = options;
  }

  /** A catalogue of an earlier version lacks sections that are made of others. */
  has(name: SectionName): boolean {
    return this.#options.directory.sections[name] !== undefined;
  }

  value<Name extends ValueSection>(name: Name): FileSections[Name] {
    const { text } = this.#block(name, 0);
    return this.#checked(() => parseOwnJson<FileSections[Name]>(text.slice(text.indexOf(":") + 1)));
  }

  record<Name extends RecordSection>(name: Name, key: string): RecordOf<FileSections[Name]> | undefined {
    const { keys } = this.#section(name);
    const index = lastAtOrBefore(keys, key);
    if (index < 0) return undefined;
    const { text } = this.#block(name, index);
    const head = `\n${JSON.stringify(key)}:`;
    const at = text.indexOf(head);
    if (at < 0) return undefined;
    const end = text.indexOf("\n", at + 1);
    return this.#checked(() =>
      parseOwnJson<RecordOf<FileSections[Name]>>(withoutComma(text.slice(at + head.length, end < 0 ? undefined : end))),
    );
  }

  element<Name extends ListSection>(name: Name, index: number): ElementOf<FileSections[Name]> | undefined {
    const { keys } = this.#section(name);
    const block = lastAtOrBefore(keys, index);
    if (block < 0) return undefined;
    const found = this.#block(name, block);
    found.rows ??= found.text.slice(1).split("\n");
    const row = found.rows[index - Number(keys[block])];
    return row === undefined
      ? undefined
      : this.#checked(() => parseOwnJson<ElementOf<FileSections[Name]>>(withoutComma(row)));
  }

  /** All keys of a section, in order. Reads the whole section. */
  keys(name: RecordSection): readonly string[] {
    return this.#rowsOf(name).map((row) => this.#keyOf(row));
  }

  /** A whole section. */
  all<Name extends SectionName>(name: Name): FileSections[Name] {
    if (isValue(name)) return this.value(name);
    const rows = this.#wholeText(name);
    return this.#checked(() =>
      parseOwnJson<FileSections[Name]>(SECTION_FORMS[name] === "list" ? `[${rows}]` : `{${rows}}`),
    );
  }

  /** Reads a section. The result finds the records whose rows contain a text, and parses no others. */
  search<Name extends RecordSection>(name: Name): (text: string) => FileSections[Name] {
    const rows = toBuffer(this.#whole(name));
    return (text) => this.#checked(() => parseOwnJson<FileSections[Name]>(`{${rowsContaining(rows, text).join(",")}}`));
  }

  /** The key of a row; it is decoded only where it has escapes (bench/table.ts). */
  #keyOf(row: string): string {
    const key = row.slice(1, row.indexOf('"', 1));
    return row.startsWith(`"${key}":`) && !key.includes("\\")
      ? key
      : this.#checked(() => parseOwnJson<string>(row.slice(0, endOfString(row))));
  }

  /** `hashGiven` of each key. Reads the whole section, and creates no strings (bench/table.ts). */
  keyHashes(name: RecordSection): ReadonlySet<number> {
    const rows = toBuffer(this.#whole(name));
    if (rows.includes(BACKSLASH)) return new Set(this.keys(name).map(hashGivenText));
    const hashes = new Set<number>();
    for (let at = rows.indexOf(NEWLINE); at >= 0; at = rows.indexOf(NEWLINE, at + 1))
      hashes.add(hashGiven(rows, at + KEY_AT));
    return hashes;
  }

  #rowsOf(name: SectionName): readonly string[] {
    return this.#section(name).keys.flatMap((_, index) => this.#block(name, index).text.slice(1).split("\n"));
  }

  /** The rows of all blocks, read at once. */
  #wholeText(name: SectionName): string {
    return decode(this.#whole(name)).slice(1);
  }

  #whole(name: SectionName): Uint8Array {
    const { keys, starts } = this.#section(name);
    const from = starts[0];
    if (keys.length === 0 || from === undefined) return new Uint8Array();
    const bytes = this.#read(name, 0, keys.length);
    for (const [index, start] of starts.slice(0, keys.length).entries())
      this.#verify(name, index, bytes.subarray(start - from, (starts[index + 1] ?? 0) - from));
    return bytes;
  }

  #section(name: SectionName): SectionDirectory {
    const section = this.#options.directory.sections[name];
    if (section !== undefined) return section;
    throw corrupt(this.#options.origin, `the section ${name} is missing`);
  }

  #block(name: SectionName, index: number): Block {
    const id = `${name} ${index}`;
    let block = this.#blocks.get(id);
    if (block === undefined) {
      block = { text: this.#verified(name, index) };
      this.#blocks.set(id, block);
    }
    return block;
  }

  #verified(name: SectionName, index: number): string {
    const bytes = this.#read(name, index, index + 1);
    this.#verify(name, index, bytes);
    return decode(bytes);
  }

  /** The bytes from one block up to another one. */
  #read(name: SectionName, first: number, end: number): Uint8Array {
    const { source, start, origin } = this.#options;
    const { starts } = this.#section(name);
    const [from, to] = [starts[first], starts[end]];
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from === undefined || to === undefined || to < from)
      throw corrupt(origin, `block ${first} of ${name} is not listed`);
    const bytes = source.read(start + from, start + to);
    if (bytes.length !== to - from) throw corrupt(origin, `it ends before block ${end - 1} of ${name}`);
    return bytes;
  }

  #verify(name: SectionName, index: number, bytes: Uint8Array): void {
    const { origin, verifyBlocks } = this.#options;
    if (verifyBlocks && crc32(bytes) !== this.#section(name).checksums[index])
      throw corrupt(origin, `the checksum of ${name} does not match`);
  }

  /** Parses a row. A block with a valid checksum can still contain a row that is not JSON. */
  #checked<Row>(parse: () => Row): Row {
    try {
      return parse();
    } catch (cause) {
      throw corrupt(this.#options.origin, "a record is not JSON", cause);
    }
  }
}

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
/** Where a key begins in its row, which begins with a line end. */
const KEY_AT = 2;
const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);
const decode = (bytes: Uint8Array): string => toBuffer(bytes).toString("utf8");

const isValue = (name: SectionName): name is ValueSection => SECTION_FORMS[name] === "value";

/** Index of the last key that is not greater than `key`; -1 where all are. */
export function lastAtOrBefore(keys: readonly (string | number)[], key: string | number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = keys[middle];
    if (found !== undefined && found <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const withoutComma = (row: string): string => (row.endsWith(",") ? row.slice(0, -1) : row);

/** Searches bytes, because a text of the whole section would add to what V8 has to collect. */
function rowsContaining(rows: Buffer, text: string): readonly string[] {
  const found: string[] = [];
  for (let at = rows.indexOf(text); at >= 0;) {
    const next = rows.indexOf(NEWLINE, at);
    const end = next < 0 ? rows.length : next;
    found.push(withoutComma(rows.toString("utf8", rows.lastIndexOf(NEWLINE, at) + 1, end)));
    at = rows.indexOf(text, end);
  }
  return found;
}

/** Index after the closing quote of the string that a row starts with. */
function endOfString(row: string): number {
  let at = 1;
  while (at < row.length && row[at] !== '"') at += row[at] === "\\" ? 2 : 1;
  return at + 1;
}
