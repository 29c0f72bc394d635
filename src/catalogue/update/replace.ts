/** Replaces files as a whole or not at all, also when the process is killed meanwhile. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EolgateError } from "../../messages/error.ts";

const MARK = ".eolgate-new-";

/** Writes a temporary file in the same folder, syncs it and renames it: a reader sees the old bytes or the new ones. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const temporary = `${path}${MARK}${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(temporary, "wx", 0o644);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (cause) {
    await unlink(temporary).catch(() => undefined);
    throw EolgateError.of(
      "not-written",
      {
        problem: `the catalogue cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
        advice: "Set EOLGATE_CACHE to a writable folder.",
      },
      { where: path, cause },
    );
  }
}

/** The rename itself has to reach the disk. Systems that cannot open a folder leave that to the file system. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const STALE = 60 * 60 * 1000;

/** Removes temporary files of processes that were killed. Files of the last hour may belong to a running process. */
export async function sweepLeftovers(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.includes(MARK)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now - found.mtimeMs > STALE) await unlink(path).catch(() => undefined);
  }
}
