/**
 * The result of every lockfile reader: the packages of one file, their locations in the text and the graph between
 * them; and what several readers need.
 */
import { percentEncode } from "../../text/values.ts";
import { messageText } from "../../support/evidence.ts";
import type { InventoryEntry } from "../document.ts";
import { child, type TreeNode } from "../tree/tree.ts";

/** A package. `dependsOn` and `direct` refer to its id; it has no version if the file does not fix one. */
export type LockedPackage = InventoryEntry & { readonly id: string };

export interface Lockfile {
  /** The version of the format as the file states it; empty if the format has none. */
  readonly formatVersion: string;
  readonly packages: readonly LockedPackage[];
  /** Ids of the direct dependencies of the project; absent if the file does not state them. */
  readonly direct?: readonly string[];
}

/** Text of a file at a path relative to the lockfile's folder; undefined when there is none inside the checked folder. */
export type RelatedFiles = (path: string) => string | undefined;

/** @throws EolgateError `input` for a text that cannot be read completely. */
export type LockfileReader = (text: string, related: RelatedFiles) => Lockfile;

/** Loads the readers of one module on demand. */
export const readersOf =
  <Module>(load: () => Promise<Module>) =>
  <Reader>(pick: (module: Module) => Reader) =>
  async (): Promise<Reader> =>
    pick(await load());

/**
 * Parses a project file next to a lockfile that does not list direct dependencies. Undefined if there is none or if it
 * cannot be read: it is also read as a pin file, which reports the error.
 */
export function projectFile(
  related: RelatedFiles,
  path: string,
  parse: (text: string) => TreeNode,
): TreeNode | undefined {
  const text = related(path);
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** A package that another one requires, with the range as written; undefined where the file does not state it. */
export type RequiredPackage = readonly [id: string, range: string | undefined];

/** The dependencies of a package. Of several ranges for one id, the first one counts. */
export function requiring(required: readonly RequiredPackage[]): Pick<LockedPackage, "dependsOn" | "ranges"> {
  const ranges = new Map<string, string>();
  for (const [id, range] of required) if (range !== undefined && !ranges.has(id)) ranges.set(id, range);
  return { dependsOn: required.map(([id]) => id), ...(ranges.size > 0 && { ranges }) };
}

/**
 * What a package states in a member: a text, or only that it is so. A registry withdraws the statement by an empty text.
 * Composer states the successor there.
 */
export function retirementIn(
  node: TreeNode,
  kind: NonNullable<InventoryEntry["retirement"]>["kind"],
): Pick<InventoryEntry, "retirement"> {
  const stated = child(node, kind);
  const text = messageText(stated?.text);
  if (stated === undefined || text === undefined || text === "false") return {};
  const more = text === "true" ? {} : kind === "abandoned" ? { replacement: text } : { message: text };
  return { retirement: { kind, at: stated.at, ...more } };
}

/** Keeps the first of several packages with one id: variants for platforms or peers have the same version. */
export function uniqueById(packages: readonly LockedPackage[]): readonly LockedPackage[] {
  const byId = new Map<string, LockedPackage>();
  for (const each of packages) if (!byId.has(each.id)) byId.set(each.id, each);
  return [...byId.values()];
}

/** Ids of all packages that the roots need, the roots included. */
function reachable(packages: ReadonlyMap<string, LockedPackage>, roots: readonly string[]): ReadonlySet<string> {
  const visited = new Set<string>();
  const pending = [...roots];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (visited.has(id)) continue;
    visited.add(id);
    pending.push(...(packages.get(id)?.dependsOn ?? []));
  }
  return visited;
}

/** Marks packages that only the development dependencies need. A package that no root needs is not marked. */
export function markDevelopment(
  packages: readonly LockedPackage[],
  runtime: readonly string[],
  development: readonly string[],
): readonly LockedPackage[] {
  const byId = new Map(packages.map((each) => [each.id, each]));
  const runtimeIds = reachable(byId, runtime);
  const developmentIds = reachable(byId, development);
  return packages.map((each) =>
    !runtimeIds.has(each.id) && developmentIds.has(each.id) ? { ...each, scope: "development" as const } : each,
  );
}

const encode = (segment: string): string => percentEncode(segment).replaceAll("%3A", ":");

/** A package URL without a version: `purlOf("npm", "@babel/core")` → `pkg:npm/%40babel/core`. */
export const purlOf = (type: string, name: string): string => `pkg:${type}/${name.split("/").map(encode).join("/")}`;

/** The normalized name of PEP 503, which lockfiles and project files spell in different ways. */
export const pypiName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

export const pypiPurl = (name: string): string => purlOf("pypi", pypiName(name));

/** `group:artifact` and `group/artifact` alike. */
export const mavenPurl = (group: string, artifact: string): string => purlOf("maven", `${group}/${artifact}`);

/** Gradle plugins whose version is the version of the framework, by plugin id. */
export const FRAMEWORK_PLUGINS: Readonly<Record<string, string>> = {
  "org.springframework.boot": "pkg:maven/org.springframework.boot/spring-boot",
  "org.jetbrains.kotlin.jvm": "pkg:maven/org.jetbrains.kotlin/kotlin-gradle-plugin",
  "io.quarkus": "pkg:maven/io.quarkus.platform/quarkus-bom",
};
