/**
 * The kinds of files with version pins, with their readers. The first row whose path matches is used; of a file without
 * such a name, the first row whose signs are all in its text. Readers are loaded on demand: few folders have more than
 * three kinds.
 */
import { EolgateError } from "../../messages/error.ts";
import { keysOf } from "../../text/values.ts";
import type { ToolNames } from "../../model/index.ts";
import type { NamedPin, PinReader } from "./pin.ts";
import { brokenPinFile } from "../errors.ts";
import { readersOf, type RelatedFiles } from "../lockfiles/lockfile.ts";

/** A line that begins with a key, or with one of several. In JSON and YAML alike. */
const topKey = (keys: string): RegExp => new RegExp(`^(?:"(?:${keys})"|'(?:${keys})'|(?:${keys}))[ \\t]*:`, "m");
/** A key at any depth. */
const key = (keys: string): RegExp => new RegExp(`(?:^|[\\s{,"'])(?:${keys})["']?[ \\t]*:`, "m");

/** A regular expression, or what several of them show together. */
interface Sign {
  test(text: string): boolean;
}

const FROM = /^[ \t]*FROM[ \t]+(?:--platform=\S+[ \t]+)?[^\s;]+(?:[ \t]+AS[ \t]+[\w.-]+)?[ \t]*$/im;
const FIRST_LINE = /^(?![ \t]*(?:#|$)).*$/m;

/** The first instruction is `ARG` or `FROM`. In a template, `FROM` and other instructions are anywhere. */
const DOCKERFILE: Sign = {
  test(text) {
    const first = FIRST_LINE.exec(text)?.[0] ?? "";
    if (/^[ \t]*ARG[ \t]+\w+[ \t]*(?:=|$)/i.test(first) || FROM.test(first)) return true;
    return (
      /^FROM[ \t]/m.test(text) && FROM.test(text) && /^(?:RUN|COPY|CMD|ENTRYPOINT|WORKDIR|ENV|EXPOSE)[ \t]/m.test(text)
    );
  },
};

/** Keys and values that the reader of configuration takes, and commands that start images. */
const CONFIGURATION =
  /model\w*["'`]?[ \t]*[:= ][ \t]*["'`]?[\w./:-]*(?:claude-|gpt-|gemini-|text-|stral-|\bo[134]\b)|image[\w-]*["']?[ \t]*(?:=>|[:=])|docker-image:|\b(?:runtime|engine|stack|chart)["']?[ \t]*[:=]|[a-z]["']?_?-?versions?["']?[ \t]*(?:[:=,]|\r?$)|[a-z][@:]\d[\w.-]*["']?[ \t]*(?:[,\]}\r]|$)|\b(?:docker|podman)[ \t]+(?:run|pull|create|image|container)\b/im;

interface PinKind {
  /** Matched against the path, with `/` as separator, relative to the checked folder. */
  readonly path: RegExp;
  readonly load: () => Promise<PinReader>;
  /** Show a file of this kind under any other name: each of them matches its text. */
  readonly signs?: readonly Sign[];
  /** The name is not sufficient, so the signs decide. */
  readonly needsSigns?: true;
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
    path: /(?:^|\/)(?:(?:Docker|Container)file(?:[._-](?!(?:[\w.-]*\.)?(?:[cm]?[jt]sx?|py|rb|go|java|rs|md|txt|json|ya?ml|html?)$)[\w.-]+)?|[\w.-]+\.(?:docker|container)file)$/i,
    load: dockerfile((m) => m.dockerfile),
    signs: [DOCKERFILE],
  },
  earthfile: { path: /(?:^|\/)Earthfile$/, load: dockerfile((m) => m.earthfile), signs: [/^VERSION[ \t]+[-\d]/] },
  compose: {
    path: /(?:^|\/)(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml$/,
    load: infrastructure((m) => m.composeYaml),
    signs: [topKey("services"), /^[ \t]+["']?(?:image|build)["']?[ \t]*:/m],
  },
  workflow: {
    scope: "development",
    path: /(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/,
    load: workflow((m) => m.workflow),
    signs: [topKey("on|true"), topKey("jobs")],
  },
  "gitlab-ci": {
    scope: "development",
    path: /(?:^|\/)\.gitlab-ci(?:\.[\w-]+)?\.ya?ml$|(?:^|\/)\.gitlab\/(?:.+\/)?[\w.-]+\.ya?ml$/,
    load: continuousIntegration((m) => m.gitlabCi),
    signs: [/^[ \t]+(?:script|before_script)[ \t]*:/m, /^(?:stages[ \t]*:|[ \t]+(?:stage|image|tags)[ \t]*:)/m],
  },
  circleci: {
    scope: "development",
    path: /(?:^|\/)\.circleci\/[\w.-]+\.ya?ml$/,
    load: continuousIntegration((m) => m.circleCi),
    signs: [/^version[ \t]*:[ \t]*["']?2(?:\.\d)?["']?[ \t]*$/m, topKey("jobs|executors|commands")],
  },
  "azure-pipelines": {
    scope: "development",
    path: /(?:^|\/)(?:\.?azure-pipelines[\w.-]*\.ya?ml|(?:\.?azure-?pipelines|\.azdo)\/(?:.+\/)?[\w.-]+\.ya?ml)$/,
    load: continuousIntegration((m) => m.azurePipelines),
    signs: [/\bvmImage[ \t]*:|^[ \t-]*task[ \t]*:[ \t]*["']?\w+@\d/m],
  },
  jenkinsfile: {
    scope: "development",
    path: /(?:^|\/)Jenkinsfile(?:[.-][\w.-]+)?$|\.jenkinsfile$/,
    load: continuousIntegration((m) => m.jenkinsfile),
    signs: [/^[ \t]*(?:pipeline|node)\b[^\n]*\{/m, /\b(?:agent|stage|docker)\b/],
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
    signs: [key("Resources"), /\bType["']?[ \t]*:[ \t]*["']?AWS::/],
    needsSigns: true,
  },
  "helm-values": { path: /(?:^|\/)values[\w.-]*\.ya?ml$/, load: infrastructure((m) => m.helmValues) },
  "helm-chart": { path: /(?:^|\/)Chart\.ya?ml$/, load: infrastructure((m) => m.helmChart) },
  kubernetes: {
    path: /\.(?:ya?ml|json)$/,
    load: infrastructure((m) => m.kubernetesYaml),
    signs: [key("apiVersion"), key("kind"), key("image")],
    needsSigns: true,
  },
  configuration: {
    path: /\.(?:ya?ml|json|toml|hcl|conf)$/,
    load: async () => (await import("./configuration.ts")).configuration,
    signs: [CONFIGURATION],
    needsSigns: true,
  },
} as const satisfies Record<string, PinKind>;

export type PinKindName = keyof typeof PIN_KINDS;

const rowOf = (name: PinKindName): PinKind => PIN_KINDS[name];
const NAMED_KINDS = keysOf(PIN_KINDS).filter((name) => rowOf(name).needsSigns === undefined);
const SIGNED_KINDS = keysOf(PIN_KINDS).flatMap((name) => {
  const { signs } = rowOf(name);
  return signs === undefined ? [] : [[name, signs] as const];
});

/** One expression for all names: most files have none of them. It ignores case, so it excludes too few. */
const ANY_NAME = new RegExp(NAMED_KINDS.map((name) => PIN_KINDS[name].path.source).join("|"), "i");

/** The kind of file at a path (with `/`), by its name alone. */
export const pinKindOf = (path: string): PinKindName | undefined =>
  ANY_NAME.test(path) ? NAMED_KINDS.find((name) => PIN_KINDS[name].path.test(path)) : undefined;

/** `php:7.4`, `nodejs@14`. Apart from the words, because V8 searches for words much faster. */
const REFERENCE = /[@:]\d/;
/** What a text with the signs of any kind contains, tested before them: the look must cost little. */
const ANY_SIGN =
  /mage|FROM|ARG |uses:|runs-on|task:|agent|container|AWS::|ersion|ERSION|untime|engine|chart|docker|podman|stack|odel|ODEL/;

/** The kind that the beginning of a text shows. */
export const pinKindOfText = (text: string): PinKindName | undefined =>
  ANY_SIGN.test(text) || REFERENCE.test(text)
    ? SIGNED_KINDS.find(([, signs]) => signs.every((sign) => sign.test(text)))?.[0]
    : undefined;

/**
 * Reads the pins of a file, named by the catalogue.
 * @throws EolgateError `pin-file-broken` with the line
 */
export async function pinsOf(
  kind: PinKindName,
  text: string,
  { names, related }: { readonly names: ToolNames; readonly related: RelatedFiles },
): Promise<readonly NamedPin[]> {
  const row = rowOf(kind);
  const [read, { namedPins }, { modelPins }] = await Promise.all([
    row.load(),
    import("./tools.ts"),
    import("./models.ts"),
  ]);
  try {
    const named = read(text, related).flatMap((pin) => namedPins(pin, names));
    const pins = uniquePins([...named, ...modelPins(text)]);
    const { scope } = row;
    return scope === undefined ? pins : pins.map((pin) => ({ ...pin, scope }));
  } catch (cause) {
    throw cause instanceof EolgateError ? brokenPinFile(cause) : cause;
  }
}

/** A value that several places use, by a variable or an anchor, is one pin. */
function uniquePins(pins: readonly NamedPin[]): readonly NamedPin[] {
  const unique = new Map(pins.map((pin) => [`${pin.name} ${pin.version ?? ""} ${String(pin.location.at)}`, pin]));
  return [...unique.values()];
}
