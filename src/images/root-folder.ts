/**
 * Reads a root file system in a folder: a chroot, an unpacked image, or the root of a host. It is read like the only layer
 * of an image, and nothing in it is executed.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { statusOf } from "../platform/file-status.ts";
import { errorCode } from "../platform/write-error.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import { LayerCollector } from "./layer.ts";
import type { ImageBudget } from "./limits.ts";
import type { OpenedImage } from "./opened-image.ts";
import type { TarEntry, TarHeader } from "./tar.ts";

/** File systems of the kernel, and of what runs at the moment. */
const VIRTUAL: ReadonlySet<string> = new Set(["dev", "proc", "run", "sys"]);
const PIECE = 256 * 1024;

/** @param folder as given by the user, relative to `cwd` */
export function openRootFolder(folder: string, cwd: string): OpenedImage {
  return {
    digest: null,
    config: { platform: { os: "linux", architecture: "" }, environment: [], labels: {}, diffIds: [] },
    references: [],
    layers: async (wanted, budget) => [await readFolder(resolve(cwd, folder), wanted, budget)],
    attachments: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}

const MOUNTED = "another file system is mounted there";

/**
 * Stays on the file system of the folder: what is mounted below it may be of the network, or endless. Mounts on the way
 * to package databases (`/usr`, `/var`) belong to it, and others are listed as not read.
 * @throws EolgateError `unreadable` for the folder itself and for a package database, `image-limit`
 */
async function readFolder(root: string, wanted: WantedPaths, budget: ImageBudget): Promise<LayerCollector> {
  const layer = new LayerCollector(wanted, budget);
  const open: Folder[] = [{ path: "", device: statusOf(root)?.dev }];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const { path, isFolder } of entriesIn(root, folder.path, layer)) {
      await layer.add(entryOf(root, path));
      if (!isFolder) continue;
      const device = statusOf(join(root, path))?.dev ?? folder.device;
      if (device === folder.device || wanted.kind(path) === "ancestor") open.push({ path, device });
      else layer.addUnread(path, MOUNTED);
    }
  }
  return layer;
}

interface Folder {
  readonly path: string;
  /** Of its file system. */
  readonly device: number | undefined;
}

/** The entries of a folder. One that cannot be read is listed as such, because packages may be in it. */
function entriesIn(root: string, folder: string, layer: LayerCollector) {
  try {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    return entries
      .map((entry) => ({ path: folder === "" ? entry.name : `${folder}/${entry.name}`, isFolder: entry.isDirectory() }))
      .filter(({ path, isFolder }) => !isFolder || !VIRTUAL.has(path));
  } catch (cause) {
    if (folder === "") throw unreadable(root, cause);
    layer.addUnread(folder, unreadable(folder, cause).message);
    return [];
  }
}

function entryOf(root: string, path: string): TarEntry {
  const file = join(root, path);
  return { header: headerOf(file, path), body: contentOf(file) };
}

function headerOf(file: string, name: string): TarHeader {
  try {
    const status = lstatSync(file);
    const { size, mode } = status;
    const header = { name, linkname: "", size, mode };
    if (status.isFile()) return { ...header, type: "file" };
    if (status.isSymbolicLink()) return { ...header, type: "symlink", linkname: readlinkSync(file) };
    return { ...header, type: status.isDirectory() ? "directory" : "other" };
  } catch (cause) {
    // The file was removed in the meantime.
    if (errorCode(cause) === "ENOENT") return { name, type: "other", linkname: "", size: 0, mode: 0 };
    throw unreadable(file, cause);
  }
}

async function* contentOf(file: string): AsyncGenerator<Uint8Array> {
  const descriptor = opened(file);
  try {
    for (;;) {
      const piece = new Uint8Array(PIECE);
      const count = readSync(descriptor, piece);
      if (count === 0) return;
      yield piece.subarray(0, count);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Flags for a file that another process may meanwhile have replaced by a link or a pipe. Windows has neither flag. */
const READ_PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function opened(file: string): number {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, READ_PLAIN);
    if (fstatSync(descriptor).isFile()) return descriptor;
    throw new Error("it is no longer a file");
  } catch (cause) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw unreadable(file, cause);
  }
}

function unreadable(where: string, cause: unknown): EolgateError {
  const code = errorCode(cause);
  const problem = code === "" && cause instanceof Error ? cause.message : `it cannot be read (${code})`;
  const isRefused = code === "EACCES" || code === "EPERM";
  const advice = isRefused ? "Run the command as a user who may read it." : "Check that the path names a folder.";
  return EolgateError.of("unreadable", { problem, advice }, { where, cause });
}
