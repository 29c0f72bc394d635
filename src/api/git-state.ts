/** The commit of a checked folder, and whether the files that were read are those of the commit. */
import { type GitSetting, runGit } from "../platform/git.ts";

export interface GitState {
  readonly commit: string;
  /** No tracked file below the folder is changed, and every file that was read is tracked. */
  readonly clean: boolean;
}

/** Does not look into submodules: their files are not tracked by the repository. */
const DIFF = "diff --name-only --no-renames --no-ext-diff --no-textconv --ignore-submodules=dirty -z".split(" ");

/**
 * Asks the program `git`; undefined without it, and outside of a repository with a commit.
 * @param files The files that were read, relative to the folder, with `/`
 */
export async function gitState(folder: string, files: readonly string[]): Promise<GitState | undefined> {
  const commit = await git(folder, ["rev-parse", "--verify", "HEAD"]);
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit.trim())) return undefined;
  const changed = await git(folder, [...DIFF, "HEAD", "--", "."], await ownFilters(folder));
  const tracked = new Set((await git(folder, ["ls-files", "-z", "--", "."]))?.split("\0"));
  return { commit: commit.trim(), clean: changed === "" && files.every((file) => tracked.has(file)) };
}

/**
 * Settings that turn off the filters of the repository's own configuration: `git diff` would start their programs. Those
 * of the user and of the system, such as Git LFS, stay.
 */
async function ownFilters(folder: string): Promise<readonly GitSetting[]> {
  const listed = await git(folder, ["config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."]);
  const fields = listed?.split("\0") ?? [];
  return fields.flatMap((name, at): readonly GitSetting[] => {
    const scope = fields[at - 1];
    return at % 2 === 1 && scope !== "system" && scope !== "global" ? [[name, ""]] : [];
  });
}

/** Standard output; undefined if the command fails. */
async function git(
  folder: string,
  args: readonly string[],
  settings: readonly GitSetting[] = [],
): Promise<string | undefined> {
  try {
    return (await runGit(folder, args, { settings })).toString("utf8");
  } catch {
    return undefined;
  }
}
