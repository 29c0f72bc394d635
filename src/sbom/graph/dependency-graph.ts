/** Graphs of dependencies by the ids of their refs. */
import { hashOf, utf8Text } from "../../json-rows/bytes.ts";
import type { Dependencies, DependencyGraph, RefIds } from "../../model/index.ts";

const BLOCK_SIZE = 1 << 20;
const encoder = new TextEncoder();

export class RefTable implements RefIds {
  /** Of each id: the block, the index in it, the length, the hash. */
  private rows = new Int32Array(4 * 1024);
  private readonly blocks: Uint8Array[] = [];
  /** Bytes in use of the last block. */
  private used = 0;
  private count = 0;
  /** Open addressing: id + 1 at the place of a hash. */
  private slots = new Int32Array(4096);

  get size(): number {
    return this.count;
  }

  /** The id of a ref with this hash (`hashOf`); a new one when it was not known. */
  add(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slot = this.slotOf(hash, bytes, start, end);
    const known = this.slots[slot] ?? 0;
    if (known > 0) return known - 1;
    const block = this.reserve(end - start);
    const row = this.count * 4;
    if (row === this.rows.length) this.rows = doubled(this.rows);
    this.rows[row] = this.blocks.length - 1;
    this.rows[row + 1] = this.used;
    this.rows[row + 2] = end - start;
    this.rows[row + 3] = hash;
    // Refs are short: a loop is faster than a view of the bytes for each of them.
    for (let at = start; at < end; at++) block[this.used++] = bytes[at] ?? 0;
    this.slots[slot] = ++this.count;
    if (this.count * 2 > this.slots.length) this.spread();
    return this.count - 1;
  }
  addText(ref: string): number {
    const bytes = encoder.encode(ref);
    return this.add(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
  }

  hash(id: number): number {
    return this.rows[id * 4 + 3] ?? 0;
  }
  idOf(ref: string): number | undefined {
    const bytes = encoder.encode(ref);
    const known = this.slots[this.slotOf(hashOf(bytes, 0, bytes.length), bytes, 0, bytes.length)] ?? 0;
    return known > 0 ? known - 1 : undefined;
  }
  refOf(id: number): string {
    const [block = 0, start = 0, length = 0] = this.rows.subarray(id * 4, id * 4 + 3);
    const bytes = this.blocks[block];
    return bytes === undefined ? "" : utf8Text(bytes, start, start + length);
  }

  /** The slot of these bytes: theirs, or the free one where they belong. */
  private slotOf(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const { slots, rows } = this;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = slots[slot] ?? 0;
      if (known === 0) return slot;
      const row = (known - 1) * 4;
      if (rows[row + 3] === hash && rows[row + 2] === end - start && this.isRef(row, bytes, start)) return slot;
    }
  }

  private isRef(row: number, bytes: Uint8Array, start: number): boolean {
    const block = this.blocks[this.rows[row] ?? 0];
    const from = this.rows[row + 1] ?? 0;
    const length = this.rows[row + 2] ?? 0;
    if (block === undefined) return false;
    for (let at = 0; at < length; at++) if (block[from + at] !== bytes[start + at]) return false;
    return true;
  }

  /** A block with space for this many bytes from `used` on. */
  private reserve(length: number): Uint8Array {
    const last = this.blocks.at(-1);
    if (last !== undefined && this.used + length <= last.length) return last;
    const block = new Uint8Array(Math.max(BLOCK_SIZE, length));
    this.blocks.push(block);
    this.used = 0;
    return block;
  }

  private spread(): void {
    this.slots = new Int32Array(this.slots.length * 4);
    const mask = this.slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      let slot = this.hash(id) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = id + 1;
    }
  }
}

function doubled(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

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

export function toDependencyMap({ graph, nodes }: Dependencies): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const id of new Set(nodes)) {
    const targets: string[] = [];
    graph.eachDependency(id, (to) => void targets.push(graph.refs.refOf(to)));
    map.set(graph.refs.refOf(id), targets);
  }
  return map;
}

export function dependenciesOf(
  map: ReadonlyMap<string, readonly string[]>,
  rangeOf?: Dependencies["rangeOf"],
): Dependencies {
  const refs = new RefTable();
  const graph = new EdgeGraph(refs);
  const nodes: number[] = [];
  for (const [ref, targets] of map) {
    const from = refs.addText(ref);
    nodes.push(from);
    for (const target of targets) graph.addEdge(from, refs.addText(target));
  }
  return { graph, nodes, ...(rangeOf && { rangeOf }) };
}
