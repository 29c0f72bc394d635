/**
 * Reads rpm's own database format, `Packages.db`: a table of slots, and blobs in blocks of 16 bytes; all numbers are
 * little-endian. https://github.com/rpm-software-management/rpm/tree/master/lib/backend/ndb
 */

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
