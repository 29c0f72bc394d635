/** A source that computes the digest of its bytes while they are read for the first time. */
import type { ByteSource } from "../json-rows/source.ts";
import { digestNotation, createSha256 } from "./digest.ts";

/** Bytes of a piece that is read only for the digest. */
const PIECE = 256 * 1024;

export class DigestedSource implements ByteSource {
  private readonly source: ByteSource;
  private readonly hash = createSha256();
  /** How many bytes were read in order: those from here on are not part of the digest yet. */
  private digested = 0;
  private known: string | undefined = undefined;

  constructor(source: ByteSource) {
    this.source = source;
  }

  get length(): number {
    return this.source.length;
  }

  read(target: Uint8Array, position: number): number {
    const count = this.source.read(target, position);
    const end = position + count;
    if (position <= this.digested && end > this.digested) {
      this.hash.update(target.subarray(this.digested - position, count));
      this.digested = end;
    }
    return count;
  }

  requireUnchanged(): void {
    this.source.requireUnchanged?.();
  }

  /** The digest of all bytes; those that were not read yet are read now. */
  digest(): string {
    if (this.known !== undefined) return this.known;
    const piece = new Uint8Array(Math.min(PIECE, this.length - this.digested));
    while (this.digested < this.length && this.read(piece, this.digested) > 0);
    return (this.known = digestNotation(this.hash));
  }
}
