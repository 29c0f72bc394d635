/** Who brings a component in: shortest paths from the described software, by ref. */
import type { SbomDocument } from "../model.ts";

export interface DependencyPaths {
  /** Refs from the root down to `ref` itself; empty when no path is known. */
  from(ref: string): readonly string[];
}

/** Every ref is visited once, at the first question; without a root, the search starts where nobody points to. */
export function dependencyPaths(document: SbomDocument): DependencyPaths {
  let cameFrom: ReadonlyMap<string, string | null> | undefined;
  return {
    from(ref) {
      cameFrom ??= search(document);
      const path: string[] = [];
      for (let at: string | null | undefined = ref; typeof at === "string"; at = cameFrom.get(at)) {
        if (!cameFrom.has(at)) return [];
        path.push(at);
      }
      return path.reverse();
    },
  };
}

/** For each ref that can be reached, the one before it on a shortest path; null for a start. */
function search(document: SbomDocument): ReadonlyMap<string, string | null> {
  const { dependencies } = document;
  const cameFrom = new Map<string, string | null>();
  let wave = starts(document);
  for (const start of wave) cameFrom.set(start, null);
  while (wave.length > 0) {
    const next: string[] = [];
    for (const ref of wave) {
      for (const on of dependencies.get(ref) ?? []) {
        if (cameFrom.has(on)) continue;
        cameFrom.set(on, ref);
        next.push(on);
      }
    }
    wave = next;
  }
  return cameFrom;
}

function starts({ roots, dependencies }: SbomDocument): readonly string[] {
  if (roots.some((root) => dependencies.has(root))) return roots;
  const wanted = new Set<string>();
  for (const on of dependencies.values()) for (const ref of on) wanted.add(ref);
  return [...dependencies.keys()].filter((ref) => !wanted.has(ref));
}
