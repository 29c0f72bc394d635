/** What follows from the graph of a lockfile: which packages only development needs. */
import type { LockedPackage } from "./lockfile.ts";

/** Ids of all packages that the roots need, the roots included. */
function reachable(packages: ReadonlyMap<string, LockedPackage>, roots: readonly string[]): ReadonlySet<string> {
  const met = new Set<string>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (met.has(id)) continue;
    met.add(id);
    open.push(...(packages.get(id)?.dependsOn ?? []));
  }
  return met;
}

/** Marks what development needs and nothing else does. An unreachable package keeps no mark. */
export function markDevelopment(
  packages: readonly LockedPackage[],
  runtime: readonly string[],
  development: readonly string[],
): readonly LockedPackage[] {
  const byId = new Map(packages.map((each) => [each.id, each]));
  const needed = reachable(byId, runtime);
  const tools = reachable(byId, development);
  return packages.map((each) =>
    !needed.has(each.id) && tools.has(each.id) ? { ...each, scope: "development" as const } : each,
  );
}
