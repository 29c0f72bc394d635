/** Display names of release cycles: the label in the record, not the identifier in URLs. */
import type { ReleaseCycle } from "../model/index.ts";

type LabelledCycle = Pick<ReleaseCycle, "name" | "label">;

/** `11 26H1 (E)`: the cycle without the name of its product. */
export function cycleShortName(productName: string, cycle: LabelledCycle): string {
  if (cycle.name === "all" && cycle.label === undefined) return "all versions";
  const label = labelOf(cycle);
  const words = label.split(" ");
  const short = words.slice(sharedWords(productName, words)).join(" ");
  return short === "" || short.startsWith("(") ? label : short;
}

/**
 * `Microsoft Windows 11 26H1 (E)`. The cycle `all` contains every version and is not shown. Words and numbers that the
 * product's name ends with are not repeated (`Google Nexus` and `Nexus 9`, `Jackson 2` and 2.9), nor is a vendor that
 * both begin with (`Nokia Mobile` and `Nokia C20`). Footnote marks (`**`) are removed.
 */
export function cycleFullName(productName: string, cycle: LabelledCycle): string {
  const { name, label } = cycle;
  const words = productName.split(" ");
  if (name === "all" || (label === undefined && words.includes(name))) return productName;
  const labelWords = labelOf(cycle).split(" ");
  const hasVendor = label !== undefined && Math.min(words.length, labelWords.length) > 1 && words[0] === labelWords[0];
  if (hasVendor) return labelWords.join(" ");
  const kept = words.slice(0, words.length - repeatedWords(productName, labelWords));
  return [...kept, ...labelWords].join(" ");
}

/** The full name in two parts, of which the second, ` 11 26H1 (E)`, is not cut in narrow columns. */
export function cycleNameParts(productName: string, cycle: LabelledCycle): readonly [product: string, cycle: string] {
  const short = ` ${cycleShortName(productName, cycle)}`;
  const full = cycleFullName(productName, cycle);
  return full.endsWith(short) ? [full.slice(0, -short.length), short] : [full, ""];
}

function repeatedWords(productName: string, label: readonly string[]): number {
  const last = productName.split(" ").at(-1) ?? "";
  const isNumber = /^\d+(?:\.\d+)*$/.test(last) && label[0]?.startsWith(`${last}.`) === true;
  return isNumber ? 1 : sharedWords(productName, label);
}

/** Long-term cycles may have the label of another one: `11 24H2 (E)` and, under `11-24h2-e-lts`, the same. */
function labelOf({ name, label }: LabelledCycle): string {
  // A package of which every version is supported alike is a release cycle called `all`.
  if (name.endsWith("@all")) return name.slice(0, -"@all".length);
  if (label === undefined) return name;
  const plain = label.replace(/\s*\*+$/, "");
  return /-lts$/i.test(name) && !/\bLTS/i.test(plain) ? `${plain} LTS` : plain;
}

/** The number of words at the end of the product's name with which the label begins. */
function sharedWords(productName: string, label: readonly string[]): number {
  const words = productName.split(" ");
  for (let count = Math.min(words.length, label.length); count > 0; count -= 1) {
    const end = words.slice(words.length - count);
    if (end.every((word, index) => word.toLowerCase() === label[index]?.toLowerCase())) return count;
  }
  return 0;
}
