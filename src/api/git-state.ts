/** The commit of a checked folder, and whether the files that were read are those of the commit. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface GitState {
  readonly commit: string;
  /** No tracked file below the folder is changed, and no file that was read is untracked. */
  readonly clean: boolean;
}

/**
 * Asks the program `git`; undefined without it, and outside of a repository with a commit.
 * @param files The files that were read, relative to the folder, with `/`
 */
export async function gitState(folder: string, files: readonly string[]): Promise<GitState | undefined> {
  const commit = await git(folder, ["rev-parse", "--verify", "HEAD"]);
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit.trim())) return undefined;
  const changed = await git(folder, ["diff", "--name-only", "--no-ext-diff", "--no-textconv", "-z", "HEAD", "--", "."]);
  const untracked = await git(folder, ["ls-files", "--others", "-z", "--", "."]);
  const others = new Set(untracked?.split("\0"));
  return {
    commit: commit.trim(),
    clean: changed === "" && untracked !== undefined && !files.some((file) => others.has(file)),
  };
}

/** Standard output; undefined if the command fails. No setting of the repository starts another program. */
async function git(folder: string, command: readonly string[]): Promise<string | undefined> {
  const settings = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  try {
    const { stdout } = await promisify(execFile)("git", [...settings, ...command], {
      cwd: folder,
      env: { ...env, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" },
      maxBuffer: 64 * 1024 * 1024,
      timeout: 60_000,
    });
    return stdout;
  } catch {
    return undefined;
  }
}
