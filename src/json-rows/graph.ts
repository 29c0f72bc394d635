/** The graph that the tokenizer made (graph.as), in its memory or in a copy. */
import { hashOf } from "./hash.ts";
import { utf8Text } from "./utf8.ts";
import { CHUNK_BITS, EDGES, NODES, REFS } from "./memory-layout.ts";
import type { JsonGraph } from "./schema.ts";
import type { Tokenizer } from "./tokenizer.ts";

const REF_SIZE = 16;
const NODE_SIZE = 8;
const EDGE_SIZE = 4;
const SLOT_SIZE = 4;
/** Offsets of the numbers of a reference. */
const LENGTH = 4;
const HASH = 8;
const FIRST_NODE = 12;
/** A larger graph keeps the memory of its tokenizer: a copy would take the same again. */
const MAX_COPY = 4 << 20;
const encoder = new TextEncoder();

class ReadGraph implements JsonGraph {
  readonly size: number;
  private readonly nodeCount: number;
  private readonly edgeCount: number;
  private readonly slotMask: number;
  /** The chunks, and the addresses of those of each array. */
  private readonly bytes: Uint8Array;
  private readonly numbers: Int32Array;
  private readonly start: number;
  private readonly refs: Int32Array;
  private readonly nodeParts: Int32Array;
  private readonly edges: Int32Array;
  private readonly slots: Int32Array;
  /** Nodes of the references that have several. */
  private readonly repeated: ReadonlyMap<number, readonly number[]>;

  constructor(tokenizer: Tokenizer) {
    const { chunksStart, chunksSize, slots, slotMask, refCount, nodeCount, edgeCount } = tokenizer.exports;
    this.size = refCount.value;
    this.nodeCount = nodeCount.value;
    this.edgeCount = edgeCount.value;
    this.slotMask = slotMask.value;
    const isCopy = chunksSize.value <= MAX_COPY;
    const { bytes } = tokenizer;
    this.start = isCopy ? 0 : chunksStart.value;
    this.bytes = isCopy ? bytes.slice(chunksStart.value, chunksStart.value + chunksSize.value) : bytes;
    this.numbers = isCopy ? new Int32Array(this.bytes.buffer) : tokenizer.numbers;
    if (!isCopy) tokenizer.isTaken = true;
    const directory = (address: number, size: number): Int32Array =>
      tokenizer.numbers.slice(address >> 2, (address >> 2) + Math.ceil(size / (1 << CHUNK_BITS)));
    this.refs = directory(REFS, this.size * REF_SIZE);
    this.nodeParts = directory(NODES, this.nodeCount * NODE_SIZE);
    this.edges = directory(EDGES, this.edgeCount * EDGE_SIZE);
    this.slots = directory(slots.value, (this.slotMask + 1) * SLOT_SIZE);
    this.repeated = tokenizer.exports.repeatedNodes.value > 0 ? this.findRepeated() : NONE;
  }

  get nodes(): Iterable<number> {
    return { [Symbol.iterator]: () => this.idsOfNodes() };
  }

  private *idsOfNodes(): Generator<number> {
    for (let node = 0; node < this.nodeCount; node++) yield this.idOfNode(node);
  }

  eachEdge(id: number, use: (to: number) => void): void {
    const several = this.repeated.get(id);
    const node = this.number(this.refs, id * REF_SIZE + FIRST_NODE) - 1;
    if (several !== undefined) for (const each of several) this.eachEdgeOf(each, use);
    else if (node >= 0) this.eachEdgeOf(node, use);
  }

  refOf(id: number): string {
    const start = this.start + this.number(this.refs, id * REF_SIZE);
    return utf8Text(this.bytes, start, start + this.number(this.refs, id * REF_SIZE + LENGTH));
  }

  idOf(ref: string): number | undefined {
    const text = encoder.encode(ref);
    const hash = hashOf(text, 0, text.length);
    for (let slot = hash & this.slotMask; ; slot = (slot + 1) & this.slotMask) {
      const id = this.number(this.slots, slot * SLOT_SIZE) - 1;
      if (id < 0) return undefined;
      if (this.number(this.refs, id * REF_SIZE + HASH) === hash && this.isText(id, text)) return id;
    }
  }

  private isText(id: number, text: Uint8Array): boolean {
    const start = this.start + this.number(this.refs, id * REF_SIZE);
    const length = this.number(this.refs, id * REF_SIZE + LENGTH);
    return length === text.length && text.every((byte, index) => this.bytes[start + index] === byte);
  }

  private eachEdgeOf(node: number, use: (to: number) => void): void {
    const end = node + 1 < this.nodeCount ? this.firstEdge(node + 1) : this.edgeCount;
    for (let edge = this.firstEdge(node); edge < end; edge++) use(this.number(this.edges, edge * EDGE_SIZE));
  }

  private idOfNode(node: number): number {
    return this.number(this.nodeParts, node * NODE_SIZE);
  }
  private firstEdge(node: number): number {
    return this.number(this.nodeParts, node * NODE_SIZE + 4);
  }

  /** The number at an offset in an array. */
  private number(directory: Int32Array, offset: number): number {
    const address = this.start + (directory[offset >> CHUNK_BITS] ?? 0) + (offset & ((1 << CHUNK_BITS) - 1));
    return this.numbers[address >> 2] ?? 0;
  }

  private findRepeated(): ReadonlyMap<number, readonly number[]> {
    const found = new Map<number, number[]>();
    for (let node = 0; node < this.nodeCount; node++) {
      const id = this.idOfNode(node);
      const first = this.number(this.refs, id * REF_SIZE + FIRST_NODE) - 1;
      if (first === node) continue;
      const nodes = found.get(id);
      if (nodes === undefined) found.set(id, [first, node]);
      else nodes.push(node);
    }
    return found;
  }
}

/** The graph of a document without one. */
export const EMPTY_GRAPH: JsonGraph = {
  size: 0,
  nodes: [],
  eachEdge: () => undefined,
  refOf: () => "",
  idOf: () => undefined,
};

/** What the tokenizer made of the document that it read last. */
export const graphIn = (tokenizer: Tokenizer): JsonGraph =>
  tokenizer.exports.refCount.value > 0 ? new ReadGraph(tokenizer) : EMPTY_GRAPH;

const NONE: ReadonlyMap<number, readonly number[]> = new Map();
