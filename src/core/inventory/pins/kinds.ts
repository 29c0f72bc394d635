/** Which files hold pins, and who reads each: one row a kind. The first row that fits a path is its kind. */
import { composeYaml, isManifest, kubernetesYaml } from "./compose.ts";
import { dockerfile } from "./dockerfile.ts";
import { buildGradle } from "./gradle.ts";
import { composerJson, globalJson, packageJson } from "./json-files.ts";
import { gemfile, goMod, gradleWrapper, mavenWrapper, rustToolchain } from "./line-files.ts";
import { miseToml } from "./mise.ts";
import type { PinReader } from "./pin.ts";
import { pomXml } from "./pom.ts";
import { runtimeTxt, sdkmanrc, singleVersionFile, toolVersions, versionFile } from "./version-files.ts";
import { workflow } from "./workflow.ts";

interface PinKind {
  /** Tested on the path with `/`, from the folder that is scanned. */
  readonly path: RegExp;
  readonly read: PinReader;
  /** Where the name of the file is not enough: whether its text is of this kind. */
  readonly fits?: (text: string) => boolean;
}

export const PIN_KINDS = {
  nvmrc: { path: /(?:^|\/)\.nvmrc$/, read: singleVersionFile("node") },
  "node-version": { path: /(?:^|\/)\.node-version$/, read: singleVersionFile("node") },
  "python-version": { path: /(?:^|\/)\.python-version$/, read: versionFile("python") },
  "ruby-version": { path: /(?:^|\/)\.ruby-version$/, read: singleVersionFile("ruby") },
  "go-version": { path: /(?:^|\/)\.go-version$/, read: singleVersionFile("go") },
  "java-version": { path: /(?:^|\/)\.java-version$/, read: singleVersionFile("java") },
  "php-version": { path: /(?:^|\/)\.php-version$/, read: singleVersionFile("php") },
  "terraform-version": { path: /(?:^|\/)\.terraform-version$/, read: singleVersionFile("terraform") },
  "tool-versions": { path: /(?:^|\/)\.tool-versions$/, read: toolVersions },
  sdkmanrc: { path: /(?:^|\/)\.sdkmanrc$/, read: sdkmanrc },
  "runtime.txt": { path: /(?:^|\/)runtime\.txt$/, read: runtimeTxt },
  "mise.toml": {
    path: /(?:^|\/)(?:\.?mise(?:\.local)?\.toml|\.config\/mise(?:\/config)?\.toml|\.mise\/config\.toml)$/,
    read: miseToml,
  },
  "rust-toolchain": { path: /(?:^|\/)rust-toolchain(?:\.toml)?$/, read: rustToolchain },
  "package.json": { path: /(?:^|\/)package\.json$/, read: packageJson },
  "composer.json": { path: /(?:^|\/)composer\.json$/, read: composerJson },
  "global.json": { path: /(?:^|\/)global\.json$/, read: globalJson },
  "go.mod": { path: /(?:^|\/)go\.mod$/, read: goMod },
  Gemfile: { path: /(?:^|\/)Gemfile$/, read: gemfile },
  "pom.xml": { path: /(?:^|\/)pom\.xml$/, read: pomXml },
  gradle: { path: /(?:^|\/)build\.gradle(?:\.kts)?$/, read: buildGradle },
  "gradle-wrapper": { path: /(?:^|\/)gradle-wrapper\.properties$/, read: gradleWrapper },
  "maven-wrapper": { path: /(?:^|\/)maven-wrapper\.properties$/, read: mavenWrapper },
  Dockerfile: {
    path: /(?:^|\/)(?:(?:Docker|Container)file(?:\.[\w.-]+)?|[\w.-]+\.(?:docker|container)file)$/i,
    read: dockerfile,
  },
  compose: { path: /(?:^|\/)(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml$/, read: composeYaml },
  workflow: { path: /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/, read: workflow },
  kubernetes: { path: /\.ya?ml$/, read: kubernetesYaml, fits: isManifest },
} as const satisfies Record<string, PinKind>;

export type PinKindName = keyof typeof PIN_KINDS;

const KINDS: readonly (readonly [string, PinKind])[] = Object.entries(PIN_KINDS);

/** The kind of file at a path (with `/`), by its name alone. */
export function pinKindOf(path: string): PinKindName | undefined {
  return KINDS.find(([, kind]) => kind.path.test(path))?.[0] as PinKindName | undefined; // a key of the table
}

/** The pins of a file of this kind; none where its text turns out to be something else. */
export function pinsOf(kind: PinKindName, text: string): ReturnType<PinReader> {
  const row: PinKind = PIN_KINDS[kind];
  return row.fits && !row.fits(text) ? [] : row.read(text);
}
