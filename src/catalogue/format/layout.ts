/**
 * The catalogue as a file: one JSON document with one record in a row, so that a difference can be reviewed and a record
 * can be read without parsing the rest.
 *
 *     {"format":"eolgate-catalogue/1","digest":"sha256:…","checksum":…,"signature":null,
 *     "directory":{"size":…,"sections":{"purls":{"keys":[…],"starts":[…],"checksums":[…]},…}},
 *     "content":{
 *     "metadata":{…},
 *     "products":{
 *     "adonisjs":{…},
 *     …
 *     },
 *     …
 *     }}
 *
 * Rows of a section are sorted by key and grouped in blocks of about 4 KiB. The directory lists, for each block, its first
 * key, its first byte (counted from the start of the third row) and its CRC-32, so that a look-up reads and verifies
 * one block. The digest covers every byte after the first row; `checksum` is the CRC-32 of the directory's row.
 */
import { byText } from "../../text/values.ts";
import { crc32 } from "node:zlib";
import { SECTION_FORMS, SECTION_NAMES, type FileSections, type SectionName } from "./sections.ts";

export interface Directory {
  /** Bytes from the start of the third row to the end of the file. */
  readonly size: number;
  readonly sections: Readonly<Partial<Record<SectionName, SectionDirectory>>>;
}
export interface SectionDirectory {
  /** First key of each block; of lists, the index of its first element. */
  readonly keys: readonly (string | number)[];
  /** First byte of each block, which is the line end before its first row, and one more: the end of the last block. */
  readonly starts: readonly number[];
  /** CRC-32 of each block. */
  readonly checksums: readonly number[];
}

/** Bytes after which a block ends. */
const BLOCK = 4096;

export interface LaidOut {
  /** Second row, without its line end. */
  readonly directory: string;
  /** From the third row to the end of the file. */
  readonly body: Buffer;
}

/** Deterministic: equal sections give equal bytes, regardless of the order in which their records were added. */
export function layOut(sections: FileSections): LaidOut {
  const writer = new TextWriter();
  writer.write('"content":{');
  const drafts = SECTION_NAMES.map((name, index) => [name, writeSection(writer, name, sections, index > 0)] as const);
  writer.write("\n}}\n");
  const body = Buffer.from(writer.text());
  const directory: Directory = {
    size: body.length,
    sections: Object.fromEntries(drafts.map(([name, { keys, starts }]) => [name, withChecksums(keys, starts, body)])),
  };
  return { directory: `"directory":${JSON.stringify(directory)},`, body };
}

interface Blocks {
  readonly keys: (string | number)[];
  readonly starts: number[];
}

function withChecksums(keys: Blocks["keys"], starts: Blocks["starts"], body: Buffer): SectionDirectory {
  const checksums = keys.map((_, index) => crc32(body.subarray(starts[index], starts[index + 1])));
  return { keys, starts, checksums };
}

function writeSection(writer: TextWriter, name: SectionName, sections: FileSections, follows: boolean): Blocks {
  const head = `${follows ? "," : ""}\n${JSON.stringify(name)}:`;
  if (SECTION_FORMS[name] === "value") {
    if (follows) writer.write(",");
    const start = writer.bytes;
    writer.write(`\n${JSON.stringify(name)}:${JSON.stringify(sections[name])}`);
    return { keys: [name], starts: [start, writer.bytes] };
  }
  const isList = SECTION_FORMS[name] === "list";
  writer.write(`${head}${isList ? "[" : "{"}`);
  const blocks = writeRows(writer, isList ? listRows(sections[name]) : recordRows(sections[name]));
  writer.write(`\n${isList ? "]" : "}"}`);
  return blocks;
}

type TextRow = readonly [key: string | number, text: string];

function writeRows(writer: TextWriter, rows: readonly TextRow[]): Blocks {
  const blocks: Blocks = { keys: [], starts: [] };
  rows.forEach(([key, text], index) => {
    const start = blocks.starts.at(-1);
    if (start === undefined || writer.bytes - start >= BLOCK) {
      blocks.keys.push(key);
      blocks.starts.push(writer.bytes);
    }
    writer.write(`\n${text}${index < rows.length - 1 ? "," : ""}`);
  });
  if (rows.length > 0) blocks.starts.push(writer.bytes);
  return blocks;
}

function recordRows(records: object): readonly TextRow[] {
  return Object.entries(records)
    .sort(([a], [b]) => byText(a, b))
    .map(([key, value]) => [key, `${JSON.stringify(key)}:${JSON.stringify(value)}`]);
}

function listRows(list: object): readonly TextRow[] {
  return Object.values(list).map((value, index) => [index, JSON.stringify(value)]);
}

/** Text with its length in bytes. */
class TextWriter {
  bytes = 0;
  readonly #parts: string[] = [];

  write(text: string): void {
    this.#parts.push(text);
    this.bytes += Buffer.byteLength(text);
  }

  text(): string {
    return this.#parts.join("");
  }
}
