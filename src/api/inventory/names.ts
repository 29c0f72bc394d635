/** Names of files in a folder: SBOMs, files that name components and are not read, and manifests without a lockfile. */

const SBOM_NAMES: readonly RegExp[] = [
  /(?:^|\/)(?:bom|sbom)\.(?:json|xml)(?:\.gz)?$/,
  /\.(?:cdx|bom|sbom|spdx|spdx3|intoto|att)\.(?:json|xml|jsonld)(?:\.gz)?$/,
  /\.(?:spdx|spdx\.rdf)$/,
];

/** A VEX document has the format of an SBOM and lists no components. */
export const isVexName = (path: string): boolean => /\.(?:open)?vex\./.test(path);

export const isSbomName = (path: string): boolean =>
  !isVexName(path) && SBOM_NAMES.some((pattern) => pattern.test(path));

/** The first keys of an object; kubectl sorts them, and the API begins with the kind. */
const OBJECT_JSON = /^\s*\{\s*"(?:apiVersion|kind)"\s*:/;
const OBJECT_YAML = /^(?:apiVersion|kind)[ \t]*:/m;
const WORKLOAD =
  /\bkind["']?[ \t]*:[ \t]*["']?(?:Pod|Deployment|StatefulSet|DaemonSet|ReplicaSet|ReplicationController|Job|CronJob)(?:List)?["']?[ \t\r]*[,}\n]/;

/** Whether the beginning of a text is that of objects of Kubernetes that run images. */
export const showsWorkloads = (beginning: string): boolean =>
  (OBJECT_JSON.test(beginning) || OBJECT_YAML.test(beginning)) && WORKLOAD.test(beginning);

export interface UnreadKind {
  /** As the report names it. */
  readonly name: string;
  readonly path: RegExp;
  /** In the text, where the name of the file is not sufficient. */
  readonly text?: RegExp;
  /** Programs that belong to it, by their path in its folder. They are counted with it. */
  readonly programs?: RegExp;
}

/** Programs that describe infrastructure, without their tests and declarations. */
const PROGRAMS =
  /^(?!(?:.*\/)?(?:tests?|__tests__|spec)\/)(?!.*\.(?:d|test|spec)\.[jt]s$).*\.(?:ts|js|py|java|cs|go|kt)$/;

/** A file that is known by its name alone. */
const namedFile = (name: string): UnreadKind => ({ name, path: new RegExp(`(?:^|/)${name.replaceAll(".", "\\.")}$`) });

export const UNREAD_KINDS: readonly UnreadKind[] = [
  ...["Podfile.lock", "Cartfile.resolved", "renv.lock", "rebar.lock", "deno.lock"].map(namedFile),
  ...[".terraform.lock.hcl", "vercel.json", "vcpkg.json"].map(namedFile),
  { name: "Manifest.toml of Julia", path: /(?:^|\/)(?:Julia)?Manifest\.toml$/ },
  { name: "Haskell freeze files", path: /(?:^|\/)(?:stack\.yaml\.lock|cabal\.project\.freeze)$/ },
  { name: "conda environments", path: /(?:^|\/)(?:environment\.ya?ml|conda-lock\.ya?ml|pixi\.lock)$/ },
  { name: "Nix files", path: /(?:^|\/)flake\.lock$|\.nix$/ },
  { name: "Bazel modules", path: /(?:^|\/)(?:MODULE\.bazel|WORKSPACE(?:\.bazel|\.bzlmod)?)$/ },
  ...["Podfile", "Brewfile", "noxfile.py", "tox.ini"].map(namedFile),
  { name: "Stack projects", path: /(?:^|\/)stack\.yaml$/, text: /^(?:resolver|snapshot):/m },
  { name: "mobile pipelines", path: /(?:^|\/)(?:codemagic|bitrise)\.ya?ml$/ },
  { name: "serverless.ts", path: /(?:^|\/)serverless\.[jt]s$/ },
  { name: "Groovy libraries of Jenkins", path: /(?:^|\/)vars\/\w+\.groovy$/ },
  { name: "Vagrant and molecule", path: /(?:^|\/)(?:Vagrantfile|molecule\.ya?ml)$/ },
  { name: "Pulumi projects", path: /(?:^|\/)Pulumi\.ya?ml$/, programs: PROGRAMS },
  { name: "AWS CDK apps", path: /(?:^|\/)cdk(?:tf)?\.json$/, programs: PROGRAMS },
  { name: "Bicep files", path: /\.bicep$/ },
  { name: "Packer templates", path: /\.pkr\.hcl$/ },
  { name: "App Engine services", path: /(?:^|\/)app\.ya?ml$/, text: /^runtime:/m },
  { name: "Heroku stacks", path: /(?:^|\/)app\.json$/, text: /"stack"\s*:\s*"/ },
  { name: "AppVeyor pipelines", path: /(?:^|\/)\.?appveyor\.ya?ml$/ },
  { name: "Java archives", path: /\.(?:jar|war|ear)$/ },
  { name: "Python wheels", path: /\.whl$/ },
  { name: "root file systems (see --rootfs)", path: /(?:^|\/)(?:etc|usr\/lib)\/os-release$/ },
  { name: "image archives", path: /\.(?:oci|docker)\.tar$/ },
];

/** @param text of the file; undefined if it cannot be read */
export const unreadKindOf = (path: string, text: () => string | undefined): UnreadKind | undefined =>
  UNREAD_KINDS.find((kind) => kind.path.test(path) && (kind.text === undefined || kind.text.test(text() ?? "")));

/** Manifests whose exact versions are in a lockfile, in their own folder or above it. */
interface Manifest {
  readonly path: RegExp;
  readonly lockfiles: readonly string[];
  /** Matches the text of a manifest that has dependencies. */
  readonly hasDependencies?: RegExp;
}

export const MANIFESTS: readonly Manifest[] = [
  {
    path: /(?:^|\/)package\.json$/,
    lockfiles: ["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"],
    hasDependencies: /"(?:dev|optional)?[dD]ependencies"\s*:\s*\{\s*"/,
  },
  {
    path: /(?:^|\/)(?:pyproject\.toml|setup\.py)$/,
    lockfiles: ["poetry.lock", "uv.lock", "pdm.lock", "pylock.toml", "requirements.txt"],
    hasDependencies: /^\s*\[?[\w.-]*dependencies\b|\binstall_requires\b/m,
  },
  { path: /(?:^|\/)requirements\.in$/, lockfiles: ["requirements.txt"] },
  { path: /(?:^|\/)Pipfile$/, lockfiles: ["Pipfile.lock"] },
  { path: /(?:^|\/)Cargo\.toml$/, lockfiles: ["Cargo.lock"] },
  { path: /(?:^|\/)Gemfile$/, lockfiles: ["Gemfile.lock"] },
  { path: /(?:^|\/)composer\.json$/, lockfiles: ["composer.lock"], hasDependencies: /"[\w.-]+\/[\w.-]+"\s*:\s*"/ },
  { path: /(?:^|\/)mix\.exs$/, lockfiles: ["mix.lock"] },
  { path: /(?:^|\/)pubspec\.yaml$/, lockfiles: ["pubspec.lock"] },
  { path: /(?:^|\/)Package\.swift$/, lockfiles: ["Package.resolved"] },
  { path: /(?:^|\/)conanfile\.(?:txt|py)$/, lockfiles: ["conan.lock"] },
  {
    path: /(?:^|\/)build\.gradle(?:\.kts)?$/,
    lockfiles: ["gradle.lockfile", "gradle/libs.versions.toml"],
  },
];

/**
 * Whether a file is a manifest without a lockfile among `files`: its dependencies are then not known. A manifest whose
 * text is undefined may have some.
 */
export function lacksLockfile(path: string, files: ReadonlySet<string>, text: () => string | undefined): boolean {
  const manifest = MANIFESTS.find(({ path: pattern }) => pattern.test(path));
  if (!manifest) return false;
  const segments = path.split("/").slice(0, -1);
  for (let depth = segments.length; depth >= 0; depth--) {
    const folder = segments
      .slice(0, depth)
      .map((segment) => `${segment}/`)
      .join("");
    if (manifest.lockfiles.some((name) => files.has(folder + name))) return false;
  }
  if (manifest.hasDependencies === undefined) return true;
  const content = text();
  return content === undefined || manifest.hasDependencies.test(content);
}
