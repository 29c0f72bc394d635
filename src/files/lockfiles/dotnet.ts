/**
 * .NET: `packages.lock.json`, the `*.deps.json` of a build, and projects: `PackageReference` with its own version or a
 * central one (`Directory.Packages.props`).
 * Formats: https://learn.microsoft.com/nuget/consume-packages/package-references-in-project-files#locking-dependencies,
 * https://github.com/dotnet/sdk/blob/main/documentation/specs/runtime-configuration-file.md,
 * https://learn.microsoft.com/nuget/consume-packages/central-package-management
 */
import { lockfileError, unknownVersion } from "../errors.ts";
import { resolveVariables } from "../expansion.ts";
import {
  type LockedPackage,
  type LockfileReader,
  purlOf,
  requiring,
  uniqueById,
  type RelatedFiles,
} from "./lockfile.ts";
import { parseJson } from "../tree/json.ts";
import { child, locationOf, membersAt, textAt, type TreeNode, elementsNamed, itemsAt } from "../tree/tree.ts";
import { parseSharedXml, parseXml } from "../tree/xml.ts";

export const nugetPurl = (name: string): string => purlOf("nuget", name);

export const nugetLockfile: LockfileReader = (text) => {
  const root = parseJson(text);
  const formatVersion = textAt(root, "version") ?? "";
  if (!/^[12]$/.test(formatVersion)) {
    throw unknownVersion("packages.lock.json", formatVersion, text, child(root, "version")?.at);
  }
  const frameworks = membersAt(root, "dependencies").map(([, node]) => new Map(membersAt(node)));
  const entries = frameworks.flatMap((framework) =>
    [...framework].filter(([, node]) => textAt(node, "type") !== "Project").map((entry) => ({ entry, framework })),
  );
  const packages = entries.map(({ entry, framework }) => toPackage(entry, framework));
  const direct = entries.filter(({ entry: [, node] }) => textAt(node, "type") === "Direct");
  return {
    formatVersion,
    packages: uniqueById(packages),
    direct: [...new Set(direct.map(({ entry: [name, node] }) => idOf(name, node)))],
  };
};

/** One version for each target framework: equal ones are one package. */
const idOf = (name: string, node: TreeNode | undefined): string =>
  `${name.toLowerCase()}@${textAt(node, "resolved") ?? ""}`;

function toPackage([name, node]: readonly [string, TreeNode], framework: ReadonlyMap<string, TreeNode>): LockedPackage {
  const version = textAt(node, "resolved");
  return {
    id: idOf(name, node),
    name,
    purl: nugetPurl(name),
    version,
    location: locationOf(child(node, "resolved") ?? node),
    ...requiring(
      membersAt(node, "dependencies")
        .filter(([required]) => framework.has(required))
        .map(([required, { text }]) => [idOf(required, framework.get(required)), nugetRange(text)]),
    ),
  };
}

/** A plain version is the lowest one that is accepted. */
const nugetRange = (written: string | undefined): string | undefined =>
  written !== undefined && /^\d/.test(written) ? `[${written}, )` : written;

/** `<package id="Newtonsoft.Json" version="12.0.3" developmentDependency="true" />` of projects before `PackageReference`. */
export const packagesConfig: LockfileReader = (text) => {
  const elements = elementsNamed(parseXml(text), "package").filter((element) => textAt(element, "@id") !== undefined);
  const packages = elements.map((element): LockedPackage => {
    const [name = "", version] = ["@id", "@version"].map((key) => textAt(element, key));
    const isDevelopment = textAt(element, "@developmentDependency") === "true";
    return {
      id: name.toLowerCase(),
      name,
      purl: nugetPurl(name),
      version,
      location: locationOf(element),
      ...(isDevelopment && { scope: "development" as const }),
    };
  });
  return { formatVersion: "", packages: uniqueById(packages) };
};

export const depsJson: LockfileReader = (text) => {
  const root = parseJson(text);
  const target = textAt(root, "runtimeTarget", "name");
  const libraries = new Map(membersAt(root, "libraries"));
  if (target === undefined || libraries.size === 0) {
    throw lockfileError("lockfile-incomplete", "the file has no runtimeTarget or no libraries", text);
  }
  const built = new Map(membersAt(root, "targets", target));
  const requires = (id: string): readonly string[] =>
    membersAt(built.get(id), "dependencies")
      .map(([name, { text: version = "" }]) => `${name}/${version}`)
      .filter((required) => libraries.has(required));
  const isOwn = (id: string): boolean => textAt(libraries.get(id), "type") === "project";
  const ids = [...libraries.keys()].filter((id) => !isOwn(id));
  const direct = [...libraries.keys()].filter(isOwn).flatMap(requires);
  return {
    formatVersion: "",
    packages: [...frameworkOf(root, target), ...ids.map((id) => toLibrary(text, id, requires(id)))],
    direct: [...new Set(direct)].filter((id) => !isOwn(id)),
  };
};

/** `.NETCoreApp,Version=v6.0` or followed by `/linux-x64`: the runtime that the build needs. */
function frameworkOf(root: TreeNode, target: string): readonly LockedPackage[] {
  const version = /^\.NETCoreApp,Version=v(\d+\.\d+)/.exec(target)?.[1];
  const node = child(root, "runtimeTarget", "name");
  return version === undefined || !node ? [] : [{ id: target, name: "dotnet", version, location: locationOf(node) }];
}

function toLibrary(text: string, id: string, dependsOn: readonly string[]): LockedPackage {
  const [name = id, version] = id.split("/");
  const at = Math.max(text.lastIndexOf(`"${id}"`), 0);
  const location = { at, length: id.length + 2 };
  // A self-contained build contains the runtime as a pack: its version is that of .NET itself.
  const isRuntime = name.startsWith("runtimepack.Microsoft.NETCore.App.");
  return {
    id,
    name: isRuntime ? "dotnet" : name,
    ...(!isRuntime && { purl: nugetPurl(name) }),
    version,
    location,
    dependsOn,
  };
}

/** Properties by name; undefined where a condition decides between several values. */
type Properties = ReadonlyMap<string, string | undefined>;

/** The nearest file of a name, from the project's folder upwards, as MSBuild looks for it. */
function nearest(name: string, related: RelatedFiles): TreeNode | undefined {
  for (let depth = 0; depth < 12; depth++) {
    const text = related("../".repeat(depth) + name);
    if (text !== undefined) return parseSharedXml(text);
  }
  return undefined;
}

function propertiesOf(roots: readonly (TreeNode | undefined)[]): Properties {
  const properties = new Map<string, string | undefined>();
  for (const root of roots) {
    for (const group of root ? elementsNamed(root, "PropertyGroup") : []) {
      for (const property of itemsAt(group)) {
        const isConditional = hasCondition(group) || hasCondition(property);
        properties.set(property.name ?? "", isConditional ? undefined : property.text);
      }
    }
  }
  return properties;
}

const hasCondition = (element: TreeNode): boolean => child(element, "@Condition") !== undefined;

/** `$(EfVersion)` with its value; undefined when a property is not known. */
const expand = (written: string | undefined, properties: Properties): string | undefined =>
  resolveVariables(written, /\$\(([\w.-]+)\)/g, ([, name = ""]) => properties.get(name));

interface ProjectVersions {
  readonly properties: Properties;
  readonly central: ReadonlyMap<string, string | undefined>;
}

const nameOf = (element: TreeNode): string | undefined => textAt(element, "@Include") ?? textAt(element, "@Update");
const valueOf = (element: TreeNode, name: string): string | undefined =>
  textAt(element, `@${name}`) ?? textAt(element, name);

export const msbuildProject: LockfileReader = (text, related) => {
  const root = parseXml(text);
  // The lockfile in the same folder states what is installed.
  if (related("packages.lock.json") !== undefined) return { formatVersion: "", packages: [] };
  const central = nearest("Directory.Packages.props", related);
  const properties = propertiesOf([nearest("Directory.Build.props", related), central, root]);
  const versions = { properties, central: centralVersions(central, properties) };
  const packages = elementsNamed(root, "PackageReference").flatMap((element) => toReferencedPackage(element, versions));
  return { formatVersion: "", packages, direct: packages.map(({ id }) => id) };
};

function centralVersions(root: TreeNode | undefined, properties: Properties): ProjectVersions["central"] {
  const elements = root ? elementsNamed(root, "PackageVersion") : [];
  return new Map(
    elements.map((element) => [(nameOf(element) ?? "").toLowerCase(), expand(valueOf(element, "Version"), properties)]),
  );
}

function toReferencedPackage(element: TreeNode, { properties, central }: ProjectVersions): readonly LockedPackage[] {
  const name = expand(nameOf(element), properties);
  if (name === undefined) return [];
  const own = valueOf(element, "VersionOverride") ?? valueOf(element, "Version");
  const version = own === undefined ? central.get(name.toLowerCase()) : expand(own, properties);
  const isPrivate = valueOf(element, "PrivateAssets")?.toLowerCase() === "all";
  return [
    {
      id: `${name}@${element.at}`,
      name,
      purl: nugetPurl(name),
      version: version && exactVersion(version),
      location: locationOf(child(element, "Version") ?? element),
      ...(isPrivate && { scope: "development" as const }),
    },
  ];
}

/** `[1.2.3]` allows exactly this version; other brackets are ranges. */
const exactVersion = (version: string): string => /^\[([^,\]]+)\]$/.exec(version)?.[1] ?? version;

/** Packages that every project of the tree gets (`GlobalPackageReference`); the others count where they are referenced. */
export const directoryPackagesProps: LockfileReader = (text) => {
  const root = parseXml(text);
  const versions = { properties: propertiesOf([root]), central: new Map() };
  const packages = elementsNamed(root, "GlobalPackageReference").flatMap((element) =>
    toReferencedPackage(element, versions),
  );
  return { formatVersion: "", packages, direct: packages.map(({ id }) => id) };
};
