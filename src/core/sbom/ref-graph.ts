/**
 * Who depends on whom, by numbers. A ref is looked up by its bytes, and a string is made only of those on a path that
 * somebody asked for: 100,000 components have 300,000 refs in their dependencies.
 */
import { Scanner } from "./json/scanner.ts";

/** A graph of refs, whose ids count from 0. */
export interface DependencyGraph {
  readonly size: number;
  idOf(ref: string): number | undefined;
  refOf(id: number): string;
  /** Pairs of ids: who depends, on whom. */
  readonly edges: Int32Array;
}

export class RefGraph implements DependencyGraph {
  /** False when a ref is written with escapes: then equal refs may differ in bytes, and the map of strings has to serve. */
  sound = true;
  private readonly scanner: Scanner;
  /** Of each id: where its bytes begin, and how many they are. */
  private starts = new Int32Array(1024);
  private lengths = new Int32Array(1024);
  private count = 0;
  /** Open addressing: id + 1 at the place of a ref's hash. */
  private slots = new Int32Array(4096);
  private pairs = new Int32Array(4096);
  private used = 0;

  constructor(bytes: Uint8Array) {
    this.scanner = new Scanner(bytes);
  }

  get size(): number {
    return this.count;
  }
  get edges(): Int32Array {
    return this.pairs.subarray(0, this.used);
  }

  edge(from: number, to: number): void {
    if (this.used + 2 > this.pairs.length) this.pairs = larger(this.pairs);
    this.pairs[this.used++] = from;
    this.pairs[this.used++] = to;
  }

  /** Of the string whose content begins at `start`. */
  idAt(start: number): number {
    const { scanner } = this;
    scanner.at = start - 1;
    scanner.string();
    return this.idIn(scanner);
  }

  /** Of the string that a scanner of the same bytes read last. */
  idIn(scanner: Scanner): number {
    if (scanner.hasEscapes) this.sound = false;
    const { bytes, textStart: start } = scanner;
    const length = scanner.textEnd - start;
    const slot = this.find(bytes, start, length);
    const known = this.slots[slot] ?? 0;
    if (known > 0) return known - 1;
    if (this.count === this.starts.length) {
      this.starts = larger(this.starts);
      this.lengths = larger(this.lengths);
    }
    this.starts[this.count] = start;
    this.lengths[this.count] = length;
    this.slots[slot] = ++this.count;
    if (this.count * 2 > this.slots.length) this.spread();
    return this.count - 1;
  }

  idOf(ref: string): number | undefined {
    const bytes = new TextEncoder().encode(ref);
    const id = this.slots[this.find(bytes, 0, bytes.length)] ?? 0;
    return id > 0 ? id - 1 : undefined;
  }

  refOf(id: number): string {
    return this.scanner.textFrom(this.starts[id] ?? 0);
  }

  /** The slot of these bytes: theirs, or the free one where they belong. */
  private find(bytes: Uint8Array, start: number, length: number): number {
    const mask = this.slots.length - 1;
    let slot = hash(bytes, start, length) & mask;
    for (;;) {
      const known = this.slots[slot] ?? 0;
      if (known === 0 || this.same(known - 1, bytes, start, length)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private same(id: number, bytes: Uint8Array, start: number, length: number): boolean {
    if (this.lengths[id] !== length) return false;
    const own = this.scanner.bytes;
    const at = this.starts[id] ?? 0;
    for (let i = length - 1; i >= 0; i--) if (own[at + i] !== bytes[start + i]) return false;
    return true;
  }

  private spread(): void {
    this.slots = new Int32Array(this.slots.length * 4);
    for (let id = 0; id < this.count; id++) {
      this.slots[this.find(this.scanner.bytes, this.starts[id] ?? 0, this.lengths[id] ?? 0)] = id + 1;
    }
  }
}

function hash(bytes: Uint8Array, start: number, length: number): number {
  let value = length;
  for (let at = start; at < start + length; at++) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  return value ^ (value >>> 15);
}

function larger(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(numbers.length * 2);
  grown.set(numbers);
  return grown;
}
