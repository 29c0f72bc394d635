/**
 * Makes strings of a document's bytes. A ref stands at its component, in its purl and in every dependency on it: the
 * same bytes give the same string while it is remembered, which saves both making it and keeping it twice.
 */
import { asciiText } from "./utf8.ts";

/** Shorter ones are made faster than found; longer ones seldom come again. */
const SHORTEST = 8;
const LONGEST = 256;
/** Refs of one generator differ at their end. */
const TAIL = 20;

export class Texts {
  private readonly bytes: Uint8Array;
  private readonly starts: Float64Array;
  private readonly kept: (string | undefined)[];
  private readonly mask: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    // Few enough to stay in the processor's cache: a table for all of a document was slower than no table (measured).
    const slots = 512;
    this.starts = new Float64Array(slots);
    this.kept = Array.from({ length: slots });
    this.mask = slots - 1;
  }

  /** Text of ASCII bytes. */
  ascii(start: number, end: number): string {
    const length = end - start;
    if (length < SHORTEST || length > LONGEST) return asciiText(this.bytes, start, end);
    const slot = this.hash(start, end) & this.mask;
    const kept = this.kept[slot];
    if (kept !== undefined && kept.length === length && this.same(this.starts[slot] ?? 0, start, length)) return kept;
    const text = asciiText(this.bytes, start, end);
    this.starts[slot] = start;
    this.kept[slot] = text;
    return text;
  }

  private hash(start: number, end: number): number {
    const { bytes } = this;
    let hash = end - start;
    for (let at = Math.max(start, end - TAIL); at < end; at++) hash = Math.imul(hash, 31) + (bytes[at] ?? 0);
    return hash ^ (hash >>> 15);
  }

  private same(one: number, other: number, length: number): boolean {
    const { bytes } = this;
    for (let i = length - 1; i >= 0; i--) if (bytes[one + i] !== bytes[other + i]) return false;
    return true;
  }
}
