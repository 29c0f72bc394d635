/**
 * The write-ahead log of an SQLite database: pages that were committed and not yet copied into it.
 * https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */

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
