/**
 * The kinds of files with version pins, with their readers. The first row whose path matches is used. Readers are
 * loaded on demand: few folders have more than three kinds.
 */
import { EolgateError } from "../../messages/error.ts";
import { keysOf } from "../../text/values.ts";
import type { ToolNames } from "../../model/index.ts";
import type { NamedPin, PinReader } from "./pin.ts";
import { brokenPinFile } from "../errors.ts";
import { readersOf, type RelatedFiles } from "../lockfiles/lockfile.ts";

/** Whether a YAML file is a manifest of Kubernetes. */
const isKubernetesManifest = (text: string): boolean =>
  ["apiVersion", "kind", "image"].every((key) => new RegExp(`(?:^|[\\s{,"'])${key}["']?:`).test(text));

/** A template of CloudFormation or SAM has resources with types of AWS. */
const isCloudFormation = (text: string): boolean => /^Resources:/m.test(text) && /\bType:\s*["']?AWS::/.test(text);

interface PinKind {
  /** Matched against the path, with `/` as separator, relative to the checked folder. */
  readonly path: RegExp;
  readonly load: () => Promise<PinReader>;
  /** Whether the text is of this kind, where the name of the file is not sufficient. */
  readonly fits?: (text: string) => boolean;
  /** The scope of its pins, for files that builds, tests and developers use, and the running software does not. */
  readonly scope?: "development";
}

const versionFiles = readersOf(() => import("./version-files.ts"));
/** A file that contains one version of a tool. */
const versionOf = (tool: string) => versionFiles((m) => m.singleVersionFile(tool));
const manifests = readersOf(() => import("./manifests.ts"));
const javaBuilds = readersOf(() => import("./java-builds.ts"));
const dockerfile = readersOf(() => import("./dockerfile.ts"));
const workflow = readersOf(() => import("./workflow.ts"));
const continuousIntegration = readersOf(() => import("./continuous-integration.ts"));
const environments = readersOf(() => import("./environments.ts"));
const infrastructure = readersOf(() => import("./infrastructure.ts"));
const services = readersOf(() => import("./services.ts"));

export const PIN_KINDS = {
  nvmrc: { path: /(?:^|\/)\.nvmrc$/, load: versionOf("node") },
  "node-version": { path: /(?:^|\/)\.node-version$/, load: versionOf("node") },
  "python-version": { path: /(?:^|\/)\.python-version$/, load: versionFiles((m) => m.versionFile("python")) },
  "ruby-version": { path: /(?:^|\/)\.ruby-version$/, load: versionOf("ruby") },
  "go-version": { path: /(?:^|\/)\.go-version$/, load: versionOf("go") },
  "java-version": { path: /(?:^|\/)\.java-version$/, load: versionOf("java") },
  "php-version": { path: /(?:^|\/)\.php-version$/, load: versionOf("php") },
  "terraform-version": { path: /(?:^|\/)\.terraform-version$/, load: versionOf("terraform") },
  bazelversion: { path: /(?:^|\/)\.bazelversion$/, load: versionOf("bazel") },
  "tool-versions": { path: /(?:^|\/)\.tool-versions$/, load: versionFiles((m) => m.toolVersions) },
  sdkmanrc: { path: /(?:^|\/)\.sdkmanrc$/, load: versionFiles((m) => m.sdkmanrc) },
  "runtime.txt": { path: /(?:^|\/)runtime\.txt$/, load: versionFiles((m) => m.runtimeTxt) },
  "mise.toml": {
    path: /(?:^|\/)(?:\.?mise(?:\.local)?\.toml|\.config\/mise(?:\/config)?\.toml|\.mise\/config\.toml)$/,
    load: manifests((m) => m.miseToml),
  },
  "rust-toolchain": { path: /(?:^|\/)rust-toolchain(?:\.toml)?$/, load: versionFiles((m) => m.rustToolchain) },
  "package.json": { path: /(?:^|\/)package\.json$/, load: manifests((m) => m.packageJson) },
  "composer.json": { path: /(?:^|\/)composer\.json$/, load: manifests((m) => m.composerJson) },
  "global.json": { path: /(?:^|\/)global\.json$/, load: manifests((m) => m.globalJson) },
  "go.mod": { path: /(?:^|\/)go\.(?:mod|work)$/, load: versionFiles((m) => m.goMod) },
  Gemfile: { path: /(?:^|\/)Gemfile$/, load: versionFiles((m) => m.gemfile) },
  "pom.xml": { path: /(?:^|\/)pom\.xml$/, load: javaBuilds((m) => m.pomXml) },
  gradle: { path: /(?:^|\/)(?:build|settings)\.gradle(?:\.kts)?$/, load: javaBuilds((m) => m.buildGradle) },
  "gradle-wrapper": { path: /(?:^|\/)gradle-wrapper\.properties$/, load: versionFiles((m) => m.gradleWrapper) },
  "maven-wrapper": { path: /(?:^|\/)maven-wrapper\.properties$/, load: versionFiles((m) => m.mavenWrapper) },
  Dockerfile: {
    path: /(?:^|\/)(?:(?:Docker|Container)file(?:\.(?!(?:[cm]?[jt]sx?|py|rb|go|java|rs|md|txt|json|ya?ml|html?)$)[\w.-]+)?|[\w.-]+\.(?:docker|container)file)$/i,
    load: dockerfile((m) => m.dockerfile),
  },
  compose: { path: /(?:^|\/)(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml$/, load: infrastructure((m) => m.composeYaml) },
  workflow: {
    scope: "development",
    path: /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/,
    load: workflow((m) => m.workflow),
  },
  "gitlab-ci": {
    scope: "development",
    path: /(?:^|\/)\.gitlab-ci(?:\.[\w-]+)?\.ya?ml$|(?:^|\/)\.gitlab\/(?:.+\/)?[\w.-]+\.ya?ml$/,
    load: continuousIntegration((m) => m.gitlabCi),
  },
  circleci: {
    scope: "development",
    path: /(?:^|\/)\.circleci\/[\w.-]+\.ya?ml$/,
    load: continuousIntegration((m) => m.circleCi),
  },
  "azure-pipelines": {
    scope: "development",
    path: /(?:^|\/)(?:\.?azure-pipelines[\w.-]*\.ya?ml|(?:\.?azure-?pipelines|\.azdo)\/(?:.+\/)?[\w.-]+\.ya?ml)$/,
    load: continuousIntegration((m) => m.azurePipelines),
  },
  jenkinsfile: {
    scope: "development",
    path: /(?:^|\/)Jenkinsfile(?:[.-][\w.-]+)?$|\.jenkinsfile$/,
    load: continuousIntegration((m) => m.jenkinsfile),
  },
  travis: { scope: "development", path: /(?:^|\/)\.travis\.ya?ml$/, load: continuousIntegration((m) => m.travisCi) },
  devcontainer: {
    scope: "development",
    path: /(?:^|\/)(?:\.devcontainer\/(?:[\w.-]+\/)?devcontainer|\.devcontainer)\.json$/,
    load: environments((m) => m.devcontainer),
  },
  readthedocs: {
    scope: "development",
    path: /(?:^|\/)\.?readthedocs\.ya?ml$/,
    load: environments((m) => m.readTheDocs),
  },
  pipeline: {
    scope: "development",
    path: /(?:^|\/)(?:bitbucket-pipelines|\.?(?:drone|woodpecker|cirrus)|\.semaphore\/[\w.-]+|\.(?:woodpecker|buildkite)\/[\w./-]+)\.ya?ml$/,
    load: services((m) => m.pipelineImages),
  },
  buildspec: {
    scope: "development",
    path: /(?:^|\/)[\w.-]*buildspec[\w.-]*\.ya?ml$/,
    load: services((m) => m.buildspec),
  },
  cloudbuild: { scope: "development", path: /(?:^|\/)cloudbuild[\w.-]*\.ya?ml$/, load: services((m) => m.cloudBuild) },
  "pre-commit": {
    scope: "development",
    path: /(?:^|\/)\.pre-commit-config\.ya?ml$/,
    load: services((m) => m.preCommit),
  },
  kustomization: { path: /(?:^|\/)kustomization\.ya?ml$/, load: services((m) => m.kustomization) },
  quadlet: { path: /\.container$/, load: services((m) => m.quadlet) },
  netlify: { path: /(?:^|\/)netlify\.toml$/, load: services((m) => m.netlify) },
  "system.properties": { path: /(?:^|\/)system\.properties$/, load: services((m) => m.systemProperties) },
  fvmrc: { path: /(?:^|\/)\.fvmrc$/, load: services((m) => m.fvmrc) },
  sbt: { path: /(?:^|\/)(?:build\.sbt|project\/build\.properties)$/, load: services((m) => m.sbt) },
  "pyproject.toml": { path: /(?:^|\/)pyproject\.toml$/, load: manifests((m) => m.pyprojectToml) },
  Pipfile: { path: /(?:^|\/)Pipfile$/, load: manifests((m) => m.pipfile) },
  "Cargo.toml": { path: /(?:^|\/)Cargo\.toml$/, load: manifests((m) => m.cargoToml) },
  gemspec: { path: /\.gemspec$/, load: manifests((m) => m.gemspec) },
  "target-framework": {
    path: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Build\.(?:props|targets)$/,
    load: manifests((m) => m.msbuildFrameworks),
  },
  terraform: { path: /\.tf$/, load: async () => (await import("./terraform.ts")).terraform },
  serverless: { path: /(?:^|\/)serverless\.ya?ml$/, load: infrastructure((m) => m.serverlessYml) },
  cloudformation: {
    path: /(?:^|\/)(?:template|sam|cloudformation)[\w.-]*\.ya?ml$/,
    load: infrastructure((m) => m.cloudFormation),
    fits: isCloudFormation,
  },
  "helm-values": { path: /(?:^|\/)values[\w.-]*\.ya?ml$/, load: infrastructure((m) => m.helmValues) },
  "helm-chart": { path: /(?:^|\/)Chart\.ya?ml$/, load: infrastructure((m) => m.helmChart) },
  kubernetes: {
    path: /\.ya?ml$/,
    load: infrastructure((m) => m.kubernetesYaml),
    fits: isKubernetesManifest,
  },
} as const satisfies Record<string, PinKind>;

export type PinKindName = keyof typeof PIN_KINDS;

const KIND_NAMES = keysOf(PIN_KINDS);

/** The kind of file at a path (with `/`), by its name alone. */
export function pinKindOf(path: string): PinKindName | undefined {
  return KIND_NAMES.find((name) => PIN_KINDS[name].path.test(path));
}

/**
 * Reads the pins of a file, named by the catalogue; none if its text is not of this kind.
 * @throws EolgateError `pin-file-broken` with the line
 */
export async function pinsOf(
  kind: PinKindName,
  text: string,
  { names, related }: { readonly names: ToolNames; readonly related: RelatedFiles },
): Promise<readonly NamedPin[]> {
  const row = rowFor(kind, text);
  if (row === undefined) return [];
  const [read, { namedPins }] = await Promise.all([row.load(), import("./tools.ts")]);
  try {
    const pins = uniquePins(read(text, related).flatMap((pin) => namedPins(pin, names)));
    const { scope } = row;
    return scope === undefined ? pins : pins.map((pin) => ({ ...pin, scope }));
  } catch (cause) {
    throw cause instanceof EolgateError ? brokenPinFile(cause) : cause;
  }
}

/** The row of a kind; a YAML file that is not of the kind by which it is named may be a manifest of Kubernetes. */
function rowFor(kind: PinKindName, text: string): PinKind | undefined {
  const named: PinKind = PIN_KINDS[kind];
  return named.fits === undefined ? named : [named, PIN_KINDS.kubernetes].find((row) => row.fits?.(text));
}

/** A value that several places use, by a variable or an anchor, is one pin. */
function uniquePins(pins: readonly NamedPin[]): readonly NamedPin[] {
  const unique = new Map(pins.map((pin) => [`${pin.name} ${pin.version ?? ""} ${String(pin.location.at)}`, pin]));
  return [...unique.values()];
}
