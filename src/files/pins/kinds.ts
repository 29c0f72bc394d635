/**
 * The kinds of files with version pins, with their readers. The first row whose path matches is used. Readers are
 * loaded on demand: few folders have more than three kinds.
 */
import { keysOf } from "../../text/values.ts";
import type { Pin, PinReader } from "./pin.ts";
import type { PinSyntax } from "./syntax.ts";

/** Whether a YAML file is a manifest of Kubernetes. A template with `{{ … }}` is not one before it is rendered. */
const isKubernetesManifest = (text: string): boolean =>
  /^apiVersion:/m.test(text) && /^kind:/m.test(text) && /^\s*(?:- )?image:/m.test(text) && !text.includes("{{");

/** A template of CloudFormation or SAM has resources with types of AWS. */
const isCloudFormation = (text: string): boolean => /^Resources:/m.test(text) && /\bType:\s*["']?AWS::/.test(text);

interface PinKind {
  /** Matched against the path, with `/` as separator, relative to the checked folder. */
  readonly path: RegExp;
  readonly load: () => Promise<PinReader>;
  /** Whether the text is of this kind, where the name of the file is not sufficient. */
  readonly fits?: (text: string) => boolean;
  /** The syntax of the file, where the reader itself would not detect a malformed one. */
  readonly syntax?: PinSyntax;
}

export const PIN_KINDS = {
  nvmrc: { path: /(?:^|\/)\.nvmrc$/, load: async () => (await import("./version-files.ts")).singleVersionFile("node") },
  "node-version": {
    path: /(?:^|\/)\.node-version$/,
    load: async () => (await import("./version-files.ts")).singleVersionFile("node"),
  },
  "python-version": {
    path: /(?:^|\/)\.python-version$/,
    load: async () => (await import("./version-files.ts")).versionFile("python"),
  },
  "ruby-version": {
    path: /(?:^|\/)\.ruby-version$/,
    load: async () => (await import("./version-files.ts")).singleVersionFile("ruby"),
  },
  "go-version": {
    path: /(?:^|\/)\.go-version$/,
    load: async () => (await import("./version-files.ts")).singleVersionFile("go"),
  },
  "java-version": {
    path: /(?:^|\/)\.java-version$/,
    load: async () => (await import("./version-files.ts")).singleVersionFile("java"),
  },
  "php-version": {
    path: /(?:^|\/)\.php-version$/,
    load: async () => (await import("./version-files.ts")).singleVersionFile("php"),
  },
  "terraform-version": {
    path: /(?:^|\/)\.terraform-version$/,
    load: async () => (await import("./version-files.ts")).singleVersionFile("terraform"),
  },
  "tool-versions": {
    path: /(?:^|\/)\.tool-versions$/,
    load: async () => (await import("./version-files.ts")).toolVersions,
  },
  sdkmanrc: { path: /(?:^|\/)\.sdkmanrc$/, load: async () => (await import("./version-files.ts")).sdkmanrc },
  "runtime.txt": { path: /(?:^|\/)runtime\.txt$/, load: async () => (await import("./version-files.ts")).runtimeTxt },
  "mise.toml": {
    path: /(?:^|\/)(?:\.?mise(?:\.local)?\.toml|\.config\/mise(?:\/config)?\.toml|\.mise\/config\.toml)$/,
    load: async () => (await import("./mise.ts")).miseToml,
    syntax: "toml",
  },
  "rust-toolchain": {
    path: /(?:^|\/)rust-toolchain(?:\.toml)?$/,
    load: async () => (await import("./line-files.ts")).rustToolchain,
  },
  "package.json": {
    path: /(?:^|\/)package\.json$/,
    load: async () => (await import("./json-files.ts")).packageJson,
    syntax: "json",
  },
  "composer.json": {
    path: /(?:^|\/)composer\.json$/,
    load: async () => (await import("./json-files.ts")).composerJson,
    syntax: "json",
  },
  "global.json": {
    path: /(?:^|\/)global\.json$/,
    load: async () => (await import("./json-files.ts")).globalJson,
    syntax: "json",
  },
  "go.mod": { path: /(?:^|\/)go\.mod$/, load: async () => (await import("./line-files.ts")).goMod },
  Gemfile: { path: /(?:^|\/)Gemfile$/, load: async () => (await import("./line-files.ts")).gemfile },
  "pom.xml": { path: /(?:^|\/)pom\.xml$/, load: async () => (await import("./pom.ts")).pomXml, syntax: "xml" },
  gradle: { path: /(?:^|\/)build\.gradle(?:\.kts)?$/, load: async () => (await import("./gradle.ts")).buildGradle },
  "gradle-wrapper": {
    path: /(?:^|\/)gradle-wrapper\.properties$/,
    load: async () => (await import("./line-files.ts")).gradleWrapper,
  },
  "maven-wrapper": {
    path: /(?:^|\/)maven-wrapper\.properties$/,
    load: async () => (await import("./line-files.ts")).mavenWrapper,
  },
  Dockerfile: {
    path: /(?:^|\/)(?:(?:Docker|Container)file(?:\.(?!(?:[cm]?[jt]sx?|py|rb|go|java|rs|md|txt|json|ya?ml|html?)$)[\w.-]+)?|[\w.-]+\.(?:docker|container)file)$/i,
    load: async () => (await import("./dockerfile.ts")).dockerfile,
  },
  compose: {
    path: /(?:^|\/)(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml$/,
    load: async () => (await import("./compose.ts")).composeYaml,
  },
  workflow: {
    path: /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/,
    load: async () => (await import("./workflow.ts")).workflow,
  },
  "gitlab-ci": {
    path: /(?:^|\/)\.gitlab-ci(?:\.[\w-]+)?\.ya?ml$|(?:^|\/)\.gitlab\/(?:.+\/)?[\w.-]+\.ya?ml$/,
    load: async () => (await import("./continuous-integration.ts")).gitlabCi,
  },
  circleci: {
    path: /(?:^|\/)\.circleci\/[\w.-]+\.ya?ml$/,
    load: async () => (await import("./continuous-integration.ts")).circleCi,
  },
  "azure-pipelines": {
    path: /(?:^|\/)(?:\.?azure-pipelines[\w.-]*\.ya?ml|\.?azure-?pipelines\/(?:.+\/)?[\w.-]+\.ya?ml)$/,
    load: async () => (await import("./continuous-integration.ts")).azurePipelines,
  },
  jenkinsfile: {
    path: /(?:^|\/)Jenkinsfile(?:[.-][\w.-]+)?$|\.jenkinsfile$/,
    load: async () => (await import("./continuous-integration.ts")).jenkinsfile,
  },
  travis: {
    path: /(?:^|\/)\.travis\.ya?ml$/,
    load: async () => (await import("./continuous-integration.ts")).travisCi,
  },
  devcontainer: {
    path: /(?:^|\/)(?:\.devcontainer\/(?:[\w.-]+\/)?devcontainer|\.devcontainer)\.json$/,
    load: async () => (await import("./environments.ts")).devcontainer,
  },
  readthedocs: {
    path: /(?:^|\/)\.?readthedocs\.ya?ml$/,
    load: async () => (await import("./environments.ts")).readTheDocs,
  },
  Vagrantfile: { path: /(?:^|\/)Vagrantfile$/, load: async () => (await import("./environments.ts")).vagrantfile },
  molecule: { path: /(?:^|\/)molecule\.ya?ml$/, load: async () => (await import("./environments.ts")).molecule },
  "pyproject.toml": {
    path: /(?:^|\/)pyproject\.toml$/,
    load: async () => (await import("./manifests.ts")).pyprojectToml,
    syntax: "toml",
  },
  Pipfile: { path: /(?:^|\/)Pipfile$/, load: async () => (await import("./manifests.ts")).pipfile, syntax: "toml" },
  "Cargo.toml": {
    path: /(?:^|\/)Cargo\.toml$/,
    load: async () => (await import("./manifests.ts")).cargoToml,
    syntax: "toml",
  },
  gemspec: { path: /\.gemspec$/, load: async () => (await import("./manifests.ts")).gemspec },
  "target-framework": {
    path: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Build\.(?:props|targets)$/,
    load: async () => (await import("./manifests.ts")).msbuildFrameworks,
    syntax: "xml",
  },
  terraform: { path: /\.tf$/, load: async () => (await import("./infrastructure.ts")).terraform },
  serverless: {
    path: /(?:^|\/)serverless\.ya?ml$/,
    load: async () => (await import("./infrastructure.ts")).serverlessYml,
  },
  cloudformation: {
    path: /(?:^|\/)(?:template|sam|cloudformation)[\w.-]*\.ya?ml$/,
    load: async () => (await import("./infrastructure.ts")).cloudFormation,
    fits: isCloudFormation,
  },
  "helm-values": {
    path: /(?:^|\/)values[\w.-]*\.ya?ml$/,
    load: async () => (await import("./infrastructure.ts")).helmValues,
  },
  "helm-chart": {
    path: /(?:^|\/)Chart\.ya?ml$/,
    load: async () => (await import("./infrastructure.ts")).helmChart,
    syntax: "yaml",
  },
  kubernetes: {
    path: /\.ya?ml$/,
    load: async () => (await import("./compose.ts")).kubernetesYaml,
    fits: isKubernetesManifest,
  },
} as const satisfies Record<string, PinKind>;

export type PinKindName = keyof typeof PIN_KINDS;

const KIND_NAMES = keysOf(PIN_KINDS);

/** The kind of file at a path (with `/`), by its name alone. */
export function pinKindOf(path: string): PinKindName | undefined {
  return KIND_NAMES.find((name) => PIN_KINDS[name].path.test(path));
}

/** Reads the pins of a file; none if its text is not of this kind. */
export async function pinsOf(kind: PinKindName, text: string): Promise<readonly Pin[]> {
  const row: PinKind = PIN_KINDS[kind];
  if (row.fits && !row.fits(text)) return [];
  if (row.syntax) (await import("./syntax.ts")).requireSyntax(row.syntax, text);
  const read = await row.load();
  return read(text);
}
