/** Reads the packages of an rpm database of any backend. */
import { type InstalledPackage, packagesError } from "../package.ts";
import { berkeleyBlobs, isBerkeley } from "./berkeley.ts";
import { isSqlite, sqliteRows } from "./sqlite.ts";

export interface RpmDatabase {
  readonly bytes: Uint8Array;
  /** The write-ahead log next to an SQLite database. */
  readonly log?: Uint8Array | undefined;
}

/**
 * Reads all packages.
 * @throws EolgateError `image-archive` when the database cannot be read completely
 */
export function readRpm(database: RpmDatabase, where: string): readonly InstalledPackage[] {
  try {
    return packagesOf(database);
  } catch (cause) {
    // Reading outside the file throws a RangeError.
    const why = cause instanceof TypeError ? cause.message : "it is cut off or damaged";
    throw packagesError(why, where, cause);
  }
}

function packagesOf(database: RpmDatabase): readonly InstalledPackage[] {
  const packages: InstalledPackage[] = [];
  let remaining = database.bytes.length + (database.log?.length ?? 0);
  for (const blob of blobs(database)) {
    // Overlapping packages could make a small file take unlimited time.
    remaining -= blob.length;
    if (remaining < 0) throw new TypeError("its packages overlap");
    const found = readRpmHeader(blob);
    if (found !== undefined) packages.push(found);
  }
  return packages;
}

function* blobs({ bytes, log }: RpmDatabase): Generator<Uint8Array> {
  if (isNdb(bytes)) yield* ndbBlobs(bytes);
  else if (isBerkeley(bytes)) yield* berkeleyBlobs(bytes);
  else if (isSqlite(bytes)) {
    for (const [, blob] of sqliteRows(bytes, "Packages", log)) {
      if (!(blob instanceof Uint8Array)) throw new TypeError("a package is damaged");
      yield blob;
    }
  } else throw new TypeError("its format is not known");
}

// Reads rpm's own database format, `Packages.db`: a table of slots, and blobs in blocks of 16 bytes; all numbers are
// little-endian. https://github.com/rpm-software-management/rpm/tree/master/lib/backend/ndb

const PAGE = 4096;
const BLOCK = 16;
const SLOT = 16;
/** The header of the file takes the first two slots. */
const FIRST_SLOT = 2 * SLOT;
const [FILE_MAGIC, SLOT_MAGIC, BLOB_MAGIC] = [0x506d7052, 0x746f6c53, 0x53626c42];
/** 65,536 pages have slots for 16 million packages. */
const MAX_SLOT_PAGES = 65_536;

export const isNdb = (file: Uint8Array): boolean =>
  file.length >= FIRST_SLOT && new DataView(file.buffer, file.byteOffset).getUint32(0, true) === FILE_MAGIC;

/**
 * Returns the headers of all packages.
 * @throws TypeError with what is wrong with the file
 */
export function* ndbBlobs(file: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (!isNdb(file)) throw new TypeError("it is not an ndb database");
  const version = view.getUint32(4, true);
  if (version !== 0) throw new TypeError(`version ${String(version)} of the ndb format is not known`);
  const pages = view.getUint32(12, true);
  if (pages === 0 || pages > MAX_SLOT_PAGES || pages * PAGE > file.length) throw new TypeError("its slots are cut off");
  for (let at = FIRST_SLOT; at < pages * PAGE; at += SLOT) {
    if (view.getUint32(at, true) !== SLOT_MAGIC) throw new TypeError("a slot is damaged");
    const [index, block] = [view.getUint32(at + 4, true), view.getUint32(at + 8, true)];
    // A free slot has no block.
    if (block !== 0) yield blobAt(file, view, { index, start: block * BLOCK });
  }
}

function blobAt(
  file: Uint8Array,
  view: DataView,
  { index, start }: { readonly index: number; readonly start: number },
): Uint8Array {
  if (start + BLOCK > file.length) throw new TypeError("a package is outside the file");
  const length = view.getUint32(start + 12, true);
  if (view.getUint32(start, true) !== BLOB_MAGIC || view.getUint32(start + 4, true) !== index)
    throw new TypeError("a package is damaged");
  if (start + BLOCK + length > file.length) throw new TypeError("a package is cut off");
  return file.subarray(start + BLOCK, start + BLOCK + length);
}

// Parses the header of an installed rpm. Every backend of the rpm database stores the same format: two counts, the
// index, the data; all numbers are big-endian. https://rpm-software-management.github.io/rpm/manual/format_header.html

/** https://rpm-software-management.github.io/rpm/manual/tags.html */
const TAGS = [
  [1000, "name"],
  [1001, "version"],
  [1002, "release"],
  [1003, "epoch"],
  [1011, "vendor"],
  [1014, "license"],
  [1022, "architecture"],
  [1044, "source"],
  [5096, "module"],
] as const;
type HeaderField = (typeof TAGS)[number][1];
const FIELDS: ReadonlyMap<number, HeaderField> = new Map(TAGS);

const INT32 = 4;
const STRINGS: ReadonlySet<number> = new Set([6, 8, 9]);
const ENTRY = 16;
/** Limits of rpm itself. */
const MAX_ENTRIES = 0xffff;
const MAX_DATA = 256 * 1024 * 1024;

/** Signature keys are stored as packages of this name. */
const KEY_PACKAGE = "gpg-pubkey";

const decoder = new TextDecoder();

/**
 * Parses the header of a package; undefined for an entry that is not a package.
 * @throws TypeError with what is wrong with the header
 */
export function readRpmHeader(blob: Uint8Array): InstalledPackage | undefined {
  const { name, version, release, epoch, ...others } = fieldsOf(blob);
  if (name === KEY_PACKAGE) return undefined;
  if (!name || !version || !release) throw new TypeError("an entry has no name, no version or no release");
  return { name, version: `${version}-${release}`, ...(epoch !== undefined && epoch !== "0" && { epoch }), ...others };
}

function fieldsOf(blob: Uint8Array): Partial<Record<HeaderField, string>> {
  const header = openHeader(blob);
  const fields: Partial<Record<HeaderField, string>> = {};
  for (let at = 8; at < header.data; at += ENTRY) {
    const field = FIELDS.get(header.view.getUint32(at));
    if (field === undefined || fields[field] !== undefined) continue;
    const value = valueAt(header, header.view.getUint32(at + 4), header.view.getUint32(at + 8));
    if (value !== undefined && value !== "(none)") fields[field] = value;
  }
  return fields;
}

interface Header {
  readonly blob: Uint8Array;
  readonly view: DataView;
  /** Where the data begins and ends. */
  readonly data: number;
  readonly end: number;
}

function openHeader(blob: Uint8Array): Header {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  if (blob.length < 8) throw new TypeError("a header is cut off");
  const [count, size] = [view.getUint32(0), view.getUint32(4)];
  const data = 8 + count * ENTRY;
  if (count > MAX_ENTRIES || size > MAX_DATA || data + size > blob.length)
    throw new TypeError("a header is cut off, or its counts are wrong");
  return { blob, view, data, end: data + size };
}

function valueAt({ blob, view, data, end }: Header, type: number, offset: number): string | undefined {
  const start = data + offset;
  if (start >= end) throw new TypeError("a field is outside its header");
  if (STRINGS.has(type)) return textAt(blob, start, end);
  return type === INT32 && start + 4 <= end ? String(view.getUint32(start)) : undefined;
}

function textAt(blob: Uint8Array, start: number, limit: number): string {
  const end = blob.indexOf(0, start);
  if (end === -1 || end >= limit) throw new TypeError("a text has no end");
  return decoder.decode(blob.subarray(start, end));
}
