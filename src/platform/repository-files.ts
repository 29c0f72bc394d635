/**
 * The files of the checked repository that contribute to an answer: those of the working tree, or those of a commit,
 * which a change of the working tree cannot replace.
 */
import { realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { type BoundedFileKind, readBoundedFile, requireBelowLimit } from "./bounded-file.ts";
import { findUpwards } from "./find-upwards.ts";
import { runGit } from "./git.ts";
import { isInside } from "./inside.ts";
import { errorCode } from "./write-error.ts";

type Unreadable = (cause: unknown) => EolgateError;

export interface RepositoryFiles {
  /** The full id of the commit; null for the working tree. */
  readonly commit: string | null;
  /** The files of these names in the nearest folder that has one, from `from` up to the root of the repository. */
  readonly find: (from: string, names: readonly string[]) => Promise<readonly string[]>;
  /**
   * Reads the file at an absolute path.
   * @throws EolgateError of {@link readBoundedFile}
   */
  readonly read: (path: string, kind: BoundedFileKind, unreadable: Unreadable) => Promise<Buffer>;
  /** Whether the file is read from the commit. The path is absolute, or relative to the folder of the run. */
  readonly isCommitted: (path: string) => boolean;
}

export const WORKING_TREE: RepositoryFiles = {
  commit: null,
  find: async (from, names) => findUpwards(from, names),
  read: async (path, kind, unreadable) => readBoundedFile(path, kind, unreadable),
  isCommitted: () => false,
};

/**
 * The files of the commit that `ref` names, in the repository of `folder`; without `ref`, of the working tree. Those of a commit are read from git's objects: filters of
 * the repository do not run, and nothing is fetched. A path outside of the repository is read from the disk.
 * @throws EolgateError `config-unreadable`
 */
export async function repositoryFiles(folder: string, ref: string | undefined): Promise<RepositoryFiles> {
  if (ref === undefined) return WORKING_TREE;
  const commit = await findCommit(folder, ref);
  if (commit === undefined) throw problem(folder, `"${ref}" names no commit of this clone`, FETCH_FIRST);
  const root = (await text(folder, ["rev-parse", "--show-toplevel"])).replace(/\n$/, "");
  if (root === "") throw problem(folder, "the repository has no working tree", "Run the command in a checkout.");
  return committedFiles({ folder, root: realpathSync(root), commit });
}

/**
 * The full id of a commit that is in the repository of `folder`; undefined where there is none.
 * @throws EolgateError `config-unreadable` without a repository or the program `git`
 */
export async function findCommit(folder: string, ref: string): Promise<string | undefined> {
  await text(folder, ["rev-parse", "--git-dir"]);
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const found = await runGit(folder, args).catch(() => Buffer.of());
  return /^[0-9a-f]{40,64}(?=\n$)/.exec(found.toString("utf8"))?.[0];
}

const FETCH_FIRST =
  "Fetch the commit before the check; eolgate fetches nothing. For actions/checkout, set fetch-depth to 2 or 0.";

const problem = (where: string, what: string, advice: string, cause?: unknown): EolgateError =>
  EolgateError.of(
    "config-unreadable",
    { problem: `the files of the commit cannot be read: ${what}`, advice },
    { where: `--config-from, ${where}`, cause },
  );

async function text(folder: string, args: readonly string[], input?: string): Promise<string> {
  try {
    return (await runGit(folder, args, input === undefined ? {} : { input })).toString("utf8");
  } catch (cause) {
    const advice = "Run the command in a checkout that git can read.";
    if (errorCode(cause) === "ENOENT") throw problem(folder, "the program git is not found", advice, cause);
    throw problem(folder, firstLine(cause), advice, cause);
  }
}

/** What `git` prints, without its prefix. */
const firstLine = (cause: unknown): string => {
  const printed = cause instanceof Error && "stderr" in cause ? String(cause.stderr) : "";
  return /^(?:fatal|error): (.+)/m.exec(printed)?.[1] ?? "git failed";
};

function committedFiles({
  folder: start,
  root,
  commit,
}: Record<"folder" | "root" | "commit", string>): RepositoryFiles {
  const pathOf = (path: string): string | undefined => pathInTree(root, resolve(start, path));
  return {
    commit,
    isCommitted: (path) => pathOf(path) !== undefined,
    find: async (from, names) => {
      const folders = foldersUpTo(root, from);
      const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
      const listed = await text(root, ["ls-tree", "-z", "--full-tree", commit, "--", ...paths.map(toGit)]);
      const present = new Set(listed.split("\0").map((entry) => entry.slice(entry.indexOf("\t") + 1)));
      const found = folders.map((folder) =>
        names.map((name) => join(folder, name)).filter((path) => present.has(toGit(path))),
      );
      return (found.find((paths) => paths.length > 0) ?? []).map((path) => join(root, path));
    },
    read: async (path, kind, unreadable) => {
      const inTree = pathOf(path);
      if (inTree === undefined) return readBoundedFile(path, kind, unreadable);
      return readBlob({ root, commit, inTree: toGit(inTree) }, kind, unreadable);
    },
  };
}

const toGit = (path: string): string => path.split(sep).join("/");

/** The folders from `from` up to the root, relative to it. */
function foldersUpTo(root: string, from: string): readonly string[] {
  const folders: string[] = [];
  for (let at = relative(root, realpathSync(from)); at !== "" && at !== "."; at = dirname(at)) folders.push(at);
  return [...folders, ""];
}

/**
 * The path in the tree of what is below `root`; undefined for a path outside. Links of the working tree are not followed
 * below the root: a change could let them lead out of the repository.
 */
function pathInTree(root: string, absolute: string): string | undefined {
  if (isInside(root, absolute)) return relative(root, absolute);
  const above = [absolute];
  for (let at = absolute; dirname(at) !== at; at = dirname(at)) above.push(dirname(at));
  for (const folder of above.toReversed()) {
    const real = realPath(folder);
    if (real !== undefined && isInside(root, real)) return join(relative(root, real), relative(folder, absolute));
  }
  return undefined;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const NOT_THERE = "Name a file of the commit, or one outside of the repository.";

interface CommittedPath {
  readonly root: string;
  readonly commit: string;
  /** With `/`. */
  readonly inTree: string;
}

/** Follows links within the tree. Files of submodules are none of the commit. */
async function readBlob(
  { root, commit, inTree }: CommittedPath,
  kind: BoundedFileKind,
  unreadable: Unreadable,
): Promise<Buffer> {
  const name = `${commit}:${inTree}`;
  const where = join(root, inTree);
  // The protocol has one line for a request.
  const answer = name.includes("\n")
    ? ""
    : await text(root, ["cat-file", "--batch-check", "--follow-symlinks"], `${name}\n`);
  const [, id, size] = /^([0-9a-f]{40,64}) blob (\d+)\n/.exec(answer) ?? [];
  if (id === undefined) throw problem(where, "the commit has no such file, or this clone lacks it", NOT_THERE);
  requireBelowLimit(Number(size), where, kind);
  try {
    return await runGit(root, ["cat-file", "blob", id], { limit: Number(size) + 1 });
  } catch (cause) {
    throw unreadable(cause);
  }
}
