/**
 * Names of the binary packages that Debian 11, 12 and 13 ship (with updates and security), read on 2026-11-22 from their
 * package indexes. The list is read at the first look-up; `tools/debian-packages.ts` packs it.
 */
import { inflateRawSync } from "node:zlib";
import { isRecord, MOST_ANSWERS, remembered } from "../text/values.ts";
import { readPackageFile } from "../platform/package-files.ts";
import { DEBIAN_PACKAGES } from "./places.ts";
import { corrupt } from "./format/head.ts";
import { lastAtOrBefore } from "./format/reader.ts";

const NEWLINE = 0x0a;

let list: NameList | undefined;

/** The releases whose names are packed: a line is a name, a space, and the sum of the numbers of its releases. */
export const LISTED_RELEASES: Readonly<Record<string, number>> = { "11": 1, "12": 2, "13": 4 };
const ALL_RELEASES = 7;

/** Libraries contain the version of their interface, and kernels that of their build, of which an index keeps the newest. */
const NUMBERED_BUILD = /^(?:lib|linux-)/;

/**
 * Whether Debian ships a binary package of this name in `release`, by default in any listed release, or a library or
 * kernel of this name with other numbers. In a release without a list, other names may have other numbers, too
 * (`tomcat8`). Ubuntu added `t64` to names in 24.04.
 */
export const inDebian = (name: string, release?: string): boolean | undefined => inRelease(release)(name);

const inRelease = remembered((release: string | undefined) =>
  remembered((name: string) => isShipped(name, release), MOST_ANSWERS),
);

function isShipped(name: string, release: string | undefined): boolean | undefined {
  list ??= new NameList(readPackageFile(DEBIAN_PACKAGES), "Debian's package names");
  const listed = release === undefined ? ALL_RELEASES : LISTED_RELEASES[release];
  const found = isListed(list, name, listed ?? ALL_RELEASES, listed === undefined);
  return found || release === undefined || listed !== undefined ? found : undefined;
}

/** `releases`: the sum of the numbers of the releases that count. `anyNumbers`: names may have other numbers. */
export function isListed(names: NameList, name: string, releases = ALL_RELEASES, anyNumbers = false): boolean {
  if (/\s/.test(name)) return false;
  if (hasName(names, name, releases)) return true;
  const stem = name.replace(/t64$/, "");
  if (stem !== name && hasName(names, stem, releases)) return true;
  return (anyNumbers || NUMBERED_BUILD.test(stem)) && hasOtherNumbers(names, stem);
}

function hasOtherNumbers(names: NameList, name: string): boolean {
  const [prefix = ""] = name.split(/\d/, 1);
  if (prefix === "" || prefix === name) return false;
  const versions = name.replaceAll(/[.+*?^${}()|[\]\\]/g, "\\$&").replaceAll(/\d+(?:\\\.\d+)*/g, "\\d+(?:\\.\\d+)*");
  const pattern = new RegExp(`^${versions} \\d$`, "m");
  for (const lines of names.blocks(prefix, (key) => key.startsWith(prefix))) if (pattern.test(lines)) return true;
  return false;
}

function hasName(names: NameList, name: string, releases: number): boolean {
  // One block: the next one begins with a later name. Every number sorts before the colon.
  for (const lines of names.blocks(`${name} :`, () => false)) {
    const at = lines.indexOf(`\n${name} `);
    return at >= 0 && (Number(lines.charAt(at + name.length + 2)) & releases) !== 0;
  }
  return false;
}

// A sorted list of names in compressed blocks: a look-up inflates one block of 256 names, not the list of 85,080, which
// would take 10 ms and 12 MB of a small check.
//
//     {"keys":["0ad","acpi",…],"starts":[0,1153,…]}      first name and first byte of each block, and the end of the last
//     …                                                  the blocks: lines with a line end each, deflated

export class NameList {
  readonly #bytes: Buffer;
  readonly #origin: string;
  readonly #bodyFrom: number;
  readonly #keys: readonly string[];
  readonly #starts: readonly number[];
  readonly #blocks = new Map<number, string>();

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

  /**
   * The blocks, in order, that may contain names from `from` on, as long as their first name passes `isWithin`. Each line
   * follows a line end.
   */
  *blocks(from: string, isWithin: (key: string) => boolean): Iterable<string> {
    const first = Math.max(0, lastAtOrBefore(this.#keys, from));
    for (let index = first; index < this.#keys.length; index += 1) {
      if (index > first && !isWithin(this.#keys[index] ?? "")) return;
      yield this.#block(index);
    }
  }

  #block(index: number): string {
    let lines = this.#blocks.get(index);
    if (lines === undefined) {
      const from = this.#bodyFrom + (this.#starts[index] ?? 0);
      const to = this.#bodyFrom + (this.#starts[index + 1] ?? 0);
      try {
        lines = `\n${inflateRawSync(this.#bytes.subarray(from, to)).toString("latin1")}`;
      } catch (cause) {
        throw corrupt(this.#origin, `block ${index} cannot be inflated`, cause);
      }
      this.#blocks.set(index, lines);
    }
    return lines;
  }
}

interface RowHead {
  readonly keys: readonly string[];
  readonly starts: readonly number[];
}

function readHead(row: string): RowHead | undefined {
  try {
    const head: unknown = JSON.parse(row);
    return isHead(head) ? head : undefined;
  } catch {
    return undefined;
  }
}

const isListOf = (type: string, value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every((each) => typeof each === type);

function isHead(head: unknown): head is RowHead {
  if (!isRecord(head)) return false;
  const { keys, starts } = head;
  return isListOf("string", keys) && isListOf("number", starts) && starts.length === keys.length + 1;
}
