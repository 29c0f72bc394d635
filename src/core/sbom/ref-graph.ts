/**
 * Who depends on whom, by numbers. A ref is looked up by its bytes, and a string is made only of those on a path that
 * somebody asked for: 100,000 components have 200,000 refs and more in their dependencies.
 */
import { Scanner } from "../../bytes/scanner.ts";

/** Refs have ids, which count from 0. */
export interface RefIds {
  readonly size: number;
  idOf(ref: string): number | undefined;
  refOf(id: number): string;
}

export interface DependencyGraph {
  /** Asking what one of them depends on may add to them. */
  readonly refs: RefIds;
  /** Ids of what `id` depends on, in document order. */
  on(id: number): readonly number[];
}

/** A graph that was read whole. */
export class EdgeGraph<Refs extends RefIds> implements DependencyGraph {
  readonly refs: Refs;
  private readonly lists: number[][] = [];

  constructor(refs: Refs) {
    this.refs = refs;
  }

  edge(from: number, to: number): void {
    (this.lists[from] ??= []).push(to);
  }
  on(id: number): readonly number[] {
    return this.lists[id] ?? [];
  }
}

/** Ids of refs by their bytes; of one that is written with escapes the bytes are not its text, and a map has to serve. */
export class PlacedRefs implements RefIds {
  private readonly scanner: Scanner;
  private readonly words: DataView;
  /** Of each id: where its bytes begin, how many they are, and their hash: whoever has it need not look at them again. */
  private starts = new Int32Array(1024);
  private lengths = new Int32Array(1024);
  private hashes = new Int32Array(1024);
  private count = 0;
  /** Open addressing: id + 1 at the place of a ref's hash. */
  private slots = new Int32Array(4096);

  constructor(bytes: Uint8Array) {
    this.scanner = new Scanner(bytes);
    this.words = wordsOf(bytes);
  }

  get size(): number {
    return this.count;
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
    const { textStart: start } = scanner;
    const length = scanner.textEnd - start;
    const value = hash(this.words, start, length);
    const slot = this.find(value, this.words, start, length);
    const known = this.slots[slot] ?? 0;
    if (known > 0) return known - 1;
    if (this.count === this.starts.length) {
      this.starts = larger(this.starts);
      this.lengths = larger(this.lengths);
      this.hashes = larger(this.hashes);
    }
    this.starts[this.count] = start;
    this.lengths[this.count] = length;
    this.hashes[this.count] = value;
    this.slots[slot] = ++this.count;
    if (this.count * 2 > this.slots.length) this.spread();
    return this.count - 1;
  }

  idOf(ref: string): number | undefined {
    const words = wordsOf(new TextEncoder().encode(ref));
    const length = words.byteLength;
    const id = this.slots[this.find(hash(words, 0, length), words, 0, length)] ?? 0;
    return id > 0 ? id - 1 : undefined;
  }

  refOf(id: number): string {
    return this.scanner.textFrom(this.starts[id] ?? 0);
  }

  /** The slot of these bytes: theirs, or the free one where they belong. */
  private find(value: number, words: DataView, start: number, length: number): number {
    const mask = this.slots.length - 1;
    for (let slot = value & mask; ; slot = (slot + 1) & mask) {
      const known = this.slots[slot] ?? 0;
      if (known === 0) return slot;
      if (this.hashes[known - 1] === value && this.same(known - 1, words, start, length)) return slot;
    }
  }

  private same(id: number, words: DataView, start: number, length: number): boolean {
    if (this.lengths[id] !== length) return false;
    const own = this.words;
    const at = this.starts[id] ?? 0;
    let left = length;
    for (; left >= 4; left -= 4) if (own.getInt32(at + left - 4) !== words.getInt32(start + left - 4)) return false;
    for (; left > 0; left--) if (own.getUint8(at + left - 1) !== words.getUint8(start + left - 1)) return false;
    return true;
  }

  /** More room. No two are the same: each goes to the next free slot. */
  private spread(): void {
    this.slots = new Int32Array(this.slots.length * 4);
    const mask = this.slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      let slot = (this.hashes[id] ?? 0) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = id + 1;
    }
  }
}

/** Four bytes are read at once: half the time of one by one. */
const wordsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

function hash(words: DataView, start: number, length: number): number {
  let value = length;
  let at = start;
  for (; at + 4 <= start + length; at += 4) value = mixed(value, words.getInt32(at));
  for (; at < start + length; at++) value = mixed(value, words.getUint8(at));
  return value;
}

/** What differs in the high bits of a word has to reach the low ones, by which a slot is chosen. */
function mixed(value: number, word: number): number {
  const product = Math.imul(value ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function larger(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(numbers.length * 2);
  grown.set(numbers);
  return grown;
}
