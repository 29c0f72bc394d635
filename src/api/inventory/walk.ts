/**
 * Lists the files of a folder. Skipped and counted are installed packages, paths of .gitignore and --exclude, and
 * symbolic links, which could lead out of the folder. Files that git tracks are listed even if .gitignore names them.
 */
import { readdirSync, existsSync, type Dirent } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ignore from "ignore";
import type { Ignore } from "ignore";
import type { TrackedPaths } from "../../files/git-index.ts";
import { EolgateError } from "../../messages/error.ts";
import { readUpTo } from "../../platform/bounded-file.ts";
import { errorCode } from "../../platform/write-error.ts";
import { getOwn, lazy, remembered } from "../../text/values.ts";
import { MAX_GIT_FILE_BYTES, trackedPaths } from "./repository.ts";

export interface FolderFiles {
  /** Paths relative to the folder, with `/`, sorted. */
  readonly files: readonly string[];
  /** Directories that cannot be read, with the system's error code. */
  readonly unreadable: readonly { readonly path: string; readonly code: string }[];
  readonly skipped: SkippedEntries;
  /** Files that a pattern of .gitignore or --exclude leaves out, sorted. Folders that are left out are not entered. */
  readonly omitted: readonly string[];
}

export interface SkippedEntries {
  /** Directories of installed packages and build results, by name. */
  readonly directories: ReadonlyMap<string, number>;
  readonly gitIgnored: number;
  readonly excluded: number;
  readonly links: number;
}

/** Names of directories with installed packages or build results. */
const SKIPPED_DIRECTORIES = new Set(
  ".bundle .eggs .git .gradle .hg .nox .pnpm-store .svn .terraform .tox .venv .yarn Carthage Pods __pycache__ bower_components node_modules site-packages target vendor venv".split(
    " ",
  ),
);

/** Folders of these names may also be source: git tracks them, and no tool has left its mark in them. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  Pods: ["Manifest.lock"],
  target: ["CACHEDIR.TAG"],
  vendor: ["modules.txt", "autoload.php", "vendor.json", "github.com", "bundle", "cache"],
};

/** Whether a folder has installed packages or build results, by its name and by the marks in it. */
const isInstalled = (name: string, isTracked: () => boolean, hasEntry: (mark: string) => boolean): boolean => {
  if (!SKIPPED_DIRECTORIES.has(name)) return false;
  const marks = getOwn(MARKS, name);
  return marks === undefined || !isTracked() || marks.some(hasEntry);
};

/** Maximum number of entries. No monorepo has as many; such a folder was probably given by mistake. */
const MAX_ENTRIES = 2_000_000;

/** File systems of macOS and Windows ignore case, and git does there. */
const IGNORES_CASE = process.platform === "darwin" || process.platform === "win32";

/** Patterns are matched as git matches them: with case, where the file system has it. */
const patternRules = (): Ignore => ignore({ ignorecase: IGNORES_CASE });

/** The rules of one .gitignore, for paths relative to its directory, which is in the folder or above it. */
interface IgnoreRules {
  /** Characters of the directory in paths of the folder, with the slash. */
  readonly below: number;
  /** The folder as seen from a directory above it, with a slash. */
  readonly above: string;
  readonly rules: Ignore;
}

interface WalkedDirectory {
  /** Relative to the folder, `""` for the folder itself. */
  readonly path: string;
  readonly gitignores: readonly IgnoreRules[];
  /** A pattern leaves the directory out: only tracked files in it are read. */
  readonly isIgnored: boolean;
}

/** Patterns in the syntax of .gitignore, for paths relative to `base`. */
export interface Exclusion {
  readonly base: string;
  readonly patterns: readonly string[];
}

/** @throws EolgateError `input`, code `unreadable`, when the folder itself cannot be read. */
export function walkFolder(root: string, exclude?: Exclusion): FolderFiles {
  return new FolderWalk(resolve(root), exclude ?? { base: root, patterns: [] }).run();
}

/**
 * Selects paths as `walkFolder` does, from a list that is not a folder on disk: it has no ignored files and no links.
 */
export function selectPaths(paths: readonly string[], patterns: readonly string[]): FolderFiles {
  const excluded = patternRules().add([...patterns]);
  const directories = new Map<string, Set<string>>();
  const counts = { gitIgnored: 0, excluded: 0, links: 0 };
  const omitted: string[] = [];
  // Every path of such a list is tracked.
  const isSkipped = remembered((folder: string) =>
    isInstalled(
      folder.slice(folder.lastIndexOf("/") + 1),
      () => true,
      (mark) => paths.some((each) => `${each}/`.startsWith(`${folder}/${mark}/`)),
    ),
  );
  const files = paths.filter((path) => {
    const segments = path.split("/");
    const at = segments.slice(0, -1).findIndex((_, index) => isSkipped(segments.slice(0, index + 1).join("/")));
    if (at !== -1) {
      const name = segments[at] ?? "";
      directories.set(name, (directories.get(name) ?? new Set()).add(segments.slice(0, at + 1).join("/")));
      return false;
    }
    if (!excluded.ignores(path)) return true;
    counts.excluded += 1;
    omitted.push(path);
    return false;
  });
  const skipped = new Map([...directories].map(([name, found]) => [name, found.size]));
  return { files: files.sort(), unreadable: [], skipped: { directories: skipped, ...counts }, omitted: omitted.sort() };
}

class FolderWalk {
  private readonly root: string;
  private readonly excluded: IgnoreRules;
  private readonly files: string[] = [];
  private readonly unreadable: { path: string; code: string }[] = [];
  private readonly directories = new Map<string, number>();
  private readonly counts = { gitIgnored: 0, excluded: 0, links: 0 };
  private readonly omitted: string[] = [];
  private readonly tracked: () => TrackedPaths | undefined;
  private readonly hasExclusions: boolean;
  private seen = 0;

  constructor(root: string, { base, patterns }: Exclusion) {
    this.root = root;
    // A folder outside the base is its own base: patterns without a slash apply anywhere.
    const inside = relative(base, root).replaceAll("\\", "/");
    this.excluded = {
      ...(inside.startsWith("..") || inside === "" ? AT_ROOT : { below: 0, above: `${inside}/` }),
      rules: patternRules().add([...patterns]),
    };
    this.hasExclusions = patterns.length > 0;
    this.tracked = lazy(() => trackedPaths(root));
  }

  run(): FolderFiles {
    const open: WalkedDirectory[] = [{ path: "", gitignores: gitignoresAbove(this.root), isIgnored: false }];
    for (let directory = open.pop(); directory; directory = open.pop()) open.push(...this.enter(directory));
    const { files, unreadable, directories, counts, omitted } = this;
    files.sort();
    return { files, unreadable, skipped: { directories, ...counts }, omitted: omitted.sort() };
  }

  /** Adds the files of one directory and returns the directories to enter. */
  private enter({ path, gitignores, isIgnored }: WalkedDirectory): readonly WalkedDirectory[] {
    const entries = this.entries(path);
    const own = entries.some((entry) => entry.name === ".gitignore" && entry.isFile())
      ? rulesOf(join(this.root, path, ".gitignore"), { below: path === "" ? 0 : path.length + 1, above: "" })
      : undefined;
    const inside = own ? [...gitignores, own] : gitignores;
    const deeper: WalkedDirectory[] = [];
    for (const entry of entries) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      const wanted = this.wantedAs(entry, below, { gitignores: inside, isIgnored });
      if (wanted === undefined) continue;
      if (entry.isDirectory()) deeper.push({ path: below, gitignores: inside, isIgnored: wanted === "tracked" });
      else if (entry.isFile()) this.files.push(below);
    }
    return deeper;
  }

  private entries(path: string): readonly Dirent[] {
    try {
      const entries = readdirSync(join(this.root, path), { withFileTypes: true });
      this.seen += entries.length;
      if (this.seen <= MAX_ENTRIES) return entries;
    } catch (cause) {
      if (path === "") throw unreadableFolder(this.root, cause);
      this.unreadable.push({ path, code: errorCode(cause) });
      return [];
    }
    throw EolgateError.of("too-large", {
      problem: `the folder has more than ${MAX_ENTRIES} entries`,
      advice: "Check the folder of a single project, or exclude parts with --exclude.",
    }).at(this.root);
  }

  /** Why an entry is read or entered; undefined for others, which are counted as skipped. */
  private wantedAs(
    entry: Dirent,
    path: string,
    { gitignores, isIgnored }: Pick<WalkedDirectory, "gitignores" | "isIgnored">,
  ): "file" | "tracked" | undefined {
    const isDirectory = entry.isDirectory();
    if (this.isNeverEntered(entry, path)) return undefined;
    if (this.hasExclusions && matches(path, isDirectory, [this.excluded]))
      return this.omit(path, isDirectory, "excluded");
    if (!isIgnored && !isOutput(entry) && !matches(path, isDirectory, gitignores)) return "file";
    if (this.tracked()?.[isDirectory ? "folders" : "files"].has(path)) return "tracked";
    return this.omit(path, isDirectory, "gitIgnored");
  }

  /** Counts links and directories of installed packages. */
  private isNeverEntered(entry: Dirent, path: string): boolean {
    const isTracked = () => this.tracked()?.folders.has(path) === true;
    const hasEntry = (mark: string) => existsSync(join(this.root, path, mark));
    if (entry.isSymbolicLink()) this.counts.links++;
    else if (entry.isDirectory() && isInstalled(entry.name, isTracked, hasEntry))
      this.directories.set(entry.name, (this.directories.get(entry.name) ?? 0) + 1);
    else return false;
    return true;
  }

  private omit(path: string, isDirectory: boolean, by: "excluded" | "gitIgnored"): undefined {
    this.counts[by]++;
    if (!isDirectory) this.omitted.push(path);
  }
}

/** In such a folder, only tracked files are source. */
const isOutput = (entry: Dirent): boolean => entry.isDirectory() && SKIPPED_DIRECTORIES.has(entry.name);

const AT_ROOT = { below: 0, above: "" };

/** The deepest .gitignore with a matching rule decides. */
function matches(path: string, isDirectory: boolean, gitignores: readonly IgnoreRules[]): boolean {
  for (let index = gitignores.length - 1; index >= 0; index--) {
    const { below, above, rules } = gitignores[index] ?? { ...AT_ROOT, rules: patternRules() };
    const inside = above + (below === 0 ? path : path.slice(below));
    const { ignored, unignored } = rules.test(isDirectory ? `${inside}/` : inside);
    if (ignored || unignored) return ignored;
  }
  return false;
}

function rulesOf(file: string, place: typeof AT_ROOT): IgnoreRules | undefined {
  try {
    const content = readUpTo(file, MAX_GIT_FILE_BYTES);
    return content && { ...place, rules: patternRules().add(content.toString("utf8")) };
  } catch {
    return undefined; // without its rules more files are read, never fewer
  }
}

/** The .gitignore files of the parent folders, up to the root of the repository. */
function gitignoresAbove(folder: string): readonly IgnoreRules[] {
  const above: string[] = [];
  for (let current = folder; ; current = dirname(current)) {
    if (current !== folder) above.unshift(current);
    if (existsSync(join(current, ".git"))) break;
    if (dirname(current) === current) return [];
  }
  return above.flatMap((directory) => {
    const inside = relative(directory, folder).replaceAll("\\", "/");
    return rulesOf(join(directory, ".gitignore"), { below: 0, above: `${inside}/` }) ?? [];
  });
}

const unreadableFolder = (folder: string, cause: unknown): EolgateError =>
  EolgateError.of(
    "unreadable",
    {
      problem: `the folder cannot be read (${errorCode(cause)})`,
      advice: "Check that it exists and its permissions, or exclude it with --exclude.",
    },
    { where: folder, cause },
  );
