/** Graphs of dependencies by the ids of their refs. */
import type { Dependencies, DependencyGraph, RefIds } from "../../model/index.ts";
import { RefTable } from "./ref-table.ts";

/** A graph that is filled edge by edge. Edges are kept as pairs of numbers and sorted at the first question. */
export class EdgeGraph<Refs extends RefIds> implements DependencyGraph {
  readonly refs: Refs;
  private pairs = new Int32Array(2048);
  private length = 0;
  private sorted: { readonly offsets: Int32Array; readonly targets: Int32Array } | undefined = undefined;

  constructor(refs: Refs) {
    this.refs = refs;
  }

  addEdge(from: number, to: number): void {
    if (this.length === this.pairs.length) {
      const larger = new Int32Array(this.pairs.length * 2);
      larger.set(this.pairs);
      this.pairs = larger;
    }
    this.pairs[this.length++] = from;
    this.pairs[this.length++] = to;
    this.sorted = undefined;
  }

  eachDependency(id: number, use: (to: number) => void): void {
    const { offsets, targets } = (this.sorted ??= this.sort());
    for (let at = numberAt(offsets, id); at < numberAt(offsets, id + 1); at++) use(numberAt(targets, at));
  }

  /** Targets by origin: a counting sort, which keeps the order of the edges of one origin. */
  private sort(): { readonly offsets: Int32Array; readonly targets: Int32Array } {
    const offsets = new Int32Array(this.refs.size + 2);
    const pairs = this.pairs.subarray(0, this.length);
    for (let at = 0; at < pairs.length; at += 2) add(offsets, numberAt(pairs, at) + 2, 1);
    for (let id = 1; id < offsets.length; id++) add(offsets, id, numberAt(offsets, id - 1));
    const targets = new Int32Array(pairs.length / 2);
    for (let at = 0; at < pairs.length; at += 2) {
      const from = numberAt(pairs, at) + 1;
      targets[numberAt(offsets, from)] = numberAt(pairs, at + 1);
      add(offsets, from, 1);
    }
    return { offsets, targets };
  }
}

const numberAt = (numbers: Int32Array, index: number): number => numbers[index] ?? 0;
function add(numbers: Int32Array, index: number, value: number): void {
  numbers[index] = numberAt(numbers, index) + value;
}

/** The dependencies as a map of refs. */
export function toDependencyMap({ graph, nodes }: Dependencies): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const id of new Set(nodes)) {
    const targets: string[] = [];
    graph.eachDependency(id, (to) => void targets.push(graph.refs.refOf(to)));
    map.set(graph.refs.refOf(id), targets);
  }
  return map;
}

/** The dependencies of a map of refs. */
export function dependenciesOf(map: ReadonlyMap<string, readonly string[]>): Dependencies {
  const refs = new RefTable();
  const graph = new EdgeGraph(refs);
  const nodes: number[] = [];
  for (const [ref, targets] of map) {
    const from = refs.addText(ref);
    nodes.push(from);
    for (const target of targets) graph.addEdge(from, refs.addText(target));
  }
  return { graph, nodes };
}
