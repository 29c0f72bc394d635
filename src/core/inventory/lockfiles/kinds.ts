/** Which files are lockfiles or list packages, and who reads each: one row for a kind. The first row that fits counts. */
import { bunBinaryLockfile, bunLockfile } from "./bun.ts";
import { gemfileLock } from "./bundler.ts";
import { cargoLockfile } from "./cargo.ts";
import { composerLockfile } from "./composer.ts";
import { conanLockfile } from "./conan.ts";
import { mixLockfile } from "./elixir.ts";
import { refuseConflictMarkers } from "./errors.ts";
import { goModules, goSum } from "./go.ts";
import { gradleCatalogue, gradleLockfile } from "./gradle.ts";
import type { Lockfile, LockfileReader, RelatedFiles } from "./lockfile.ts";
import { mavenProject } from "./maven.ts";
import { directoryPackagesProps, msbuildProject } from "./msbuild.ts";
import { npmLockfile } from "./npm.ts";
import { depsJson, nugetLockfile } from "./nuget.ts";
import { pipfileLock } from "./pipenv.ts";
import { pnpmLockfile } from "./pnpm.ts";
import { pubspecLock } from "./pub.ts";
import { pdmLockfile, poetryLockfile, pylockToml, uvLockfile } from "./python-toml.ts";
import { requirementsTxt } from "./requirements.ts";
import { swiftLockfile } from "./swift.ts";
import { yarnLockfile } from "./yarn.ts";

interface LockfileKind {
  /** Tested on the path with `/`. */
  readonly path: RegExp;
  readonly read: LockfileReader;
}

export const LOCKFILE_KINDS = {
  "package-lock.json": { path: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, read: npmLockfile },
  "yarn.lock": { path: /(?:^|\/)yarn\.lock$/, read: yarnLockfile },
  "pnpm-lock.yaml": { path: /(?:^|\/)pnpm-lock\.yaml$/, read: pnpmLockfile },
  "bun.lock": { path: /(?:^|\/)bun\.lock$/, read: bunLockfile },
  "bun.lockb": { path: /(?:^|\/)bun\.lockb$/, read: bunBinaryLockfile },
  "requirements.txt": {
    path: /(?:^|\/)(?:[\w.-]*requirements[\w.-]*\.txt|requirements\/[\w.-]+\.txt)$/,
    read: requirementsTxt,
  },
  "poetry.lock": { path: /(?:^|\/)poetry\.lock$/, read: poetryLockfile },
  "Pipfile.lock": { path: /(?:^|\/)Pipfile\.lock$/, read: pipfileLock },
  "uv.lock": { path: /(?:^|\/)uv\.lock$/, read: uvLockfile },
  "pdm.lock": { path: /(?:^|\/)pdm\.lock$/, read: pdmLockfile },
  "pylock.toml": { path: /(?:^|\/)pylock(?:\.[\w-]+)?\.toml$/, read: pylockToml },
  "go.mod": { path: /(?:^|\/)go\.mod$/, read: goModules },
  "go.sum": { path: /(?:^|\/)go\.sum$/, read: goSum },
  "Cargo.lock": { path: /(?:^|\/)Cargo\.lock$/, read: cargoLockfile },
  "Gemfile.lock": { path: /(?:^|\/)(?:Gemfile\.lock|gems\.locked)$/, read: gemfileLock },
  "composer.lock": { path: /(?:^|\/)composer\.lock$/, read: composerLockfile },
  "packages.lock.json": { path: /(?:^|\/)packages(?:\.[\w.-]+)?\.lock\.json$/, read: nugetLockfile },
  "deps.json": { path: /\.deps\.json$/, read: depsJson },
  "Directory.Packages.props": { path: /(?:^|\/)Directory\.Packages\.props$/, read: directoryPackagesProps },
  "msbuild-project": { path: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Build\.(?:props|targets)$/, read: msbuildProject },
  "gradle.lockfile": {
    path: /(?:^|\/)(?:(?:buildscript-)?gradle|settings-gradle)\.lockfile$/,
    read: gradleLockfile,
  },
  "libs.versions.toml": { path: /\.versions\.toml$/, read: gradleCatalogue },
  "pom.xml": { path: /(?:^|\/)pom\.xml$/, read: mavenProject },
  "mix.lock": { path: /(?:^|\/)mix\.lock$/, read: mixLockfile },
  "pubspec.lock": { path: /(?:^|\/)pubspec\.lock$/, read: pubspecLock },
  "Package.resolved": { path: /(?:^|\/)Package\.resolved$/, read: swiftLockfile },
  "conan.lock": { path: /(?:^|\/)conan\.lock$/, read: conanLockfile },
} as const satisfies Record<string, LockfileKind>;

export type LockfileKindName = keyof typeof LOCKFILE_KINDS;

const KINDS: readonly (readonly [string, LockfileKind])[] = Object.entries(LOCKFILE_KINDS);

/** The kind of file at a path (with `/`), by its name alone. */
export function lockfileKindOf(path: string): LockfileKindName | undefined {
  return KINDS.find(([, kind]) => kind.path.test(path))?.[0] as LockfileKindName | undefined; // a key of the table
}

/** The packages of a file of this kind. @throws EolgateError `input` with the line, for a text that cannot be read completely. */
export function readLockfile(kind: LockfileKindName, text: string, related: RelatedFiles = () => undefined): Lockfile {
  refuseConflictMarkers(text);
  return LOCKFILE_KINDS[kind].read(text, related);
}
