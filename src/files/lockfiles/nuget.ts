/**
 * NuGet: `packages.lock.json` and the `*.deps.json` of a build.
 * Formats: https://learn.microsoft.com/nuget/consume-packages/package-references-in-project-files#locking-dependencies,
 * https://github.com/dotnet/sdk/blob/main/documentation/specs/runtime-configuration-file.md
 */
import { lockfileError, unknownVersion } from "./errors.ts";
import { uniqueById } from "./lockfile.ts";
import type { LockedPackage, LockfileReader } from "./lockfile.ts";
import { purlOf } from "./purl.ts";
import { child, membersAt, parseJson, placeOf, textAt } from "./tree.ts";
import type { TreeNode } from "./tree.ts";

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
    ...(version !== undefined && { version }),
    place: placeOf(child(node, "resolved") ?? node),
    dependsOn: membersAt(node, "dependencies").flatMap(([required]) =>
      framework.has(required) ? [idOf(required, framework.get(required))] : [],
    ),
  };
}

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
  return version === undefined || !node ? [] : [{ id: target, name: "dotnet", version, place: placeOf(node) }];
}

function toLibrary(text: string, id: string, dependsOn: readonly string[]): LockedPackage {
  const [name = id, version] = id.split("/");
  const at = Math.max(text.lastIndexOf(`"${id}"`), 0);
  const place = { at, length: id.length + 2 };
  // A self-contained build contains the runtime as a pack: its version is that of .NET itself.
  const isRuntime = name.startsWith("runtimepack.Microsoft.NETCore.App.");
  return {
    id,
    name: isRuntime ? "dotnet" : name,
    ...(!isRuntime && { purl: nugetPurl(name) }),
    ...(version !== undefined && { version }),
    place,
    dependsOn,
  };
}
