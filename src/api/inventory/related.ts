/** Reads files that a lockfile or build file refers to: a parent, central versions, the manifest in the same folder. */
import { readFileSync, realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { requireFile } from "../../platform/file-status.ts";
import type { RelatedFiles } from "../../files/lockfiles/lockfile.ts";

/** Maximum size in bytes; real manifests are far smaller. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads files relative to another file. Files outside the root are not read, after resolving symbolic links. Each file
 * is read once, because projects share their parents.
 */
export class RelatedReader {
  private readonly root: string;
  private readonly texts = new Map<string, string | undefined>();

  /** `root` must exist. */
  constructor(root: string) {
    this.root = realpathSync(root);
  }

  /** The reader for files relative to the file at `path`. */
  of(path: string): RelatedFiles {
    const folder = dirname(path);
    return (name) => {
      const target = resolve(folder, name);
      if (!this.texts.has(target)) this.texts.set(target, this.read(target));
      return this.texts.get(target);
    };
  }

  private read(path: string): string | undefined {
    try {
      const real = realpathSync(path);
      const isInside = real.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep);
      const { size } = requireFile(real);
      return isInside && size <= MAX_BYTES ? readFileSync(real, "utf8").replace(/^\uFEFF/, "") : undefined;
    } catch {
      return undefined;
    }
  }
}
