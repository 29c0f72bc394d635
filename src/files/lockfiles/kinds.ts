/**
 * The kinds of files that lock or list packages, with their readers. The first row whose path matches is used. Readers
 * are loaded on demand: few folders have more than three kinds.
 */
import { keysOf } from "../../text/values.ts";
import { lockfileError } from "../errors.ts";
import { type Lockfile, type LockfileReader, readersOf, type RelatedFiles } from "./lockfile.ts";

interface LockfileKind {
  /** Matched against the path, with `/` as separator. */
  readonly path: RegExp;
  readonly load: () => Promise<LockfileReader>;
  /** The reader does not notice a key or value that is cut off: `version: 18` of `version: 18.2.0`. */
  readonly checkLastLine?: true;
}

const npm = readersOf(() => import("./npm.ts"));
const yarn = readersOf(() => import("./yarn.ts"));
const pnpm = readersOf(() => import("./pnpm.ts"));
const bun = readersOf(() => import("./bun.ts"));
const requirements = readersOf(() => import("./requirements.ts"));
const pythonLock = readersOf(() => import("./python-lock.ts"));
const go = readersOf(() => import("./go.ts"));
const cargo = readersOf(() => import("./cargo.ts"));
const bundler = readersOf(() => import("./bundler.ts"));
const composer = readersOf(() => import("./composer.ts"));
const dotnet = readersOf(() => import("./dotnet.ts"));
const gradle = readersOf(() => import("./gradle.ts"));
const maven = readersOf(() => import("./maven.ts"));
const elixir = readersOf(() => import("./elixir.ts"));
const pub = readersOf(() => import("./pub.ts"));
const swift = readersOf(() => import("./swift.ts"));
const conan = readersOf(() => import("./conan.ts"));

export const LOCKFILE_KINDS = {
  "package-lock.json": { path: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, load: npm((m) => m.npmLockfile) },
  "yarn.lock": {
    path: /(?:^|\/)yarn\.lock$/,
    load: yarn((m) => m.yarnLockfile),
    checkLastLine: true,
  },
  "pnpm-lock.yaml": {
    path: /(?:^|\/)pnpm-lock\.yaml$/,
    load: pnpm((m) => m.pnpmLockfile),
    checkLastLine: true,
  },
  "bun.lock": { path: /(?:^|\/)bun\.lock$/, load: bun((m) => m.bunLockfile) },
  "bun.lockb": { path: /(?:^|\/)bun\.lockb$/, load: bun((m) => m.bunBinaryLockfile) },
  "requirements.txt": {
    path: /(?:^|\/)(?:[\w.-]*requirements[\w.-]*\.txt|requirements\/[\w.-]+\.txt)$/,
    load: requirements((m) => m.requirementsTxt),
  },
  "poetry.lock": { path: /(?:^|\/)poetry\.lock$/, load: pythonLock((m) => m.poetryLockfile) },
  "Pipfile.lock": { path: /(?:^|\/)Pipfile\.lock$/, load: pythonLock((m) => m.pipfileLock) },
  "uv.lock": { path: /(?:^|\/)uv\.lock$/, load: pythonLock((m) => m.uvLockfile) },
  "pdm.lock": { path: /(?:^|\/)pdm\.lock$/, load: pythonLock((m) => m.pdmLockfile) },
  "pylock.toml": { path: /(?:^|\/)pylock(?:\.[\w-]+)?\.toml$/, load: pythonLock((m) => m.pylockToml) },
  "go.mod": { path: /(?:^|\/)go\.mod$/, load: go((m) => m.goModules) },
  "go.sum": { path: /(?:^|\/)go\.sum$/, load: go((m) => m.goSum) },
  "Cargo.lock": { path: /(?:^|\/)Cargo\.lock$/, load: cargo((m) => m.cargoLockfile) },
  "Gemfile.lock": { path: /(?:^|\/)(?:Gemfile\.lock|gems\.locked)$/, load: bundler((m) => m.gemfileLock) },
  "composer.lock": { path: /(?:^|\/)composer\.lock$/, load: composer((m) => m.composerLockfile) },
  "packages.lock.json": { path: /(?:^|\/)packages(?:\.[\w.-]+)?\.lock\.json$/, load: dotnet((m) => m.nugetLockfile) },
  "packages.config": { path: /(?:^|\/)packages\.config$/, load: dotnet((m) => m.packagesConfig) },
  "deps.json": { path: /\.deps\.json$/, load: dotnet((m) => m.depsJson) },
  "Directory.Packages.props": {
    path: /(?:^|\/)Directory\.Packages\.props$/,
    load: dotnet((m) => m.directoryPackagesProps),
  },
  "msbuild-project": {
    path: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Build\.(?:props|targets)$/,
    load: dotnet((m) => m.msbuildProject),
  },
  "gradle.lockfile": {
    path: /(?:^|\/)(?:(?:buildscript-)?gradle|settings-gradle)\.lockfile$/,
    load: gradle((m) => m.gradleLockfile),
  },
  "libs.versions.toml": { path: /\.versions\.toml$/, load: gradle((m) => m.gradleCatalogue) },
  "pom.xml": { path: /(?:^|\/)pom\.xml$/, load: maven((m) => m.mavenProject) },
  "mix.lock": { path: /(?:^|\/)mix\.lock$/, load: elixir((m) => m.mixLockfile) },
  "pubspec.lock": {
    path: /(?:^|\/)pubspec\.lock$/,
    load: pub((m) => m.pubspecLock),
    checkLastLine: true,
  },
  "Package.resolved": { path: /(?:^|\/)Package\.resolved$/, load: swift((m) => m.swiftLockfile) },
  "conan.lock": { path: /(?:^|\/)conan\.lock$/, load: conan((m) => m.conanLockfile) },
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
