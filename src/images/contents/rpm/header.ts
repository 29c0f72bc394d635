/**
 * Parses the header of an installed rpm. Every backend of the rpm database stores the same format: two counts, the
 * index, the data; all numbers are big-endian. https://rpm-software-management.github.io/rpm/manual/format_header.html
 */
import type { InstalledPackage } from "../package.ts";

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
