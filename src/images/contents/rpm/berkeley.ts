/**
 * Reads the Berkeley DB hash file `Packages` of rpm before 4.16. All values are listed without look-ups: the pages of
 * the hash in any order, with values in them or on overflow pages.
 * https://docs.oracle.com/cd/E17076_05/html/index.html, and the structures in
 * https://github.com/berkeleydb/libdb/blob/master/src/dbinc/db_page.h
 */

const MAGIC = 0x00061561;
const META_PAGE = 8;
const OVERFLOW_PAGE = 7;
const HASH_PAGES: ReadonlySet<number> = new Set([2, 13]);
const PAGE_HEADER = 26;
const [ON_PAGE, OFF_PAGE] = [1, 3];
/** Length of the entry that counts the packages, which is not a package. */
const COUNTER = 4;

interface HashFile {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly pageSize: number;
  readonly isLittle: boolean;
}

export const isBerkeley = (bytes: Uint8Array): boolean => {
  if (bytes.length < 512) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return view.getUint32(12, true) === MAGIC || view.getUint32(12, false) === MAGIC;
};

/**
 * Returns the headers of all packages.
 * @throws TypeError with what is wrong with the file
 */
export function* berkeleyBlobs(bytes: Uint8Array): Generator<Uint8Array> {
  const file = openHash(bytes);
  const pages = Math.floor(bytes.length / file.pageSize);
  const lastPage = file.view.getUint32(32, file.isLittle);
  if (lastPage >= pages) throw new TypeError("pages at its end are missing");
  for (let page = 1; page <= lastPage; page++) {
    if (HASH_PAGES.has(bytes[page * file.pageSize + 25] ?? 0)) yield* valuesOf(file, page * file.pageSize);
  }
}

function openHash(bytes: Uint8Array): HashFile {
  if (!isBerkeley(bytes)) throw new TypeError("it is not a Berkeley DB hash file");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = view.getUint32(12, true) === MAGIC;
  const pageSize = view.getUint32(20, isLittle);
  const isPowerOfTwo = (pageSize & (pageSize - 1)) === 0;
  if (pageSize < 512 || pageSize > 65_536 || !isPowerOfTwo || bytes[25] !== META_PAGE || bytes[24] !== 0)
    throw new TypeError("its first page is damaged, or it is encrypted");
  return { bytes, view, pageSize, isLittle };
}

/** Keys and values alternate. Entries are stored from the end of the page downwards. */
function* valuesOf({ bytes, view, pageSize, isLittle }: HashFile, start: number): Generator<Uint8Array> {
  const count = view.getUint16(start + 20, isLittle);
  if (PAGE_HEADER + count * 2 > pageSize) throw new TypeError("a page is damaged");
  const offsetOf = (index: number): number => view.getUint16(start + PAGE_HEADER + index * 2, isLittle);
  for (let index = 1; index < count; index += 2) {
    const [from, to] = [offsetOf(index), offsetOf(index - 1)];
    if (from < PAGE_HEADER || from >= to || to > pageSize) throw new TypeError("an entry is damaged");
    const entry = bytes.subarray(start + from, start + to);
    if (entry[0] === OFF_PAGE) yield overflowValue({ bytes, view, pageSize, isLittle }, entry);
    else if (entry[0] !== ON_PAGE) throw new TypeError("an entry is of an unknown kind");
    else if (entry.length - 1 > COUNTER) yield entry.subarray(1);
  }
}

/** A value on a chain of overflow pages. The file size limits its length. */
function overflowValue({ bytes, view, pageSize, isLittle }: HashFile, entry: Uint8Array): Uint8Array {
  if (entry.length < 12) throw new TypeError("an entry is cut off");
  const pointer = new DataView(entry.buffer, entry.byteOffset, entry.byteLength);
  const length = pointer.getUint32(8, isLittle);
  if (length > bytes.length) throw new TypeError("a value is longer than the file");
  const value = new Uint8Array(length);
  let filled = 0;
  for (let page = pointer.getUint32(4, isLittle); filled < length;) {
    const start = page * pageSize;
    if (page === 0 || start + pageSize > bytes.length || bytes[start + 25] !== OVERFLOW_PAGE)
      throw new TypeError("a value is cut off");
    const size = view.getUint16(start + 22, isLittle);
    if (size === 0 || PAGE_HEADER + size > pageSize || filled + size > length)
      throw new TypeError("a value is damaged");
    value.set(bytes.subarray(start + PAGE_HEADER, start + PAGE_HEADER + size), filled);
    filled += size;
    page = view.getUint32(start + 16, isLittle);
  }
  return value;
}
