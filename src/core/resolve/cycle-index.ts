/** A product's lines, arranged for exact questions. Made once for each product that is asked about. */
import type { Product, ReleaseCycle } from "../model.ts";
import { compareNumbers, normalizeVersion, isBoundary, leadingNumbers, startsWithCycle } from "./normalize-version.ts";

export interface CycleIndex {
  /** By folded name. */
  readonly named: ReadonlyMap<string, ReleaseCycle>;
  /** Codenames and labels. One may stand for several lines. */
  readonly aliases: ReadonlyMap<string, readonly ReleaseCycle[]>;
  /** The line that holds every version: retired projects, archived libraries. */
  readonly whole: ReleaseCycle | undefined;
  /** Whether every recorded release starts with its line's name. Where one does not, numbers need a rule of the product's own. */
  readonly numbered: boolean;
}

const cache = new WeakMap<Product, CycleIndex>();

export function cycleIndex(product: Product): CycleIndex {
  const known = cache.get(product);
  if (known) return known;
  const lines = arrange(product);
  cache.set(product, lines);
  return lines;
}

function arrange(product: Product): CycleIndex {
  const named = new Map<string, ReleaseCycle>();
  const aliases = new Map<string, ReleaseCycle[]>();
  for (const cycle of product.cycles) {
    named.set(normalizeVersion(cycle.name), cycle);
    for (const alias of aliasesOf(product, cycle)) aliases.set(alias, [...(aliases.get(alias) ?? []), cycle]);
  }
  for (const name of named.keys()) aliases.delete(name);
  const only = product.cycles.length === 1 ? product.cycles[0] : undefined;
  return {
    named,
    aliases,
    whole: only?.name === "all" ? only : undefined,
    numbered: product.cycles.every(({ name, latest }) => !latest || follows(latest.name, name)),
  };
}

/**
 * `Bookworm`, `12 (Bookworm)`; distributions are also called by the first word of `Jammy Jellyfish`. A codename in quotes
 * stands beside the label: `2019 'Aris/Seattle'` is called 2019.
 */
function aliasesOf(product: Product, { codename, label }: ReleaseCycle): ReadonlySet<string> {
  const aliases = new Set<string>();
  if (label) aliases.add(normalizeVersion(label)).add(normalizeVersion(label.replaceAll(/\s*'[^']*'/g, "")));
  if (codename) {
    const folded = normalizeVersion(codename.replaceAll(/['"]/g, ""));
    aliases.add(folded);
    if (product.category === "os") aliases.add(folded.split("-", 1)[0] ?? folded);
  }
  return aliases;
}

/** Records write words for a missing release (`N/A`, `unknown`); only numbers can contradict a line's name. */
function follows(latest: string, line: string): boolean {
  const release = normalizeVersion(latest);
  return !/\d/.test(release) || startsWithCycle(release, normalizeVersion(line)) || !/^\d/.test(release);
}

/** Beginnings of `version` at which a line's name may end, the longest first. */
export function* prefixes(version: string): Generator<string> {
  for (let end = version.length; end > 0; end -= 1) if (isBoundary(version, end)) yield version.slice(0, end);
}

/** Lines of which `version` names too little: `3` of 3.11 and 3.12. */
export function cyclesBelow(product: Product, version: string): readonly string[] {
  const number = /^\d+(?:\.\d+)*(?=$|-)/.exec(version)?.[0];
  if (number === undefined) return [];
  return product.cycles
    .map((cycle) => cycle.name)
    .filter((name) => normalizeVersion(name) !== number && startsWithCycle(normalizeVersion(name), number));
}

/** Whether `version` lies above every numbered line. */
export function isAboveAll(product: Product, version: string): boolean {
  const asked = leadingNumbers(version);
  if (asked.length === 0) return false;
  const numbered = product.cycles
    .map((cycle) => leadingNumbers(normalizeVersion(cycle.name)))
    .filter((numbers) => numbers.length > 0);
  return numbered.length > 0 && numbered.every((line) => compareNumbers(asked, line) > 0);
}
