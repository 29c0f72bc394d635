/**
 * The kinds of files that lock or list packages, with their readers. The first row whose path matches is used. Readers
 * are loaded on demand: few folders have more than three kinds.
 */
import { keysOf } from "../../text/values.ts";
import { lockfileError } from "./errors.ts";
import type { Lockfile, LockfileReader, RelatedFiles } from "./lockfile.ts";

interface LockfileKind {
  /** Matched against the path, with `/` as separator. */
  readonly path: RegExp;
  readonly load: () => Promise<LockfileReader>;
  /** The reader does not notice a key or value that is cut off: `version: 18` of `version: 18.2.0`. */
  readonly checkLastLine?: true;
}

export const LOCKFILE_KINDS = {
  "package-lock.json": {
    path: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/,
    load: async () => (await import("./npm.ts")).npmLockfile,
  },
  "yarn.lock": {
    path: /(?:^|\/)yarn\.lock$/,
    load: async () => (await import("./yarn.ts")).yarnLockfile,
    checkLastLine: true,
  },
  "pnpm-lock.yaml": {
    path: /(?:^|\/)pnpm-lock\.yaml$/,
    load: async () => (await import("./pnpm.ts")).pnpmLockfile,
    checkLastLine: true,
  },
  "bun.lock": { path: /(?:^|\/)bun\.lock$/, load: async () => (await import("./bun.ts")).bunLockfile },
  "bun.lockb": { path: /(?:^|\/)bun\.lockb$/, load: async () => (await import("./bun.ts")).bunBinaryLockfile },
  "requirements.txt": {
    path: /(?:^|\/)(?:[\w.-]*requirements[\w.-]*\.txt|requirements\/[\w.-]+\.txt)$/,
    load: async () => (await import("./requirements.ts")).requirementsTxt,
  },
  "poetry.lock": {
    path: /(?:^|\/)poetry\.lock$/,
    load: async () => (await import("./python-toml.ts")).poetryLockfile,
  },
  "Pipfile.lock": { path: /(?:^|\/)Pipfile\.lock$/, load: async () => (await import("./pipenv.ts")).pipfileLock },
  "uv.lock": {
    path: /(?:^|\/)uv\.lock$/,
    load: async () => (await import("./python-toml.ts")).uvLockfile,
  },
  "pdm.lock": {
    path: /(?:^|\/)pdm\.lock$/,
    load: async () => (await import("./python-toml.ts")).pdmLockfile,
  },
  "pylock.toml": {
    path: /(?:^|\/)pylock(?:\.[\w-]+)?\.toml$/,
    load: async () => (await import("./python-toml.ts")).pylockToml,
  },
  "go.mod": { path: /(?:^|\/)go\.mod$/, load: async () => (await import("./go.ts")).goModules },
  "go.sum": { path: /(?:^|\/)go\.sum$/, load: async () => (await import("./go.ts")).goSum },
  "Cargo.lock": {
    path: /(?:^|\/)Cargo\.lock$/,
    load: async () => (await import("./cargo.ts")).cargoLockfile,
  },
  "Gemfile.lock": {
    path: /(?:^|\/)(?:Gemfile\.lock|gems\.locked)$/,
    load: async () => (await import("./bundler.ts")).gemfileLock,
  },
  "composer.lock": {
    path: /(?:^|\/)composer\.lock$/,
    load: async () => (await import("./composer.ts")).composerLockfile,
  },
  "packages.lock.json": {
    path: /(?:^|\/)packages(?:\.[\w.-]+)?\.lock\.json$/,
    load: async () => (await import("./nuget.ts")).nugetLockfile,
  },
  "deps.json": { path: /\.deps\.json$/, load: async () => (await import("./nuget.ts")).depsJson },
  "Directory.Packages.props": {
    path: /(?:^|\/)Directory\.Packages\.props$/,
    load: async () => (await import("./msbuild.ts")).directoryPackagesProps,
  },
  "msbuild-project": {
    path: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Build\.(?:props|targets)$/,
    load: async () => (await import("./msbuild.ts")).msbuildProject,
  },
  "gradle.lockfile": {
    path: /(?:^|\/)(?:(?:buildscript-)?gradle|settings-gradle)\.lockfile$/,
    load: async () => (await import("./gradle.ts")).gradleLockfile,
  },
  "libs.versions.toml": { path: /\.versions\.toml$/, load: async () => (await import("./gradle.ts")).gradleCatalogue },
  "pom.xml": { path: /(?:^|\/)pom\.xml$/, load: async () => (await import("./maven.ts")).mavenProject },
  "mix.lock": { path: /(?:^|\/)mix\.lock$/, load: async () => (await import("./elixir.ts")).mixLockfile },
  "pubspec.lock": {
    path: /(?:^|\/)pubspec\.lock$/,
    load: async () => (await import("./pub.ts")).pubspecLock,
    checkLastLine: true,
  },
  "Package.resolved": {
    path: /(?:^|\/)Package\.resolved$/,
    load: async () => (await import("./swift.ts")).swiftLockfile,
  },
  "conan.lock": { path: /(?:^|\/)conan\.lock$/, load: async () => (await import("./conan.ts")).conanLockfile },
} as const satisfies Record<string, LockfileKind>;

export type LockfileKindName = keyof typeof LOCKFILE_KINDS;

const KIND_NAMES = keysOf(LOCKFILE_KINDS);

/** The kind of file at a path (with `/`), by its name alone. */
export function lockfileKindOf(path: string): LockfileKindName | undefined {
  return KIND_NAMES.find((name) => LOCKFILE_KINDS[name].path.test(path));
}

/**
 * Reads the packages of a file of this kind.
 * @throws EolgateError `input` with the line, for a text that cannot be read completely
 */
export async function readLockfile(
  kind: LockfileKindName,
  text: string,
  related: RelatedFiles = () => undefined,
): Promise<Lockfile> {
  const { load, checkLastLine }: LockfileKind = LOCKFILE_KINDS[kind];
  const read = await load();
  const lockfile = read(text, related);
  if (checkLastLine && isCutOff(text.slice(text.lastIndexOf("\n") + 1)))
    throw lockfileError("lockfile-incomplete", "the file ends inside of a key or a value", text, text.length);
  return lockfile;
}

const OPEN_QUOTE = /^[^"]*"(?:[^"]*"[^"]*")*[^"]*$/;
const UNQUOTED_VERSION = /^\s*version:? [^"'=]*$/;
const KEY_ALONE = /^\s*[^\s"':\]}]+$/;

/** Whether a last line that no line break ends may be the start of a longer one. Files without a last line break are common. */
const isCutOff = (line: string): boolean => [OPEN_QUOTE, UNQUOTED_VERSION, KEY_ALONE].some((form) => form.test(line));
