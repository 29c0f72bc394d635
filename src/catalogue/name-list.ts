/**
 * A sorted list of names in compressed blocks: a look-up inflates one block of 256 names, not the list of 63,666, which
 * would take 10 ms and 12 MB of a small check.
 *
 *     {"keys":["0ad","acpi",…],"starts":[0,1153,…]}      first name and first byte of each block, and the end of the last
 *     …                                                  the blocks: names with a line end each, deflated
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { corrupt } from "./format/corrupt.ts";

const BLOCK = 256;
const NEWLINE = 0x0a;

/** Packs names in ASCII without line ends. Deterministic for a version of zlib. */
export function packNames(names: readonly string[]): Buffer {
  const sorted = [...new Set(names)].sort();
  const keys: string[] = [];
  const starts: number[] = [];
  const blocks: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < sorted.length; at += BLOCK) {
    const block = deflateRawSync(`${sorted.slice(at, at + BLOCK).join("\n")}\n`, { level: 9 });
    keys.push(sorted[at] ?? "");
    starts.push(size);
    blocks.push(block);
    size += block.length;
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify({ keys, starts: [...starts, size] })}\n`), ...blocks]);
}

export class NameList {
  readonly #bytes: Buffer;
  readonly #origin: string;
  readonly #bodyFrom: number;
  readonly #keys: readonly string[];
  readonly #starts: readonly number[];
  readonly #blocks = new Map<number, Buffer>();

  /** @throws EolgateError `catalogue`, code `catalogue-corrupt`, here or at a look-up. */
  constructor(bytes: Buffer, origin: string) {
    const end = bytes.indexOf(NEWLINE);
    this.#bytes = bytes;
    this.#origin = origin;
    this.#bodyFrom = end + 1;
    const head = readHead(bytes.toString("latin1", 0, Math.max(0, end)));
    if (head === undefined) throw corrupt(origin, "its list of blocks cannot be read");
    [this.#keys, this.#starts] = [head.keys, head.starts];
    if (bytes.length !== this.#bodyFrom + (this.#starts.at(-1) ?? 0)) throw corrupt(origin, "it is truncated");
  }

  /** The blocks of lines, in order, that may contain names from `from` on, as long as their first name passes `isWithin`. */
  *blocks(from: string, isWithin: (key: string) => boolean): Iterable<Buffer> {
    const first = Math.max(0, this.#lastAtOrBefore(from));
    for (let index = first; index < this.#keys.length; index += 1) {
      if (index > first && !isWithin(this.#keys[index] ?? "")) return;
      yield this.#block(index);
    }
  }

  #lastAtOrBefore(name: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? "") <= name) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #block(index: number): Buffer {
    let lines = this.#blocks.get(index);
    if (lines === undefined) {
      const from = this.#bodyFrom + (this.#starts[index] ?? 0);
      const to = this.#bodyFrom + (this.#starts[index + 1] ?? 0);
      try {
        lines = inflateRawSync(this.#bytes.subarray(from, to));
      } catch (cause) {
        throw corrupt(this.#origin, `block ${index} cannot be inflated`, cause);
      }
      this.#blocks.set(index, lines);
    }
    return lines;
  }
}

interface Head {
  readonly keys: readonly string[];
  readonly starts: readonly number[];
}

function readHead(row: string): Head | undefined {
  try {
    const head: unknown = JSON.parse(row);
    return isHead(head) ? head : undefined;
  } catch {
    return undefined;
  }
}

function isHead(head: unknown): head is Head {
  if (typeof head !== "object" || head === null || !("keys" in head) || !("starts" in head)) return false;
  const { keys, starts } = head;
  return (
    Array.isArray(keys) &&
    Array.isArray(starts) &&
    starts.length === keys.length + 1 &&
    keys.every((key) => typeof key === "string") &&
    starts.every((start) => typeof start === "number")
  );
}
