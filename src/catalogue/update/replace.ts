/** Files that are replaced whole or not at all, also when the process dies in between. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EolgateError } from "../../core/errors.ts";

const MARK = ".eolgate-new-";

/** Writes beside the place, makes it durable, then renames: a reader sees the old bytes or the new ones. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const beside = `${path}${MARK}${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(beside, "wx", 0o644);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
    await syncFolder(folder);
  } catch (cause) {
    await unlink(beside).catch(() => undefined);
    throw EolgateError.of(
      "not-written",
      { cause: cause instanceof Error ? cause.message : String(cause) },
      { where: path, cause },
    );
  }
}

/** The rename itself has to reach the disk. Some systems cannot open a folder; there the rename is as safe as it gets. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const STALE = 60 * 60 * 1000;

/** Removes what earlier processes left behind when they were killed; those of an hour and younger may be at work. */
export async function sweepLeftovers(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.includes(MARK)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now - found.mtimeMs > STALE) await unlink(path).catch(() => undefined);
  }
}
