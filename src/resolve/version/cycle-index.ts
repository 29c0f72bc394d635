/** An index of a product's release cycles for exact look-ups. Built once for each product that is used. */
import type { Product, ReleaseCycle } from "../../model/index.ts";
import { rememberedOf } from "../../text/values.ts";
import { compareNumbers, hasVersionPrefix, leadingNumbers, normalizeVersion } from "./parse.ts";

export interface ReleaseCycleIndex {
  /** By normalized name. */
  readonly byName: ReadonlyMap<string, ReleaseCycle>;
  /** Codenames and labels. One may name several cycles. */
  readonly byAlias: ReadonlyMap<string, readonly ReleaseCycle[]>;
  /** The cycle that contains every version: retired projects, archived libraries. */
  readonly catchAll: ReleaseCycle | undefined;
  /**
   * Whether every recorded latest release starts with the name of its cycle. Where one does not, version numbers resolve
   * only by a scheme of the product.
   */
  readonly namesMatchReleases: boolean;
}

export const indexCycles: (product: Product) => ReleaseCycleIndex = rememberedOf((product) => {
  const byName = new Map<string, ReleaseCycle>();
  const byAlias = new Map<string, ReleaseCycle[]>();
  for (const cycle of product.cycles) {
    byName.set(normalizeVersion(cycle.name), cycle);
    for (const alias of aliasesOf(product, cycle)) byAlias.set(alias, [...(byAlias.get(alias) ?? []), cycle]);
  }
  addCodeNames(product, byName, byAlias);
  for (const name of byName.keys()) byAlias.delete(name);
  const only = product.cycles.length === 1 ? product.cycles[0] : undefined;
  return {
    byName,
    byAlias,
    catchAll: only?.name === "all" ? only : undefined,
    namesMatchReleases: product.cycles.every(({ name, latest }) => !latest || agrees(latest.name, name)),
  };
});

/** Code names that are not already another name of a cycle. */
function addCodeNames(
  { codeNames = {} }: Product,
  byName: ReleaseCycleIndex["byName"],
  byAlias: Map<string, ReleaseCycle[]>,
): void {
  for (const [codeName, name] of Object.entries(codeNames)) {
    const cycle = byName.get(normalizeVersion(name));
    if (cycle && !byAlias.has(codeName)) byAlias.set(codeName, [cycle]);
  }
}

/**
 * `Bookworm`, `12 (Bookworm)`; operating systems also by the first word of `Jammy Jellyfish`. A codename in quotes is
 * removed from the label: `2019 'Aris/Seattle'` has the alias 2019.
 */
function aliasesOf(product: Product, { codename, label }: ReleaseCycle): ReadonlySet<string> {
  const aliases = new Set<string>();
  if (label) aliases.add(normalizeVersion(label)).add(normalizeVersion(label.replaceAll(/\s*'[^']*'/g, "")));
  if (codename) {
    const normalized = normalizeVersion(codename.replaceAll(/['"]/g, ""));
    aliases.add(normalized);
    if (product.category === "os") aliases.add(normalized.split("-", 1)[0] ?? normalized);
  }
  return aliases;
}

/** Sources write words for a missing release (`N/A`, `unknown`); only a number can contradict the name of a cycle. */
function agrees(latest: string, cycleName: string): boolean {
  const release = normalizeVersion(latest);
  return !/\d/.test(release) || hasVersionPrefix(release, normalizeVersion(cycleName)) || !/^\d/.test(release);
}

/** Names of the cycles that an incomplete `version` may mean: `3` of 3.11 and 3.12. */
export function cyclesBelow(product: Product, version: string): readonly string[] {
  const number = /^\d+(?:\.\d+)*(?=$|-)/.exec(version)?.[0];
  if (number === undefined) return [];
  return [...indexCycles(product).byName]
    .filter(([name]) => name !== number && hasVersionPrefix(name, number))
    .map(([, cycle]) => cycle.name);
}

/** Whether `version` is above every numbered cycle. */
export function isAboveAllCycles(product: Product, version: string): boolean {
  const asked = leadingNumbers(version);
  if (asked.length === 0) return false;
  const numbered = product.cycles
    .map((cycle) => leadingNumbers(normalizeVersion(cycle.name)))
    .filter((numbers) => numbers.length > 0);
  return numbered.length > 0 && numbered.every((cycle) => compareNumbers(asked, cycle) > 0);
}
