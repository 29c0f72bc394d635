/** Determines from the graph of a lockfile which packages only development needs. */
import type { LockedPackage } from "./lockfile.ts";

/** Ids of all packages that the roots need, the roots included. */
function reachable(packages: ReadonlyMap<string, LockedPackage>, roots: readonly string[]): ReadonlySet<string> {
  const visited = new Set<string>();
  const pending = [...roots];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (visited.has(id)) continue;
    visited.add(id);
    pending.push(...(packages.get(id)?.dependsOn ?? []));
  }
  return visited;
}

/** Marks packages that only the development dependencies need. A package that no root needs is not marked. */
export function markDevelopment(
  packages: readonly LockedPackage[],
  runtime: readonly string[],
  development: readonly string[],
): readonly LockedPackage[] {
  const byId = new Map(packages.map((each) => [each.id, each]));
  const runtimeIds = reachable(byId, runtime);
  const developmentIds = reachable(byId, development);
  return packages.map((each) =>
    !runtimeIds.has(each.id) && developmentIds.has(each.id) ? { ...each, scope: "development" as const } : each,
  );
}
