/**
 * Which release cycles contain an affected version. A cycle `2.4` contains the versions from 2.4 up to 2.5. Undefined if
 * names are not numbers, one cycle contains another, or versions cannot be ordered: then no cycle is cleared.
 */
import { compareReleases } from "../../lifecycle/release-order.ts";
import type { KevRange } from "../../model/kev.ts";
import { parseKevRange } from "../../catalogue/kev-range.ts";

export function affectedCycles(names: readonly string[], ranges: readonly string[]): readonly string[] | undefined {
  if (names.some((name) => !/^\d+(?:\.\d+)*$/.test(name))) return undefined;
  if (names.some((name) => names.some((other) => other.startsWith(`${name}.`)))) return undefined;
  const parsed = ranges.map(parseKevRange).filter((range) => range !== undefined);
  const found: string[] = [];
  for (const name of names) {
    const meets = new Set(parsed.map((range) => overlaps(name, range)));
    if (meets.has(true)) found.push(name);
    else if (meets.has(undefined)) return undefined;
  }
  return found;
}

function overlaps(name: string, { from, to, toInclusive }: KevRange): boolean | undefined {
  const start = from === undefined ? -1 : compareReleases(from, nextCycle(name));
  const end = to === undefined ? 1 : compareReleases(to, name);
  if (start === undefined || end === undefined) return undefined;
  // The end of the range is the first version of the cycle: affected only where the range includes it.
  return start < 0 && (end > 0 || (end === 0 && toInclusive === true));
}

/** `2.4` → `2.5` */
function nextCycle(name: string): string {
  const numbers = name.split(".");
  return [...numbers.slice(0, -1), String(Number(numbers.at(-1)) + 1)].join(".");
}
