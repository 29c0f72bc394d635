/** A file as a source of bytes that are read in pieces. */
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
   * @throws EolgateError `file-changed`
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
    return EolgateError.of("file-changed", {}, { where: this.path });
  }
}
