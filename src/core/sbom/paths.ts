/** Who brings a component in: shortest paths from the described software, by ref. */
import type { SbomDocument } from "../model.ts";
import { EdgeGraph, type DependencyGraph, type RefIds } from "./ref-graph.ts";
import { knownSourceOf } from "./source.ts";

export interface DependencyPaths {
  /**
   * Refs from the root down to `ref` itself; empty when no path is known. Of a path with more than `longest` refs the
   * first and the last half of so many: in a chain of 20,000 all paths together would fill gigabytes.
   */
  from(ref: string, longest?: number): readonly string[];
}

/** Without a root, the search starts where nobody points to. */
export function dependencyPaths(document: SbomDocument): DependencyPaths {
  let search: Search | undefined;
  return {
    from(ref, longest = Infinity) {
      search ??= new Search(knownSourceOf(document)?.graph?.() ?? graphOf(document.dependencies), document.roots);
      const path = search.path(ref);
      const shown = path.length > longest ? [...path.slice(0, longest / 2), ...path.slice(-longest / 2)] : path;
      return shown.map((id) => search?.graph.refs.refOf(id) ?? "");
    },
  };
}

const START = -1;

/** Breadth first, and only as far as the ref that is asked for: each is visited once, whatever is asked. */
class Search {
  readonly graph: DependencyGraph;
  /** For each that was met, the one before it on a shortest path. */
  private readonly cameFrom = new Map<number, number>();
  private readonly queue: number[] = [];
  private visited = 0;

  constructor(graph: DependencyGraph, roots: readonly string[]) {
    this.graph = graph;
    for (const start of starts(graph, roots)) this.meet(start, START);
  }

  /** Ids from the root down to `ref`, or none. */
  path(ref: string): readonly number[] {
    const { refs } = this.graph;
    while (!this.cameFrom.has(refs.idOf(ref) ?? START) && this.visited < this.queue.length) this.nextLevel();
    const path: number[] = [];
    let id = refs.idOf(ref) ?? START;
    for (let before = this.cameFrom.get(id); before !== undefined; before = this.cameFrom.get(id)) {
      path.push(id);
      id = before;
    }
    return path.reverse();
  }

  /** All that are one step further from the roots. */
  private nextLevel(): void {
    for (const end = this.queue.length; this.visited < end; this.visited++) {
      const id = this.queue[this.visited] ?? START;
      for (const on of this.graph.on(id)) this.meet(on, id);
    }
  }

  private meet(id: number, from: number): void {
    if (this.cameFrom.has(id)) return;
    this.cameFrom.set(id, from);
    this.queue.push(id);
  }
}

/** The roots, when they depend on anything; else every ref on which nothing depends. */
function starts(graph: DependencyGraph, roots: readonly string[]): readonly number[] {
  const { refs } = graph;
  const known = roots.flatMap((root) => refs.idOf(root) ?? []);
  if (known.some((id) => graph.on(id).length > 0)) return known;
  const wanted = new Set<number>();
  for (let id = 0; id < refs.size; id++) for (const on of graph.on(id)) wanted.add(on);
  return Array.from({ length: refs.size }, (_, id) => id).filter((id) => !wanted.has(id));
}

function graphOf(dependencies: SbomDocument["dependencies"]): DependencyGraph {
  const refs = new TextRefs();
  const graph = new EdgeGraph(refs);
  for (const [ref, on] of dependencies) for (const each of on) graph.edge(refs.add(ref), refs.add(each));
  return graph;
}

class TextRefs implements RefIds {
  private readonly texts: string[] = [];
  private readonly ids = new Map<string, number>();

  get size(): number {
    return this.texts.length;
  }
  add(ref: string): number {
    const known = this.ids.get(ref);
    if (known !== undefined) return known;
    this.ids.set(ref, this.texts.length);
    return this.texts.push(ref) - 1;
  }
  idOf(ref: string): number | undefined {
    return this.ids.get(ref);
  }
  refOf(id: number): string {
    return this.texts[id] ?? "";
  }
}
