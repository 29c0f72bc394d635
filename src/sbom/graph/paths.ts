/** Shortest dependency paths from the described software to a component, by ref. */
import { hashOfText } from "../../json-rows/bytes.ts";
import type { ComponentDocument, DependencyGraph, ParsedDocument } from "../../model/index.ts";
import { lazy } from "../../text/values.ts";
import { DocumentComponent } from "../component.ts";

/** Answers by which chain of dependencies a component was introduced. */
export interface DependencyPaths {
  /**
   * Refs from the root down to `ref` itself; empty when no path is known. A path with more than `longest` refs is shortened
   * to the first and the last half of this many: all paths in a chain of 20,000 would fill gigabytes.
   */
  from(ref: string, longest?: number): readonly string[];
}

/** Refs that are kept as strings. */
const MAX_REFS = 16_384;

/** Without a root, the search starts at the refs on which nothing depends. */
export function dependencyPaths({
  roots,
  dependencies,
}: Pick<ParsedDocument, "roots" | "dependencies">): DependencyPaths {
  const search = lazy(() => new Search(dependencies().graph, roots));
  // Refs near the root are on many paths.
  const refs = new Map<number, string>();
  const refOf = (id: number): string => {
    const known = refs.get(id);
    if (known !== undefined) return known;
    const ref = search().graph.refs.refOf(id);
    if (refs.size < MAX_REFS) refs.set(id, ref);
    return ref;
  };
  return {
    from(ref, longest = Infinity) {
      const path = search().path(ref);
      const shown = path.length > longest ? [...path.slice(0, longest / 2), ...path.slice(-longest / 2)] : path;
      return shown.map(refOf);
    },
  };
}

const START = -1;
const NOT_REACHED = -2;

/**
 * Breadth first, and only as far as needed: each ref is visited once for all questions. Ids are kept in arrays of numbers,
 * because maps of a million refs take ten times the memory.
 */
class Search {
  readonly graph: DependencyGraph;
  /** For each id that was reached, the one before it on a shortest path. */
  private readonly cameFrom: Int32Array;
  private readonly queue: Int32Array;
  private reached = 0;
  private visited = 0;

  constructor(graph: DependencyGraph, roots: readonly string[]) {
    this.graph = graph;
    this.cameFrom = new Int32Array(graph.refs.size).fill(NOT_REACHED);
    this.queue = new Int32Array(graph.refs.size);
    for (const start of starts(graph, roots)) this.reach(start, START);
  }

  /** Ids from the root down to `ref`, or none. */
  path(ref: string): readonly number[] {
    const target = this.graph.refs.idOf(ref);
    if (target === undefined) return [];
    while (this.before(target) === NOT_REACHED && this.visited < this.reached) this.nextLevel();
    const path: number[] = [];
    if (this.before(target) !== NOT_REACHED) for (let id = target; id !== START; id = this.before(id)) path.push(id);
    return path.reverse();
  }

  private before(id: number): number {
    return this.cameFrom[id] ?? NOT_REACHED;
  }

  /** Visits all ids that are one step further from the roots. */
  private nextLevel(): void {
    for (const end = this.reached; this.visited < end; this.visited++) {
      const id = this.queue[this.visited] ?? START;
      this.graph.eachDependency(id, (target) => this.reach(target, id));
    }
  }

  private reach(id: number, from: number): void {
    if (this.before(id) !== NOT_REACHED) return;
    this.cameFrom[id] = from;
    this.queue[this.reached++] = id;
  }
}

/** The roots, if they depend on anything; otherwise every ref on which nothing depends. */
function starts(graph: DependencyGraph, roots: readonly string[]): readonly number[] {
  const { refs } = graph;
  const known = roots.flatMap((root) => refs.idOf(root) ?? []);
  if (known.some((id) => hasDependencies(graph, id))) return known;
  const isTarget = new Uint8Array(refs.size);
  const mark = (target: number): void => {
    isTarget[target] = 1;
  };
  for (let id = 0; id < refs.size; id++) graph.eachDependency(id, mark);
  return Array.from({ length: refs.size }, (_, id) => id).filter((id) => isTarget[id] === 0);
}

function hasDependencies(graph: DependencyGraph, id: number): boolean {
  let found = false;
  graph.eachDependency(id, () => {
    found = true;
  });
  return found;
}

/**
 * Names by ref: that of the first component with the ref. A ref of no component has no name. Components are compared by
 * the hashes of their refs, which are known without decoding them.
 */
export function namesOfRefs({ components }: ComponentDocument, refs: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const hashes = new Set([...refs].map((ref) => hashOfText(ref)));
  for (let index = 0; index < components.length && names.size < refs.size; index++) {
    const component = components.at(index);
    if (component === undefined || (component instanceof DocumentComponent && !hashes.has(component.refHash))) continue;
    const { bomRef } = component;
    if (bomRef !== undefined && refs.has(bomRef) && !names.has(bomRef)) names.set(bomRef, component.name);
  }
  return names;
}
