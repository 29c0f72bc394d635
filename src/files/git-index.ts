/**
 * Reads the paths that git tracks from its index. Patterns of .gitignore do not apply to them.
 * https://git-scm.com/docs/index-format
 */

/** Paths in the index, and the folders that contain them, with `/`, relative to the root of the repository. */
export interface TrackedPaths {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** Bytes of an entry before its hash: times, device, inode, mode, owner and size. */
const STATUS_BYTES = 40;
const EXTENDED = 0x40_00;
const NAME_LENGTH = 0x0f_ff;

/**
 * Parses an index of version 2, 3 or 4.
 * @param hashBytes 20 for SHA-1, 32 for SHA-256
 * @returns undefined for a text that is not an index, and for one whose entries are in another file
 */
export function readGitIndex(bytes: Uint8Array, hashBytes = 20): TrackedPaths | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== 0x44_49_52_43) return undefined;
  const version = view.getUint32(4);
  if (version < 2 || version > 4) return undefined;
  const files = new Set<string>();
  let at = 12;
  let name = Buffer.alloc(0);
  for (let count = view.getUint32(8); count > 0; count--) {
    const entry = entryAt(bytes, { view, at, start: at + STATUS_BYTES + hashBytes, version, previous: name });
    if (entry === undefined) return undefined;
    ({ next: at, name } = entry);
    files.add(name.toString("utf8").replace(/\/$/, ""));
  }
  return isSplit(bytes, at) ? undefined : { files, folders: foldersOf(files) };
}

interface EntryPlace {
  readonly view: DataView;
  readonly at: number;
  /** Of the flags. */
  readonly start: number;
  readonly version: number;
  /** The name before it: version 4 stores what differs. */
  readonly previous: Buffer;
}

function entryAt(bytes: Uint8Array, { view, at, start, version, previous }: EntryPlace) {
  if (start + 2 > bytes.length) return undefined;
  const flags = view.getUint16(start);
  const from = start + ((flags & EXTENDED) === 0 ? 2 : 4);
  if (version === 4) {
    const { value, next } = variableNumber(bytes, from);
    const end = bytes.indexOf(0, next);
    if (end === -1 || value > previous.length) return undefined;
    const kept = previous.subarray(0, previous.length - value);
    return { name: Buffer.concat([kept, bytes.subarray(next, end)]), next: end + 1 };
  }
  const known = flags & NAME_LENGTH;
  const end = known < NAME_LENGTH ? from + known : bytes.indexOf(0, from);
  if (bytes[end] !== 0) return undefined;
  // Entries are filled to a multiple of eight bytes, with one zero byte at least.
  return { name: Buffer.from(bytes.subarray(from, end)), next: at + ((end - at + 8) & ~7) };
}

/** Git's offset encoding: seven bits a byte, and one more for each further byte. */
function variableNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } {
  let next = start;
  let byte = bytes[next++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && next < bytes.length) {
    byte = bytes[next++] ?? 0;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, next };
}

/** Whether an extension `link` follows: the entries are then in a shared index. */
const isSplit = (bytes: Uint8Array, at: number): boolean =>
  new TextDecoder("latin1").decode(bytes.subarray(at, at + 4)) === "link";

function foldersOf(files: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of files)
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}
