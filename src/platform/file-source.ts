/** Files as sources of bytes, and digests of them. */
import type { Hash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { EolgateError } from "../messages/error.ts";
import type { ByteSource } from "../json-rows/source.ts";

/** Maximum number of open files: a run may assess thousands of documents, and many systems allow about a thousand. */
const MAX_OPEN = 64;
const openFiles: FileSource[] = [];

interface Identity {
  readonly size: number;
  readonly ino: number;
  readonly mtimeMs: number;
}

export class FileSource implements ByteSource {
  readonly length: number;
  private readonly path: string;
  private readonly identity: Identity;
  private descriptor: number | undefined;

  /** Opens the regular file at `path`. Throws the errors of the file system. */
  constructor(path: string) {
    this.path = path;
    this.descriptor = openSync(path, "r");
    this.identity = fstatSync(this.descriptor);
    this.length = this.identity.size;
    this.keepOpen();
  }

  read(target: Uint8Array, position: number): number {
    const wanted = Math.min(target.length, this.length - position);
    if (wanted <= 0) return 0;
    const count = readSync(this.open(), target, 0, wanted, position);
    if (count === 0) throw this.changed();
    return count;
  }

  /**
   * Checks that no other process wrote to the file while it was read.
   *
   * @throws EolgateError `unreadable`
   */
  requireUnchanged(): void {
    const { size, ino, mtimeMs } = fstatSync(this.open());
    const { identity } = this;
    if (size !== identity.size || ino !== identity.ino || mtimeMs !== identity.mtimeMs) throw this.changed();
  }

  /** The descriptor; a file that was closed to stay below the limit is opened again. */
  private open(): number {
    if (this.descriptor !== undefined) return this.descriptor;
    this.descriptor = openSync(this.path, "r");
    this.keepOpen();
    this.requireUnchanged();
    return this.descriptor;
  }

  private keepOpen(): void {
    openFiles.push(this);
    if (openFiles.length > MAX_OPEN) openFiles.shift()?.close();
  }

  private close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private changed(): EolgateError {
    return EolgateError.of("unreadable", {
      problem: "the file was changed while it was read",
      advice: "Run the command again when no other program writes to the file.",
    }).at(this.path);
  }
}

// A source that computes the digest of its bytes while they are read for the first time.

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

// SHA-256 digests in the notation of reports and registries: `sha256:` and hexadecimal digits.

/** Loads `node:crypto` on first use: that takes 4 ms, and a check that prints only a table needs no digest. */
export const createSha256 = (): Hash => process.getBuiltinModule("node:crypto").createHash("sha256");

export const digestOf = (bytes: Uint8Array): string => digestOfPieces([bytes]);

/**
 * The digest of several pieces. Each piece is processed before the next one is requested, so all pieces may share one
 * buffer.
 */
export function digestOfPieces(pieces: Iterable<Uint8Array>): string {
  const hash = createSha256();
  for (const piece of pieces) hash.update(piece);
  return digestNotation(hash);
}

export const digestNotation = (hash: Hash): string => `sha256:${hash.digest("hex")}`;
