/**
 * The program `git`, on a repository that is not trusted: no setting of its configuration starts a program, and nothing
 * is fetched. `eolgate` reads with it and never writes.
 */
import { execFile } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";
import { isInside, withoutLinks } from "./inside.ts";
import { repositoryOf } from "./find-upwards.ts";

/** The key and the value of a setting of `git`. */
export type GitSetting = readonly [key: string, value: string];

const SETTINGS: readonly GitSetting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  // A partial clone would fetch missing files from the network.
  ["protocol.allow", "never"],
  // A folder of the checked files may look like a repository without a work tree, with a configuration of its own.
  ["safe.bareRepository", "explicit"],
];

export interface GitRun {
  /** Settings beside those that always apply. */
  readonly settings?: readonly GitSetting[];
  /** Standard input. */
  readonly input?: string;
  /** Most bytes of standard output. */
  readonly limit?: number;
}

const MOST_BYTES = 64 * 1024 * 1024;
/** Milliseconds. */
const DEADLINE = 60_000;

/**
 * Runs `git` on the repository of `folder` and resolves to its standard output. Settings are passed by the environment,
 * where a key may contain `=`.
 * @throws the error of `node:child_process`: `ENOENT` without the program; with `stderr` if it fails
 */
export function runGit(folder: string, args: readonly string[], run: GitRun = {}): Promise<Buffer> {
  const { settings = [], input = "", limit = MOST_BYTES } = run;
  const options = {
    // Not the folder itself: some systems and search paths find programs in the working directory.
    cwd: "/",
    env: environment(folder, [...SETTINGS, ...settings]),
    maxBuffer: limit,
    timeout: DEADLINE,
    encoding: "buffer",
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile("git", ["-C", folder, ...args], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
    // A program that ends early closes its standard input, and its exit code is what counts.
    child.stdin?.on("error", () => undefined).end(input);
  });
}

function environment(folder: string, settings: readonly GitSetting[]): Readonly<Record<string, string | undefined>> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const passed = settings.flatMap(([key, value], at): readonly GitSetting[] => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  const root = withoutLinks(repositoryOf(folder)) ?? folder;
  const paths = own.flatMap(([name, value = ""]): readonly GitSetting[] =>
    /^path$/i.test(name) ? [[name, outside(root, value)]] : [],
  );
  return {
    ...Object.fromEntries<string | undefined>([...own, ...paths, ...passed]),
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    LC_ALL: "C",
  };
}

/** The search path without folders of the repository, such as `node_modules/.bin`, which could contain a `git`. */
const outside = (root: string, path: string): string =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(root, withoutLinks(folder) ?? folder))
    .join(delimiter);
