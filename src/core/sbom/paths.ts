/** Who brings a component in: shortest paths from the described software, by ref. */
import type { SbomDocument } from "../model.ts";
import type { DependencyGraph } from "./ref-graph.ts";
import { knownSourceOf } from "./source.ts";

export interface DependencyPaths {
  /**
   * Refs from the root down to `ref` itself; empty when no path is known. Of a path with more than `longest` refs the
   * first and the last half of so many: in a chain of 20,000 all paths together would fill gigabytes.
   */
  from(ref: string, longest?: number): readonly string[];
}

/** Every ref is visited once, at the first question; without a root, the search starts where nobody points to. */
export function dependencyPaths(document: SbomDocument): DependencyPaths {
  let found: { readonly graph: DependencyGraph; readonly cameFrom: Int32Array } | undefined;
  return {
    from(ref, longest = Infinity) {
      if (found === undefined) {
        const graph = knownSourceOf(document)?.graph?.() ?? graphOf(document.dependencies);
        found = { graph, cameFrom: search(graph, document.roots) };
      }
      const { graph, cameFrom } = found;
      const path: number[] = [];
      for (let id = graph.idOf(ref) ?? NEVER; id !== START; id = cameFrom[id] ?? NEVER) {
        if (id === NEVER || cameFrom[id] === NEVER) return [];
        path.push(id);
      }
      const shown = path.length > longest ? [...path.slice(0, longest / 2), ...path.slice(-longest / 2)] : path;
      return shown.reverse().map((id) => graph.refOf(id));
    },
  };
}

const START = -1;
const NEVER = -2;

/** For each ref that can be reached, the one before it on a shortest path. */
function search(graph: DependencyGraph, roots: readonly string[]): Int32Array {
  const { size, edges } = graph;
  const { firsts, targets } = bySource(size, edges);
  const cameFrom = new Int32Array(size).fill(NEVER);
  const queue = new Int32Array(size);
  let filled = 0;
  for (const start of starts(graph, firsts, roots)) {
    cameFrom[start] = START;
    queue[filled++] = start;
  }
  for (let next = 0; next < filled; next++) {
    const id = queue[next] ?? 0;
    for (let at = firsts[id] ?? 0; at < (firsts[id + 1] ?? 0); at++) {
      const on = targets[at] ?? 0;
      if (cameFrom[on] !== NEVER) continue;
      cameFrom[on] = id;
      queue[filled++] = on;
    }
  }
  return cameFrom;
}

/** Edges sorted by who depends, in document order: those of `id` are `targets[firsts[id]…firsts[id + 1]]`. */
function bySource(size: number, edges: Int32Array): { readonly firsts: Int32Array; readonly targets: Int32Array } {
  const firsts = new Int32Array(size + 1);
  for (let at = 0; at < edges.length; at += 2) {
    const after = (edges[at] ?? 0) + 1;
    firsts[after] = (firsts[after] ?? 0) + 1;
  }
  for (let id = 0; id < size; id++) firsts[id + 1] = (firsts[id + 1] ?? 0) + (firsts[id] ?? 0);
  const free = firsts.slice();
  const targets = new Int32Array(edges.length / 2);
  for (let at = 0; at < edges.length; at += 2) {
    const from = edges[at] ?? 0;
    const place = free[from] ?? 0;
    targets[place] = edges[at + 1] ?? 0;
    free[from] = place + 1;
  }
  return { firsts, targets };
}

/** The roots, when they depend on anything; else every ref on which nothing depends. */
function starts(graph: DependencyGraph, firsts: Int32Array, roots: readonly string[]): readonly number[] {
  const { size, edges } = graph;
  const depends = (id: number): boolean => (firsts[id + 1] ?? 0) > (firsts[id] ?? 0);
  const known = roots.flatMap((root) => graph.idOf(root) ?? []);
  if (known.some(depends)) return known;
  const wanted = new Uint8Array(size);
  for (let at = 1; at < edges.length; at += 2) wanted[edges[at] ?? 0] = 1;
  return Array.from({ length: size }, (_, id) => id).filter((id) => wanted[id] === 0);
}

function graphOf(dependencies: SbomDocument["dependencies"]): DependencyGraph {
  const refs: string[] = [];
  const ids = new Map<string, number>();
  const edges: number[] = [];
  const idOf = (ref: string): number => {
    const known = ids.get(ref);
    if (known !== undefined) return known;
    ids.set(ref, refs.length);
    return refs.push(ref) - 1;
  };
  for (const [ref, on] of dependencies) {
    const from = idOf(ref);
    for (const each of on) edges.push(from, idOf(each));
  }
  return {
    size: refs.length,
    idOf: (ref) => ids.get(ref),
    refOf: (id) => refs[id] ?? "",
    edges: Int32Array.from(edges),
  };
}
