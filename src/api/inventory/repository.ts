/** The repository of git that a folder is in: its root, and the paths that its index tracks. Nothing is executed. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { readGitIndex, type TrackedPaths } from "../../files/git-index.ts";
import { readUpTo } from "../../platform/bounded-file.ts";

/** A configuration or a .gitignore, in bytes. */
export const MAX_GIT_FILE_BYTES = 4 * 1024 * 1024;

/** An index of a million files has about 100 MB. */
const MAX_INDEX_BYTES = 512 * 1024 * 1024;

/** The tracked paths below a folder, from the index of its repository; undefined without a readable one. */
export function trackedPaths(folder: string): TrackedPaths | undefined {
  try {
    const root = repositoryRoot(folder);
    if (root === undefined) return undefined;
    const config = readUpTo(join(commonFolder(root), "config"), MAX_GIT_FILE_BYTES);
    const hashBytes = config?.includes("objectformat = sha256") === true ? 32 : 20;
    const index = readUpTo(join(gitFolder(root), "index"), MAX_INDEX_BYTES);
    const tracked = index && readGitIndex(index, hashBytes);
    return tracked && pathsBelow(tracked, relative(root, folder).replaceAll("\\", "/"));
  } catch {
    return undefined;
  }
}

function repositoryRoot(folder: string): string | undefined {
  for (let root = folder; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) return root;
    if (dirname(root) === root) return undefined;
  }
}

function pathsBelow(tracked: TrackedPaths, folder: string): TrackedPaths {
  if (folder === "") return tracked;
  const start = `${folder}/`;
  const inside = (paths: ReadonlySet<string>) =>
    new Set([...paths].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length)));
  return { files: inside(tracked.files), folders: inside(tracked.folders) };
}

/** The folder of a repository's index; a work tree and a submodule have a file `.git` that names it. */
function gitFolder(root: string): string {
  const path = join(root, ".git");
  const named = statSync(path).isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1] : undefined;
  return named === undefined ? path : resolve(root, named);
}

/** The folder of a repository's configuration, which work trees share. */
function commonFolder(root: string): string {
  const folder = gitFolder(root);
  const common = join(folder, "commondir");
  return existsSync(common) ? resolve(folder, readFileSync(common, "utf8").trim()) : folder;
}
