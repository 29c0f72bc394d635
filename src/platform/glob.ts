/** The files that match a pattern, and the folders that could not be read. */
import { Dirent, readdir, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { glob, type GlobOptions } from "tinyglobby";

export interface GlobResult {
  /** Relative to the working directory, or absolute where the pattern is. Sorted. */
  readonly files: readonly string[];
  /** Folders that may contain matching files and could not be read, in the form of `files`. Sorted. */
  readonly unreadable: readonly string[];
}

/** Folders of installed packages and of version control. Documents in them are found only by their full path. */
const SKIPPED = ["**/node_modules/**", "**/.git/**"];
/** The folder does not exist, or is a file: nothing in it can match. */
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);

/**
 * Finds files by a pattern with `*`, `**`, `?`, `[…]` and `{…}`. Wildcards match no hidden names and enter no linked
 * folders; both can be named in the pattern. A linked file counts as a file.
 */
export async function findFiles(pattern: string, cwd: string): Promise<GlobResult> {
  const unreadable = new Set<string>();
  const inForm = (path: string): string => {
    const full = resolve(cwd, path);
    return isAbsolute(pattern) ? full : relative(cwd, full) || ".";
  };
  const found = await glob(sep === "\\" ? pattern.replaceAll("\\", "/") : pattern, {
    cwd,
    fs: recording((folder) => unreadable.add(inForm(folder))),
    ignore: SKIPPED,
    expandDirectories: false,
    followSymbolicLinks: false,
  });
  return { files: found.map(inForm).sort(), unreadable: [...unreadable].sort() };
}

type ReadDone = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** The search itself skips a folder that it cannot read. This wrapper reports it. */
function recording(onUnreadable: (folder: string) => void): NonNullable<GlobOptions["fs"]> {
  const read = (folder: string, options: { readonly withFileTypes: true }, done: ReadDone): void =>
    readdir(folder, options, (error, entries) => {
      if (error && !ABSENT.has(error.code)) onUnreadable(folder);
      done(error, error ? [] : entries.map((entry) => (isLinkedFile(folder, entry) ? asFile(entry) : entry)));
    });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one overload of `readdir` that the search calls
  return { readdir: read as typeof readdir };
}

/** A broken link is included: reading it reports the error, and skipping it would hide a document. */
function isLinkedFile(folder: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return false;
  try {
    return !statSync(join(folder, entry.name)).isDirectory();
  } catch {
    return true;
  }
}

/** A directory entry that claims to be a regular file. */
function asFile(entry: Dirent): Dirent {
  const file = new Dirent();
  return Object.assign(file, { name: entry.name, isFile: () => true });
}
