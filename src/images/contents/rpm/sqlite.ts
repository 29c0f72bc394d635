/**
 * Reads tables of an SQLite database from its bytes. Node's SQLite is not used: it needs a file, and it is not built
 * for untrusted bytes such as those of an image. https://www.sqlite.org/fileformat2.html
 */

const MAGIC = new TextEncoder().encode("SQLite format 3\0");
const [INTERIOR, LEAF] = [5, 13];

export const isSqlite = (file: Uint8Array): boolean =>
  file.length >= 512 && MAGIC.every((byte, index) => file[index] === byte);

/** A column's value: text and numbers as far as the schema needs them. */
type SqliteValue = Uint8Array | string | number | undefined;

/**
 * The rows of a table, as lists of its columns; an integer primary key has no value.
 * @param log the write-ahead log next to the database
 * @throws TypeError with what is wrong with the file
 */
export function* sqliteRows(file: Uint8Array, table: string, log?: Uint8Array): Generator<readonly SqliteValue[]> {
  const database = new SqliteFile(log === undefined ? file : applyWriteAheadLog(file, log));
  for (const [type, name, , root] of database.rows(1)) {
    if (type !== "table" || name !== table) continue;
    if (typeof root !== "number") throw new TypeError("its schema is damaged");
    yield* database.rows(root);
    return;
  }
  throw new TypeError(`it has no table ${table}`);
}

/**
 * Reads a variable-length integer: 7 bits in each byte, with the highest bit set in all but the last. Valid files have
 * no numbers above 2^53.
 */
function varint(bytes: Uint8Array, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let index = at; index < at + 9; index++) {
    const byte = bytes[index];
    if (byte === undefined) break;
    if (index === at + 8) return [value * 256 + byte, index + 1];
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, index + 1];
  }
  throw new TypeError("a record is cut off");
}

class SqliteFile {
  private readonly file: Uint8Array;
  private readonly view: DataView;
  private readonly pageSize: number;
  private readonly usable: number;

  constructor(file: Uint8Array) {
    if (!isSqlite(file)) throw new TypeError("it is not an SQLite database");
    this.file = file;
    this.view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const size = this.view.getUint16(16);
    this.pageSize = size === 1 ? 65_536 : size;
    this.usable = this.pageSize - (file[20] ?? 0);
    const isPowerOfTwo = (this.pageSize & (this.pageSize - 1)) === 0;
    if (this.pageSize < 512 || !isPowerOfTwo || this.usable < 480) throw new TypeError("its page size is wrong");
    if (this.view.getUint32(56) > 1) throw new TypeError("its text is UTF-16");
  }

  /** The rows of the table whose tree has its root on a page. */
  *rows(page: number): Generator<readonly SqliteValue[]> {
    const visited = new Set<number>();
    // A stack instead of recursion, and each page only once: a damaged tree may be endless.
    const open = [page];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (visited.has(next)) throw new TypeError("its pages form a circle");
      visited.add(next);
      const { start, isLeaf, cells, rightmost } = this.page(next);
      if (isLeaf) for (const cell of cells) yield this.record(cell, start);
      else open.push(rightmost, ...cells.map((cell) => this.view.getUint32(cell)).toReversed());
    }
  }

  private page(page: number) {
    const start = this.startOf(page);
    const header = start + (page === 1 ? 100 : 0);
    const kind = this.file[header];
    if (kind !== LEAF && kind !== INTERIOR) throw new TypeError("a page is not part of a table");
    const isLeaf = kind === LEAF;
    const pointers = header + (isLeaf ? 8 : 12);
    const count = this.view.getUint16(header + 3);
    const [first, end] = [pointers + count * 2, start + this.usable];
    const cells = Array.from({ length: count }, (_, index) => start + this.view.getUint16(pointers + index * 2));
    if (first > end || cells.some((cell) => cell < first || cell + 4 > end)) throw new TypeError("a page is damaged");
    return { start, isLeaf, cells, rightmost: isLeaf ? 0 : this.view.getUint32(header + 8) };
  }

  private startOf(page: number): number {
    const start = (page - 1) * this.pageSize;
    if (page < 1 || start + this.pageSize > this.file.length) throw new TypeError("pages are missing");
    return start;
  }

  private record(cell: number, start: number): readonly SqliteValue[] {
    const [length, afterLength] = varint(this.file, cell);
    const [, at] = varint(this.file, afterLength);
    return columns(this.payload({ length, at, end: start + this.usable }));
  }

  /** The content of a record; the part that does not fit into its page is on overflow pages. */
  private payload({
    length,
    at,
    end,
  }: {
    readonly length: number;
    readonly at: number;
    readonly end: number;
  }): Uint8Array {
    if (length > this.file.length) throw new TypeError("a record is longer than the file");
    const local = this.localSize(length);
    if (at + local > end) throw new TypeError("a record is cut off");
    if (local === length) return this.file.subarray(at, at + length);
    const payload = new Uint8Array(length);
    payload.set(this.file.subarray(at, at + local));
    let page = this.view.getUint32(at + local);
    for (let filled = local; filled < length;) {
      const from = this.startOf(page);
      const size = Math.min(length - filled, this.usable - 4);
      payload.set(this.file.subarray(from + 4, from + 4 + size), filled);
      filled += size;
      page = this.view.getUint32(from);
    }
    return payload;
  }

  /** Section 1.6 of the file format: how many bytes of a payload are stored in its cell. */
  private localSize(length: number): number {
    const largest = this.usable - 35;
    if (length <= largest) return length;
    const smallest = Math.floor(((this.usable - 12) * 32) / 255) - 23;
    const size = smallest + ((length - smallest) % (this.usable - 4));
    return size <= largest ? size : smallest;
  }
}

/** Bytes of the integers 1 to 6 of a record; 8 and 9 stand for 0 and 1. */
const INTEGER_SIZES = [0, 1, 2, 3, 4, 6, 8];

function columns(payload: Uint8Array): readonly SqliteValue[] {
  const [headerSize, first] = varint(payload, 0);
  const values: SqliteValue[] = [];
  let at = headerSize;
  for (let header = first; header < headerSize;) {
    const [type, next] = varint(payload, header);
    header = next;
    const size = sizeOf(type);
    if (at + size > payload.length) throw new TypeError("a record is cut off");
    values.push(valueOf(type, payload.subarray(at, at + size)));
    at += size;
  }
  return values;
}

const sizeOf = (type: number): number =>
  type >= 12 ? Math.floor((type - 12) / 2) : type === 7 ? 8 : (INTEGER_SIZES[type] ?? 0);

const decoder = new TextDecoder();

function valueOf(type: number, bytes: Uint8Array): SqliteValue {
  if (type >= 12) return type % 2 === 0 ? bytes : decoder.decode(bytes);
  if (type === 8 || type === 9) return type - 8;
  return type >= 1 && type <= 6 ? bytes.reduce((value, byte) => value * 256 + byte, 0) : undefined;
}

// The write-ahead log of an SQLite database: pages that were committed and not yet copied into it.
// https://www.sqlite.org/fileformat2.html#the_write_ahead_log

const HEADER = 32;
const FRAME_HEADER = 24;
const [LITTLE, BIG] = [0x377f0682, 0x377f0683];

/**
 * Returns the database with every committed frame applied; the same bytes for a log without one.
 * @throws TypeError when the log is damaged
 */
export function applyWriteAheadLog(file: Uint8Array, log: Uint8Array): Uint8Array {
  if (log.length < HEADER) return file;
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const magic = view.getUint32(0);
  if (magic !== LITTLE && magic !== BIG) throw new TypeError("its write-ahead log is damaged");
  const committed = committedFrames(view, view.getUint32(8), magic === LITTLE);
  if (committed === undefined) return file;
  const { pageSize, pages, frames } = committed;
  const size = pages * pageSize;
  if (size > file.length + log.length) throw new TypeError("its write-ahead log is damaged");
  const merged = new Uint8Array(size);
  merged.set(file.subarray(0, size));
  for (const [page, at] of frames)
    if (page >= 1 && page <= pages) merged.set(log.subarray(at, at + pageSize), (page - 1) * pageSize);
  return merged;
}

interface CommittedFrames {
  readonly pageSize: number;
  /** Pages of the database after the last commit. */
  readonly pages: number;
  /** Page number → where its newest content begins in the log. */
  readonly frames: ReadonlyMap<number, number>;
}

/** Frames of an older log follow those of the current one: salts and checksums distinguish them. */
function committedFrames(view: DataView, pageSize: number, isLittle: boolean): CommittedFrames | undefined {
  const frames = new Map<number, number>();
  let pending = new Map<number, number>();
  let pages = 0;
  const sum = new Checksum(view, isLittle);
  sum.add(0, HEADER - 8);
  if (!sum.equals(HEADER - 8) || pageSize < 512) return undefined;
  const size = FRAME_HEADER + pageSize;
  for (let at = HEADER; at + size <= view.byteLength; at += size) {
    const isCurrent = view.getUint32(at + 8) === view.getUint32(16) && view.getUint32(at + 12) === view.getUint32(20);
    sum.add(at, 8);
    sum.add(at + FRAME_HEADER, pageSize);
    if (!isCurrent || !sum.equals(at + 16)) break;
    pending.set(view.getUint32(at), at + FRAME_HEADER);
    const commit = view.getUint32(at + 4);
    if (commit === 0) continue;
    pages = commit;
    for (const [page, start] of pending) frames.set(page, start);
    pending = new Map();
  }
  return pages === 0 ? undefined : { pageSize, pages, frames };
}

/** Two sums over pairs of words, which continue from frame to frame. */
class Checksum {
  private readonly view: DataView;
  private readonly isLittle: boolean;
  private first = 0;
  private second = 0;

  constructor(view: DataView, isLittle: boolean) {
    this.view = view;
    this.isLittle = isLittle;
  }

  add(start: number, length: number): void {
    for (let at = start; at < start + length; at += 8) {
      this.first = (this.first + this.view.getUint32(at, this.isLittle) + this.second) >>> 0;
      this.second = (this.second + this.view.getUint32(at + 4, this.isLittle) + this.first) >>> 0;
    }
  }

  equals(at: number): boolean {
    return this.view.getUint32(at) === this.first && this.view.getUint32(at + 4) === this.second;
  }
}
