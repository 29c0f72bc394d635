/**
 * Replaces a file atomically: writes a temporary file in the same folder, syncs it and renames it, so that readers see
 * either the old or the new file, even after a crash. Keeps mode, owner and symbolic links.
 */
import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, mkdir, open, readdir, realpath, rename, stat, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { errorCode, writeError } from "./write-error.ts";

/**
 * Replaces an existing regular file. A failure leaves the original.
 * @throws EolgateError `not-written`, also for anything but a regular file, and for a file with other hard links
 */
export async function replaceFile(path: string, chunks: Iterable<Uint8Array>): Promise<void> {
  const { target, before } = await regularFile(path);
  try {
    await writeAndRename(target, chunks, before);
  } catch (cause) {
    throw writeError(path, cause);
  }
}

/**
 * Creates or replaces a file. A device or a pipe is written to directly.
 * @throws EolgateError `not-written`
 */
export async function writeFileWhole(path: string, chunks: Iterable<Uint8Array>): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  try {
    if (found === undefined) await writeAndRename(path, chunks, undefined);
    else if (found.isFile()) await writeAndRename(await realpath(path), chunks, found);
    else await writeTo(path, chunks);
  } catch (cause) {
    throw writeError(path, cause);
  }
}

async function regularFile(path: string): Promise<{ readonly target: string; readonly before: Stats }> {
  let target: string;
  let before: Stats;
  try {
    target = await realpath(path);
    before = await stat(target);
  } catch (cause) {
    throw writeError(path, cause);
  }
  if (before.isFile() && before.nlink === 1) return { target, before };
  const problem = before.isFile()
    ? `the file has ${before.nlink} hard links, and only one of them would get the new content`
    : "the output is not a regular file, and only a regular file can be replaced in place";
  throw EolgateError.of("not-written", { problem, advice: "Name an output file with -o FILE." }).at(path);
}

/** Readable by the owner only, until it gets the mode of the file that it replaces. */
const PRIVATE = 0o600;
const ANYBODY = 0o666;
const PERMISSIONS = 0o7777;

async function writeAndRename(target: string, chunks: Iterable<Uint8Array>, before: Stats | undefined): Promise<void> {
  await clearLeftovers(target);
  const own = `${HOST}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const temporary = join(dirname(target), `${leftoverPrefix(target)}${own}`);
  // Opened exclusively: an existing file or link of this name is an error, so no link is followed.
  const handle = await open(temporary, "wx", before === undefined ? ANYBODY : PRIVATE);
  try {
    try {
      await writeAll(handle, chunks);
      if (before !== undefined) await copyAttributes(handle, before);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(target));
}

async function writeAll(handle: FileHandle, chunks: Iterable<Uint8Array>): Promise<void> {
  for (const chunk of chunks) {
    let at = 0;
    while (at < chunk.length) at += (await handle.write(chunk, at)).bytesWritten;
  }
}

async function copyAttributes(handle: FileHandle, before: Stats): Promise<void> {
  const now = await handle.stat();
  if (now.uid !== before.uid || now.gid !== before.gid) await handle.chown(before.uid, before.gid);
  // After the owner, because changing the owner clears the set-id bits.
  await handle.chmod(before.mode & PERMISSIONS);
}

async function writeTo(path: string, chunks: Iterable<Uint8Array>): Promise<void> {
  const handle = await open(path, "w");
  try {
    await writeAll(handle, chunks);
  } catch (error) {
    // The reader of a pipe may stop early: `--report json=/dev/stdout | head`.
    if (errorCode(error) !== "EPIPE") throw error;
  } finally {
    await handle.close();
  }
}

/** Syncs the folder, without which the new name may be lost in a crash. Not every system allows opening a folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const leftoverPrefix = (target: string): string => `.${basename(target)}.eolgate-`;

/** Short, because the name of a file has at most 255 bytes. */
const HOST = hostname().slice(0, 32);
const HOUR = 60 * 60 * 1000;

/**
 * Removes temporary files of processes that were killed: of this host at once, and of others, such as containers that
 * share a folder, after an hour.
 */
async function clearLeftovers(target: string): Promise<void> {
  const prefix = leftoverPrefix(target);
  for (const name of await readdir(dirname(target)).catch(() => [])) {
    const [, host, id] = /^(.*)-(\d+)-[0-9a-f]{8}$/.exec(name.slice(prefix.length)) ?? [];
    if (!name.startsWith(prefix) || host === undefined) continue;
    const path = join(dirname(target), name);
    const modified = (await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity;
    const isDead = host === HOST && !isRunning(Number(id));
    if (isDead || Date.now() - modified > HOUR) await unlink(path).catch(() => undefined);
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Replaces a file of the cache, and creates its folder. @throws EolgateError `not-written` */
export async function writeCached(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true }).catch((cause: unknown) => {
    throw writeError(path, cause);
  });
  await writeFileWhole(path, [bytes]);
}

/** `content`: the text or bytes, or pieces of them, which may be generated while they are written. */
export function writeOutput(path: string, content: string | Uint8Array | Iterable<string | Uint8Array>): Promise<void> {
  if (content instanceof Uint8Array) return writeFileWhole(path, [content]);
  return writeFileWhole(path, typeof content === "string" ? [new TextEncoder().encode(content)] : encoded(content));
}

function* encoded(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield typeof piece === "string" ? encoder.encode(piece) : piece;
}
