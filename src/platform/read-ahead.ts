/**
 * Begins to read the first document while the gate is still being loaded, which takes the main thread 60 ms: a disk and a
 * kernel can copy 70 MB meanwhile. Whatever is out of the ordinary is left to the reading proper, and its messages.
 */
import { close, openSync, read, statSync } from "node:fs";
import { resolve } from "node:path";

export interface ReadAhead {
  /** The file's bytes, when it is the one that was begun with and could be read whole. */
  take(path: string): Promise<Uint8Array | undefined>;
}

/** Below it there is nothing to win; from 2 GiB on Node does not read at once. */
const WORTH_IT = 1024 * 1024;
const TOO_LARGE = 2 ** 31;

export function readAhead(files: readonly string[], cwd: string): ReadAhead {
  const [file] = files;
  if (file === undefined) return NOTHING;
  const path = resolve(cwd, file);
  // A path that may not be looked at is no error yet: nobody has asked for it.
  const bytes = begin(path).catch(() => undefined);
  return { take: async (wanted) => (wanted === path ? bytes : undefined) };
}

const NOTHING: ReadAhead = { take: async () => undefined };

async function begin(path: string): Promise<Uint8Array | undefined> {
  const size = sizeOf(path);
  if (size === undefined) return undefined;
  const bytes = Buffer.allocUnsafeSlow(size);
  // Opened at once: the answer to a promise of it would wait until the gate is loaded, and the reading with it.
  const file = openSync(path, "r");
  return new Promise((answer) => {
    read(file, bytes, 0, size, 0, (error, count) => {
      close(file, () => undefined);
      answer(error === null && count === size ? bytes : undefined);
    });
  });
}

/** Of a plain file that is worth it. A pipe must not even be opened: who writes to it would see it closed again. */
function sizeOf(path: string): number | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status?.isFile() === true && status.size >= WORTH_IT && status.size < TOO_LARGE ? status.size : undefined;
}
