/** A sheet of a workbook (ECMA-376, SpreadsheetML) as CSV: one line for each row, cells by their column. */
import { inflateRawSync } from "node:zlib";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { feedChanged } from "./location.ts";
import { EolgateError } from "../../../messages/error.ts";

/** The two parts of a workbook that its first sheet needs. */
interface SheetParts {
  /** `xl/worksheets/sheet1.xml` */
  readonly sheet: string;
  /** `xl/sharedStrings.xml` */
  readonly strings: string;
}

/** @throws EolgateError `feed-changed` where a part is not what a workbook has. */
export function sheetCsv({ sheet, strings }: SheetParts): string {
  const shared = below(root(strings, "sst"), "si").map((item) => item.text);
  const rows = below(root(sheet, "worksheet"), "row").map((row) => cellsOf(row, shared));
  if (rows.length === 0) throw feedChanged("sheet", "rows");
  return `${rows.map((cells) => cells.map(quoted).join(",")).join("\n")}\n`;
}

function root(text: string, name: string): XmlElement {
  try {
    const { root: element } = parseXml(text);
    if (element && localName(element) === name) return element;
  } catch {
    // Reported below: it is no such part either way.
  }
  throw feedChanged(name, `the part ${name} of a workbook`);
}

/** The vendor's writer puts a prefix before every name. */
const localName = ({ name }: XmlElement): string => name.replace(/^.*:/, "");

const elements = ({ children }: XmlElement): readonly XmlElement[] =>
  children.filter((child): child is XmlElement => child instanceof XmlElement);

const below = (element: XmlElement, name: string): readonly XmlElement[] =>
  elements(element).flatMap((child) => (localName(child) === name ? [child] : below(child, name)));

/** Empty cells may be left out: the letters of a cell's address are its column. */
function cellsOf(row: XmlElement, shared: readonly string[]): readonly string[] {
  const cells: string[] = [];
  for (const cell of below(row, "c")) {
    const column = columnOf(cell.attributes["r"] ?? "");
    while (cells.length <= column) cells.push("");
    cells[column] = textOf(cell, shared);
  }
  return cells;
}

const COLUMNS = 64;
function columnOf(address: string): number {
  const letters = /^([A-Z]{1,2})\d+$/.exec(address)?.[1];
  if (letters === undefined) throw feedChanged(address, "the address of a cell");
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  if (column >= COLUMNS) throw feedChanged(address, `at most ${String(COLUMNS)} columns`);
  return column;
}

function textOf(cell: XmlElement, shared: readonly string[]): string {
  const value = elements(cell).find((child) => localName(child) === "v")?.text ?? "";
  if (cell.attributes["t"] !== "s") return value;
  const text = shared[Number(value)];
  if (text === undefined) throw feedChanged(cell.attributes["r"] ?? "", "a shared string");
  return text;
}

const quoted = (text: string): string => `"${text.replace(/\s+/g, " ").replaceAll('"', '""')}"`;

// Reads single members of a zip archive, stored or deflated, without ZIP64 and encryption.

const END = 0x06054b50;
const END_LENGTH = 22;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;
/** Bytes of a member, after decompression. */
const LIMIT = 64 * 1024 * 1024;

/** @throws EolgateError `feed-changed` where the archive is damaged, lacks the member, or the member is larger than 64 MiB. */
export function zipMember(archive: Buffer, name: string, where: string): Buffer {
  try {
    const entry = entries(archive).find((each) => each.name === name);
    if (entry === undefined) throw new RangeError(`it has no ${name}`);
    const member = content(archive, entry);
    if (member.length !== entry.size) throw new RangeError(`${name} is incomplete`);
    return member;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw EolgateError.of("feed-changed", { problem: `it is no readable zip archive: ${why}` }, { where, cause });
  }
}

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly at: number;
}

/** The central directory. The buffer throws a RangeError where it is too short. */
function entries(archive: Buffer): readonly ZipEntry[] {
  const end = endRecord(archive);
  const count = archive.readUInt16LE(end + 10);
  const found: ZipEntry[] = [];
  for (let at = archive.readUInt32LE(end + 16); found.length < count;) {
    expectSignature(archive, at, ENTRY);
    const length = archive.readUInt16LE(at + 28);
    found.push({
      name: archive.toString("utf8", at + ENTRY_LENGTH, at + ENTRY_LENGTH + length),
      method: archive.readUInt16LE(at + 10),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      at: archive.readUInt32LE(at + 42),
    });
    at += ENTRY_LENGTH + length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return found;
}

/** At the end of the archive, before a comment of at most 65,535 bytes. */
function endRecord(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_LENGTH - 0xffff);
  for (let at = archive.length - END_LENGTH; at >= first; at -= 1) if (archive.readUInt32LE(at) === END) return at;
  throw new RangeError("its directory is missing");
}

function content(archive: Buffer, { at, method, packed, size, name }: ZipEntry): Buffer {
  if (size > LIMIT) throw new RangeError(`${name} is larger than ${LIMIT} bytes`);
  expectSignature(archive, at, LOCAL);
  const start = at + LOCAL_LENGTH + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const data = archive.subarray(start, start + packed);
  if (method === 0) return data;
  if (method !== 8) throw new RangeError(`${name} has the compression method ${method}`);
  return inflateRawSync(data, { maxOutputLength: LIMIT });
}

function expectSignature(archive: Buffer, at: number, signature: number): void {
  if (archive.readUInt32LE(at) !== signature) throw new RangeError(`no record at byte ${at}`);
}
