/** The results that the tokenizer leaves in its memory: a row that ended (tokenizer.as), and the graph (graph.as). */
import type { JsonRow, JsonGraph } from "./schema.ts";
import {
  CHUNK_BITS,
  EDGES,
  EDGE_SIZE,
  MAX_FIELDS,
  NODE,
  NODES,
  NODE_SIZE,
  REF,
  REFS,
  REF_SIZE,
  ROW,
  ROW_FIELDS,
  SLOT_SIZE,
} from "./memory-layout.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { hashOf, utf8Text } from "./bytes.ts";

/** A row as integers of 32 bits, and its position as a double. */
const ROW_PARENT = ROW.parent / 4;
const ROW_INDEX = ROW.index / 4;
const ROW_LENGTH = ROW.length / 4;
const ROW_POSITION = ROW.position / 8;

/** A row that ended, in the memory of the tokenizer. */
export class EndedRow implements JsonRow {
  private readonly tokenizer: Tokenizer;
  private address = 0;

  constructor(tokenizer: Tokenizer) {
    this.tokenizer = tokenizer;
  }

  at(address: number): this {
    this.address = address;
    return this;
  }

  get number(): number {
    return this.numberAt(0);
  }
  get parent(): number {
    return this.numberAt(ROW_PARENT) - 1;
  }
  get index(): number {
    return this.numberAt(ROW_INDEX);
  }
  get start(): number {
    return this.tokenizer.doubles[(this.address >> 3) + ROW_POSITION] ?? 0;
  }
  get end(): number {
    return this.start + this.numberAt(ROW_LENGTH);
  }
  field(field: number): number {
    return this.numberAt((ROW_FIELDS >> 2) + field);
  }
  copyTo(target: Int32Array, at: number): void {
    const { numbers } = this.tokenizer;
    const from = (this.address + ROW_FIELDS) >> 2;
    for (let field = 0; field < MAX_FIELDS; field++) {
      const value = numbers[from + field] ?? 0;
      if (value !== 0) target[at + field] = value;
    }
  }

  private numberAt(index: number): number {
    return this.tokenizer.numbers[(this.address >> 2) + index] ?? 0;
  }
}

/** A larger graph keeps the memory of its tokenizer, because a copy would need the same amount again. */
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
  /** The nodes of each reference that has several. */
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
    const node = this.number(this.refs, id * REF_SIZE + REF.firstNode) - 1;
    if (several !== undefined) for (const each of several) this.eachEdgeOf(each, use);
    else if (node >= 0) this.eachEdgeOf(node, use);
  }

  refOf(id: number): string {
    const start = this.start + this.number(this.refs, id * REF_SIZE);
    return utf8Text(this.bytes, start, start + this.number(this.refs, id * REF_SIZE + REF.length));
  }

  idOf(ref: string): number | undefined {
    const text = encoder.encode(ref);
    const hash = hashOf(text, 0, text.length);
    for (let slot = hash & this.slotMask; ; slot = (slot + 1) & this.slotMask) {
      const id = this.number(this.slots, slot * SLOT_SIZE) - 1;
      if (id < 0) return undefined;
      if (this.number(this.refs, id * REF_SIZE + REF.hash) === hash && this.isText(id, text)) return id;
    }
  }

  private isText(id: number, text: Uint8Array): boolean {
    const start = this.start + this.number(this.refs, id * REF_SIZE);
    const length = this.number(this.refs, id * REF_SIZE + REF.length);
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
    return this.number(this.nodeParts, node * NODE_SIZE + NODE.firstEdge);
  }

  private number(directory: Int32Array, offset: number): number {
    const address = this.start + (directory[offset >> CHUNK_BITS] ?? 0) + (offset & ((1 << CHUNK_BITS) - 1));
    return this.numbers[address >> 2] ?? 0;
  }

  private findRepeated(): ReadonlyMap<number, readonly number[]> {
    const found = new Map<number, number[]>();
    for (let node = 0; node < this.nodeCount; node++) {
      const id = this.idOfNode(node);
      const first = this.number(this.refs, id * REF_SIZE + REF.firstNode) - 1;
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

export const graphIn = (tokenizer: Tokenizer): JsonGraph =>
  tokenizer.exports.refCount.value > 0 ? new ReadGraph(tokenizer) : EMPTY_GRAPH;

const NONE: ReadonlyMap<number, readonly number[]> = new Map();
