/** A file as a source of bytes that are read in pieces. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { EolgateError } from "../core/errors.ts";
import type { ByteSource } from "../core/sbom/open.ts";

export class FileSource implements ByteSource {
  readonly length: number;
  private readonly descriptor: number;
  private readonly path: string;
  private readonly changedAt: number;

  /** Opens the regular file at `path`. It stays open until `close`, so that a file that is replaced is still read whole. */
  constructor(path: string) {
    this.path = path;
    this.descriptor = openSync(path, "r");
    const { size, mtimeMs } = fstatSync(this.descriptor);
    this.length = size;
    this.changedAt = mtimeMs;
  }

  read(target: Uint8Array, position: number): number {
    let count = 0;
    const wanted = Math.min(target.length, this.length - position);
    while (count < wanted) {
      const read = readSync(this.descriptor, target, count, wanted - count, position + count);
      if (read === 0) throw this.changed();
      count += read;
    }
    return count;
  }

  /**
   * Checks that nobody wrote to the file while it was read.
   *
   * @throws EolgateError `file-changed`
   */
  requireUnchanged(): void {
    const { size, mtimeMs } = fstatSync(this.descriptor);
    if (size !== this.length || mtimeMs !== this.changedAt) throw this.changed();
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private changed(): EolgateError {
    return EolgateError.of("file-changed", {}, { where: this.path });
  }
}
