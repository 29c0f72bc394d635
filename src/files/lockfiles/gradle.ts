/**
 * Gradle: lockfiles and version catalogues.
 * Formats: https://docs.gradle.org/current/userguide/dependency_locking.html, https://docs.gradle.org/current/userguide/version_catalogs.html
 */
import { getOwn } from "../../text/values.ts";
import { lockfileError } from "../errors.ts";
import { FRAMEWORK_PLUGINS, type LockedPackage, type LockfileReader, mavenPurl } from "./lockfile.ts";
import { parseToml } from "../tree/toml.ts";
import { child, linesOf, locationOf, membersAt, textAt, type TreeNode } from "../tree/tree.ts";

const LOCKED = /^(?<group>[^:=\s]+):(?<artifact>[^:=\s]+):(?<version>[^:=\s]+)(?:=(?<configurations>\S*))?$/;

export const gradleLockfile: LockfileReader = (text) => {
  const packages: LockedPackage[] = [];
  let isComplete = false;
  for (const { text: raw, at: start } of linesOf(text)) {
    const line = raw.trimEnd();
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("empty=")) isComplete = true;
    else packages.push(parseLine(line, start, text));
  }
  if (!isComplete) {
    throw lockfileError("lockfile-incomplete", 'the file ends without its last line, "empty="', text, text.length);
  }
  return { formatVersion: "", packages };
};

function parseLine(line: string, start: number, text: string): LockedPackage {
  const { group, artifact, version, configurations } = LOCKED.exec(line)?.groups ?? {};
  if (group === undefined || artifact === undefined || version === undefined) {
    throw lockfileError("lockfile-broken", "not a line of a Gradle lockfile", text, start);
  }
  const names = (configurations ?? "").split(",").filter(Boolean);
  const isTestOnly = names.length > 0 && names.every((name) => /^test[A-Z]|Test[A-Z]/.test(name));
  return {
    id: `${group}:${artifact}`,
    name: `${group}:${artifact}`,
    purl: mavenPurl(group, artifact),
    version,
    location: { at: start + line.indexOf(version, group.length + artifact.length + 2), length: version.length },
    ...(isTestOnly && { scope: "development" as const }),
  };
}

/** Libraries and plugins of `libs.versions.toml`: direct dependencies of the builds in the tree. */
export const gradleCatalogue: LockfileReader = (text) => {
  const document = parseToml(text);
  const entries = [
    ...membersAt(document, "libraries").map(([, node]) => libraryOf(node)),
    ...membersAt(document, "plugins").map(([, node]) => pluginOf(node)),
  ];
  const packages = entries.flatMap((entry) => toPackage(entry, child(document, "versions")));
  return {
    formatVersion: textAt(document, "metadata", "format", "version") ?? "",
    packages,
    direct: packages.map(({ id }) => id),
  };
};

interface CatalogueEntry {
  readonly node: TreeNode;
  readonly coordinates: string | undefined;
  readonly version: TreeNode | undefined;
}

/** `"group:name:1.0"`, `{ module = "group:name", version… }` or `{ group = …, name = …, version… }`. */
function libraryOf(node: TreeNode): CatalogueEntry {
  if (node.text !== undefined) {
    const [group = "", name = "", version] = node.text.split(":");
    return {
      node,
      coordinates: `${group}:${name}`,
      version: version === undefined ? undefined : { ...node, text: version },
    };
  }
  const module = textAt(node, "module") ?? `${textAt(node, "group") ?? ""}:${textAt(node, "name") ?? ""}`;
  return { node, coordinates: module, version: child(node, "version") };
}

/** A plugin is published under a marker: https://docs.gradle.org/current/userguide/plugins.html#sec:plugin_markers */
function pluginOf(node: TreeNode): CatalogueEntry {
  const [id = textAt(node, "id"), number] = node.text?.split(":") ?? [];
  const version = number === undefined ? child(node, "version") : { ...node, text: number };
  return { node, coordinates: id === undefined ? undefined : `${id}:${id}.gradle.plugin`, version };
}

function toPackage(
  { node, coordinates, version }: CatalogueEntry,
  versions: TreeNode | undefined,
): readonly LockedPackage[] {
  const [group = "", artifact = ""] = coordinates?.split(":") ?? [];
  if (group === "" || artifact === "") return [];
  const number = versionText(version, versions);
  const named = { id: `${group}:${artifact}`, ...identity(group, artifact) };
  return [{ ...named, version: number, location: locationOf(node) }];
}

/**
 * The name and purl of a package. A plugin is named by its id, and gets the purl of its framework if both have the same
 * version.
 */
function identity(group: string, artifact: string): { readonly name: string; readonly purl: string } {
  if (artifact !== `${group}.gradle.plugin`) return { name: `${group}:${artifact}`, purl: mavenPurl(group, artifact) };
  return { name: group, purl: getOwn(FRAMEWORK_PLUGINS, group) ?? mavenPurl(group, artifact) };
}

/** A string, a reference to `[versions]`, or a rich version, of which the strictest part is used. */
function versionText(version: TreeNode | undefined, versions: TreeNode | undefined): string | undefined {
  if (version?.text !== undefined) return version.text;
  const reference = textAt(version, "ref");
  if (reference !== undefined) return versionText(child(versions, reference), undefined);
  return ["strictly", "require", "prefer"].map((key) => textAt(version, key)).find((text) => text !== undefined);
}
