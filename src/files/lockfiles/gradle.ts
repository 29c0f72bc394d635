/**
 * Gradle: lockfiles and version catalogues.
 * Formats: https://docs.gradle.org/current/userguide/dependency_locking.html, https://docs.gradle.org/current/userguide/version_catalogs.html
 */
import { own } from "../../text/own.ts";
import { FRAMEWORK_PLUGINS } from "../framework-plugins.ts";
import { lockfileError } from "./errors.ts";
import type { LockedPackage, LockfileReader, TextPlace } from "./lockfile.ts";
import { mavenPurl } from "./purl.ts";
import { isTable, parseToml, stringAt, tableAt } from "./toml.ts";
import type { TomlTable } from "./toml.ts";

const LOCKED = /^(?<group>[^:=\s]+):(?<artifact>[^:=\s]+):(?<version>[^:=\s]+)(?:=(?<configurations>\S*))?$/;

export const gradleLockfile: LockfileReader = (text) => {
  const packages: LockedPackage[] = [];
  let isComplete = false;
  let at = 0;
  for (const raw of text.split("\n")) {
    const line = raw.trimEnd();
    const start = at;
    at += raw.length + 1;
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
    place: { at: start + line.indexOf(version, group.length + artifact.length + 2), length: version.length },
    ...(isTestOnly && { scope: "development" as const }),
  };
}

/** Libraries and plugins of `libs.versions.toml`: direct dependencies of the builds in the tree. */
export const gradleCatalogue: LockfileReader = (text) => {
  const document = parseToml(text);
  const versions = tableAt(document, "versions");
  const packages = [
    ...Object.entries(tableAt(document, "libraries")).flatMap(([alias, entry]) =>
      toPackage({ alias, ...libraryOf(entry) }, versions, text),
    ),
    ...Object.entries(tableAt(document, "plugins")).flatMap(([alias, entry]) =>
      toPackage({ alias, ...pluginOf(entry) }, versions, text),
    ),
  ];
  return {
    formatVersion: stringAt(tableAt(document, "metadata", "format"), "version") ?? "",
    packages,
    direct: packages.map(({ id }) => id),
  };
};

interface Entry {
  readonly alias: string;
  readonly coordinates: string | undefined;
  readonly version: unknown;
}

/** `"group:name:1.0"`, `{ module = "group:name", version… }` or `{ group = …, name = …, version… }`. */
function libraryOf(entry: unknown): Omit<Entry, "alias"> {
  if (typeof entry === "string") {
    const [group, name, version] = entry.split(":");
    return { coordinates: `${group ?? ""}:${name ?? ""}`, version };
  }
  if (!isTable(entry)) return { coordinates: undefined, version: undefined };
  const module = stringAt(entry, "module") ?? `${stringAt(entry, "group") ?? ""}:${stringAt(entry, "name") ?? ""}`;
  return { coordinates: module, version: entry["version"] };
}

/** A plugin is published under a marker: https://docs.gradle.org/current/userguide/plugins.html#sec:plugin_markers */
function pluginOf(entry: unknown): Omit<Entry, "alias"> {
  const [id, version] =
    typeof entry === "string" ? entry.split(":") : isTable(entry) ? [stringAt(entry, "id"), entry["version"]] : [];
  return { coordinates: typeof id === "string" ? `${id}:${id}.gradle.plugin` : undefined, version };
}

function toPackage(
  { alias, coordinates, version }: Entry,
  versions: TomlTable,
  text: string,
): readonly LockedPackage[] {
  const [group = "", artifact = ""] = coordinates?.split(":") ?? [];
  if (group === "" || artifact === "") return [];
  const number = versionText(version, versions);
  const named = { id: `${group}:${artifact}`, ...identity(group, artifact) };
  return [{ ...named, ...(number !== undefined && { version: number }), place: placeOf(alias, text) }];
}

/**
 * The name and purl of a package. A plugin is named by its id, and gets the purl of its framework if both have the same
 * version.
 */
function identity(group: string, artifact: string): { readonly name: string; readonly purl: string } {
  if (artifact !== `${group}.gradle.plugin`) return { name: `${group}:${artifact}`, purl: mavenPurl(group, artifact) };
  return { name: group, purl: own(FRAMEWORK_PLUGINS, group) ?? mavenPurl(group, artifact) };
}

/** A string, a reference to `[versions]`, or a rich version, of which the strictest part is used. */
function versionText(version: unknown, versions: TomlTable): string | undefined {
  if (typeof version === "string") return version;
  if (!isTable(version)) return undefined;
  const reference = stringAt(version, "ref");
  if (reference !== undefined) return versionText(versions[reference], {});
  return ["strictly", "require", "prefer"].map((key) => stringAt(version, key)).find((text) => text !== undefined);
}

/** The line of the alias in the sections below `[versions]`. */
function placeOf(alias: string, text: string): TextPlace {
  const from = Math.max(text.search(/^\s*\[(?:libraries|plugins)\]/m), 0);
  const name = alias.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const match = new RegExp(`^[ \\t]*"?${name}"?[ \\t]*=.*$`, "m").exec(text.slice(from));
  return match ? { at: from + match.index, length: match[0].length } : { at: 0, length: 0 };
}
