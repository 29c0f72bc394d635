/**
 * Manifests that name the language they need: `package.json`, `composer.json`, `global.json`, `pyproject.toml`,
 * `Pipfile`, `Cargo.toml`, `mise.toml`, gemspecs and .NET projects.
 */
import { type NamedPin, type Pin, type PinReader, blanked, found } from "./pin.ts";
import { lowestPin, requiredPin, toolPin } from "./tools.ts";
import { parseJson } from "../tree/json.ts";
import {
  child,
  contentOf,
  elementsNamed,
  lastKey,
  leavesOf,
  membersAt,
  type ScalarLeaf,
  textAt,
  type TreeNode,
  under,
} from "../tree/tree.ts";
import { parseToml } from "../tree/toml.ts";
import { parseXml } from "../tree/xml.ts";

const jsonLeaves = (text: string): readonly ScalarLeaf[] => leavesOf(parseJson(text, { comments: true }), text);

const pinOf = (leaf: ScalarLeaf, tool: string): Pin => toolPin(tool, leaf.text, leaf.location);

/** engines and volta, the package manager, and the development engines. Engines are often ranges. */
export const packageJson: PinReader = (text) => {
  const all = jsonLeaves(text);
  const engines = under(all, "engines", "*").filter((leaf) =>
    ["node", "bun", "deno", "pnpm", "yarn"].includes(lastKey(leaf)),
  );
  const volta = under(all, "volta", "*").filter((leaf) => ["node", "pnpm", "yarn"].includes(lastKey(leaf)));
  return [
    ...engines.map((leaf) => requiredPin(lastKey(leaf), leaf.text, leaf.location)),
    ...volta.map((leaf) => pinOf(leaf, lastKey(leaf))),
    ...under(all, "packageManager").flatMap(packageManager),
    ...developmentEngine(all),
  ];
};

/** `pnpm@8.6.0+sha256.…` */
function packageManager(leaf: ScalarLeaf): readonly Pin[] {
  const [, tool, version] = /^([a-z]+)@([^+]+)/.exec(leaf.text) ?? [];
  return tool === undefined || version === undefined ? [] : [toolPin(tool, version, leaf.location)];
}

function developmentEngine(all: readonly ScalarLeaf[]): readonly Pin[] {
  const [name] = under(all, "devEngines", "runtime", "name");
  const [version] = under(all, "devEngines", "runtime", "version");
  return name && version ? [pinOf(version, name.text)] : [];
}

/** The PHP that is required, and the one that Composer is configured to assume. */
export const composerJson: PinReader = (text) => {
  const all = jsonLeaves(text);
  return [
    ...under(all, "require", "php").map((leaf) => requiredPin("php", leaf.text, leaf.location)),
    ...under(all, "config", "platform", "php").map((leaf) => pinOf(leaf, "php")),
  ];
};

export const globalJson: PinReader = (text) =>
  under(jsonLeaves(text), "sdk", "version").map((leaf) => pinOf(leaf, "dotnet"));

/** `requires-python` of PEP 621, else the `python` of Poetry's dependencies; usually a range. */
export const pyprojectToml: PinReader = (text) => {
  const root = parseToml(text);
  return tomlPin(
    "python",
    child(root, "project", "requires-python") ?? child(root, "tool", "poetry", "dependencies", "python"),
    requiredPin,
  );
};

export const pipfile: PinReader = (text) => {
  const requires = child(parseToml(text), "requires");
  return ["python_full_version", "python_version"].flatMap((key) => tomlPin("python", child(requires, key)));
};

export const cargoToml: PinReader = (text) => {
  const root = parseToml(text);
  return [child(root, "package"), child(root, "workspace", "package")].flatMap((table) =>
    tomlPin("rust", child(table, "rust-version"), lowestPin),
  );
};

/** The pin of a tool whose version is a scalar; none for a table, such as the inheritance from a workspace. */
const tomlPin = (tool: string, node: TreeNode | undefined, toPin = toolPin): readonly Pin[] =>
  node?.text === undefined ? [] : [toPin(tool, node.text, contentOf(node))];

/** `mise.toml`: the table `[tools]`, with a version, several, or a table with one. */
export const miseToml: PinReader = (text) =>
  membersAt(parseToml(text), "tools").flatMap(([tool, node]) =>
    versionNodes(node).map((version) => toolPin(tool, version.text ?? "", contentOf(version))),
  );

const versionNodes = (node: TreeNode): readonly TreeNode[] => {
  if (node.items) return node.items.flatMap(versionNodes);
  return node.members ? [child(node, "version") ?? []].flat().flatMap(versionNodes) : [node];
};

export const gemspec: PinReader = (text) =>
  found(text, /\.required_ruby_version\s*=\s*(?:Gem::Requirement\.new\s*\(?\s*)?\[?["']([^"']+)["']/dgm, 1).map(
    ({ matched, location }) => requiredPin("ruby", matched, location),
  );

/** https://learn.microsoft.com/dotnet/standard/frameworks: each moniker names a product of its own. */
const FRAMEWORKS: readonly {
  readonly pattern: RegExp;
  readonly pin: (version: string) => Omit<NamedPin, "location">;
}[] = [
  { pattern: /^net(\d+\.\d+)(?:-.*)?$/, pin: (version) => ({ name: "dotnet", version }) },
  { pattern: /^netcoreapp(\d+\.\d+)$/, pin: (version) => ({ name: "dotnet", version }) },
  {
    pattern: /^net(\d{2,3})$/,
    pin: (digits) => ({ name: "dotnetfx", version: digits.replace(/(?<=\d)(?=\d)/g, ".") }),
  },
  // .NET Standard is an interface that several products implement: it has no end of its own.
  { pattern: /^netstandard(\d+\.\d+)$/, pin: (version) => ({ name: "netstandard", version }) },
  { pattern: /^v(\d(?:\.\d){1,2})$/, pin: (version) => ({ name: "dotnetfx", version }) },
];

const TARGET = /<TargetFramework(?:s|Version)?(?:\s[^>]*)?>([^<]+)<\/TargetFramework(?:s|Version)?>/dg;

/** The frameworks that are listed elsewhere (`$(TargetFrameworks);net8.0`) are pins there. */
const LISTED_ELSEWHERE = /^\$\(TargetFramework(?:s|Version)?\)$/;

/**
 * Whether the frameworks of a project are those that it supports: a library that is packed runs on what its users choose.
 * A library with one framework usually belongs to an application and runs on that framework.
 */
function isLibrary(project: TreeNode, frameworks: number): boolean {
  const values = (name: string) => elementsNamed(project, name).map(({ text = "" }) => text.trim().toLowerCase());
  const isTest = elementsNamed(project, "PackageReference").some(
    (each) => textAt(each, "@Include") === "Microsoft.NET.Test.Sdk",
  );
  return (
    frameworks > 1 &&
    /^Microsoft\.NET\.Sdk(?:\.Razor)?$/.test(textAt(project, "@Sdk") ?? "") &&
    values("OutputType").every((type) => type === "library") &&
    !isTest &&
    !values("IsTestProject").includes("true") &&
    !values("IsPackable").includes("false")
  );
}

/** Several frameworks are separated by semicolons; each has its own location. */
export const msbuildFrameworks: PinReader = (text) => {
  const project = parseXml(text);
  const pins = found(blanked(text, /<!--[^]*?-->/g), TARGET, 1).flatMap(({ matched, location }) =>
    [...matched.matchAll(/[^;\s]+/g)].flatMap((moniker): readonly NamedPin[] => {
      if (LISTED_ELSEWHERE.test(moniker[0])) return [];
      const at = { at: location.at + moniker.index, length: moniker[0].length };
      const row = FRAMEWORKS.find(({ pattern }) => pattern.test(moniker[0]));
      const version = row?.pattern.exec(moniker[0])?.[1];
      return [
        row && version !== undefined ? { ...row.pin(version), location: at } : { name: moniker[0], location: at },
      ];
    }),
  );
  return isLibrary(project, pins.length) ? pins.map((pin) => ({ ...pin, minimum: true as const })) : pins;
};
