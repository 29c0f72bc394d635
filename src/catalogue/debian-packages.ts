/**
 * Names of the binary packages that Debian 12 ships (main, updates, security), read on 2026-11-22 from its package index.
 * The list is read at the first look-up; `tools/debian-packages.ts` packs it.
 */
import { readPackageFile } from "../platform/package-files.ts";
import { NameList } from "./name-list.ts";
import { DEBIAN_PACKAGES } from "./places.ts";

const NEWLINE = 0x0a;

let list: NameList | undefined;

/**
 * Whether Debian 12 ships a binary package of this name, or of this name with other version numbers in it: libraries contain
 * the version of their interface, so that libicu67 of Debian 11 is libicu72 here. Ubuntu added `t64` to names in 24.04.
 */
export function inDebian12(name: string): boolean {
  list ??= new NameList(readPackageFile(DEBIAN_PACKAGES), "Debian's package names");
  return isListed(list, name);
}

export function isListed(names: NameList, name: string): boolean {
  if (hasName(names, name)) return true;
  const stem = name.replace(/t64$/, "");
  if (stem !== name && hasName(names, stem)) return true;
  const [prefix = ""] = stem.split(/\d/, 1);
  if (prefix === "" || prefix === stem) return false;
  for (const lines of names.blocks(prefix, (key) => key.startsWith(prefix)))
    if (hasOtherVersion(lines, stem)) return true;
  return false;
}

function hasName(names: NameList, name: string): boolean {
  // One block: the next one begins with a later name.
  for (const lines of names.blocks(name, () => false)) return hasLine(lines, Buffer.from(name, "utf8"));
  return false;
}

/** Whether sorted lines contain `name` with other numbers in place of its own. */
export function hasOtherVersion(lines: Buffer, name: string): boolean {
  const [prefix = ""] = name.split(/\d/, 1);
  if (prefix === "" || prefix === name) return false;
  const pattern = new RegExp(
    `^${name.replaceAll(/[.+*?^${}()|[\]\\]/g, "\\$&").replaceAll(/\d+(?:\\\.\d+)*/g, "\\d+(?:\\.\\d+)*")}$`,
  );
  const start = Buffer.from(prefix, "utf8");
  for (let at = lowerBound(lines, start); at < lines.length;) {
    const end = lines.indexOf(NEWLINE, at);
    const line = lines.subarray(at, end);
    if (Buffer.compare(line.subarray(0, start.length), start) !== 0) return false;
    if (pattern.test(line.toString("utf8"))) return true;
    at = end + 1;
  }
  return false;
}

/** The start of the first line that is not below `key`. */
function lowerBound(lines: Buffer, key: Buffer): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = middle === 0 ? 0 : lines.lastIndexOf(NEWLINE, middle - 1) + 1;
    const end = lines.indexOf(NEWLINE, middle);
    if (Buffer.compare(lines.subarray(start, end), key) < 0) low = end + 1;
    else high = start;
  }
  return low;
}

/** Whether sorted lines, each with its line end, contain `line`. */
export function hasLine(lines: Buffer, line: Buffer): boolean {
  const at = lowerBound(lines, line);
  return at < lines.length && lines.subarray(at, lines.indexOf(NEWLINE, at)).equals(line);
}
