/**
 * Release cycles that are split into editions: a bare version with several suffixed cycles, or with one next to a cycle
 * of the bare name. A query for the bare version is refused with the candidates. An edition with a name of its own
 * (`17-pro` next to `17-pro-max`) is not a bare version.
 */
export function splitCycles(names: readonly string[]): Readonly<Record<string, readonly string[]>> | undefined {
  const cycles = new Set(names);
  const suffixed = new Map<string, string[]>();
  for (const name of names) {
    for (const base of bareVersions(name)) {
      const known = suffixed.get(base);
      if (known) known.push(name);
      else suffixed.set(base, [name]);
    }
  }
  const split: Record<string, readonly string[]> = {};
  for (const [base, editions] of suffixed) {
    const isCycle = cycles.has(base);
    if (isCycle && SEPARATOR.test(base)) continue;
    if (isCycle) split[base] = [base, ...editions];
    else if (editions.length > 1) split[base] = editions;
  }
  return Object.keys(split).length > 0 ? split : undefined;
}

const SEPARATOR = /[-_ +]/;

/** Each part of a numbered cycle's name that ends before a separator: `11-24h2-e` → `11`, `11-24h2`. */
function bareVersions(name: string): readonly string[] {
  if (!/^\d/.test(name)) return [];
  const bases: string[] = [];
  for (let at = 1; at < name.length; at += 1) if (SEPARATOR.test(name[at] ?? "")) bases.push(name.slice(0, at));
  return bases;
}
