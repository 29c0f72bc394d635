/**
 * An instance of the tokenizer, with its memory. It is WebAssembly, because SIMD makes it three times as fast as
 * TypeScript (bench/tokenizer.ts).
 */
import { FIRST_WINDOW_SIZE, MAX_WINDOW_SIZE, PADDING, TABLES, WINDOW } from "./memory-layout.ts";
import tokenizer from "./tokenizer.json" with { type: "json" };

interface Exports {
  /** Addresses: of the next byte to read, of the end of the tape, of the key or text with escapes. */
  readonly at: { readonly value: number };
  readonly tapeEnd: { readonly value: number };
  readonly escapedStart: { readonly value: number };
  readonly escapedEnd: { readonly value: number };
  /** Of a key the state of its container, of a text its own. */
  readonly escapedState: { readonly value: number };
  readonly lineFeeds: { readonly value: number };
  readonly units: { readonly value: number };
  readonly chunksStart: { readonly value: number };
  readonly chunksSize: { readonly value: number };
  readonly refCount: { readonly value: number };
  readonly nodeCount: { readonly value: number };
  readonly edgeCount: { readonly value: number };
  readonly repeatedNodes: { readonly value: number };
  readonly slots: { readonly value: number };
  readonly slotMask: { readonly value: number };
  begin(state: number, chunks: number): void;
  moveGraph(start: number): void;
  feed(from: number, to: number, isLast: number, moved: number, position: number): void;
  clear(): void;
  setKey(state: number): void;
  setText(choice: number, hash: number, end: number): void;
  run(): number;
  measure(from: number, to: number): void;
}

/** The part of the WebAssembly interface that is used; it is the same in every runtime. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
declare const atob: (base64: string) => string;
declare const WebAssembly: {
  readonly Memory: new (descriptor: { initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

let compiled: object | undefined;

/** Reads one document at a time. */
export class Tokenizer {
  readonly exports: Exports;
  bytes: Uint8Array;
  numbers: Int32Array;
  doubles: Float64Array;
  windowSize = FIRST_WINDOW_SIZE;
  /** A graph keeps its memory, so the instance is not used again. */
  isTaken = false;
  private tables: Int32Array | undefined = undefined;
  private readonly memory: WasmMemory;

  constructor() {
    this.memory = new WebAssembly.Memory({ initial: pages(WINDOW + FIRST_WINDOW_SIZE + PADDING) });
    compiled ??= new WebAssembly.Module(binary());
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory: this.memory } });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the interface of tokenizer.as
    this.exports = exports as Exports;
    this.bytes = new Uint8Array(this.memory.buffer);
    this.numbers = new Int32Array(this.memory.buffer);
    this.doubles = new Float64Array(this.memory.buffer);
  }

  /** Prepares for a document of the schema with these tables. */
  begin(tables: Int32Array, state: number): void {
    if (this.tables !== tables) this.numbers.set(tables, TABLES >> 2);
    this.tables = tables;
    this.exports.begin(state, this.chunks);
  }

  /** Renews the views: memory that grew has a new buffer. */
  refresh(): void {
    if (this.bytes.buffer === this.memory.buffer) return;
    this.bytes = new Uint8Array(this.memory.buffer);
    this.numbers = new Int32Array(this.memory.buffer);
    this.doubles = new Float64Array(this.memory.buffer);
  }

  /** Address of the chunks of the graph. */
  private get chunks(): number {
    return pages(WINDOW + this.windowSize + PADDING) * PAGE_SIZE;
  }

  /** Doubles the window, for a value that does not fit into it. Returns false at the limit. */
  grow(): boolean {
    if (this.windowSize >= MAX_WINDOW_SIZE) return false;
    this.windowSize *= 2;
    const { chunksSize, moveGraph } = this.exports;
    const missing = pages(this.chunks + chunksSize.value) - pages(this.memory.buffer.byteLength);
    if (missing > 0) this.memory.grow(missing);
    moveGraph(this.chunks);
    this.refresh();
    return true;
  }
}

const PAGE_SIZE = 65_536;
const pages = (bytes: number): number => Math.ceil(bytes / PAGE_SIZE);

/**
 * `atob` instead of a loop over the text: V8 optimized the loop while it ran once, which took ten times as long as the
 * loop itself (docs/performance.md).
 */
const binary = (): Uint8Array => Uint8Array.from(atob(tokenizer.binary), (byte) => byte.charCodeAt(0));

/** Instances for later documents. The memory of WebAssembly never shrinks, so an instance whose window grew is not kept. */
const idle: Tokenizer[] = [];

/** Calls `use` with a tokenizer. Calls may be nested: reading one document may read a part of another one. */
export function withTokenizer<T>(use: (tokenizer: Tokenizer) => T): T {
  const tokenizer = idle.pop() ?? new Tokenizer();
  try {
    return use(tokenizer);
  } finally {
    if (tokenizer.windowSize === FIRST_WINDOW_SIZE && !tokenizer.isTaken && idle.length < 2) idle.push(tokenizer);
  }
}
