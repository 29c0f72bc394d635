/**
 * The result of every lockfile reader: the packages of one file, their locations in the text and the graph between
 * them.
 */
import type { ComponentScope } from "../../model/index.ts";

/** A range of the file's text, in UTF-16 units. */
export interface TextPlace {
  readonly at: number;
  readonly length: number;
}

export interface LockedPackage {
  /** Unique within the file; `dependsOn` and `direct` refer to it. */
  readonly id: string;
  readonly name: string;
  /** Package URL without a version. */
  readonly purl?: string;
  /** Absent if the file does not fix one: a branch, a local folder, a property of another file. */
  readonly version?: string;
  readonly place: TextPlace;
  /** Absent if the file does not distinguish development packages from others. */
  readonly scope?: ComponentScope;
  readonly dependsOn?: readonly string[];
}

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

/** Keeps the first of several packages with one id: variants for platforms or peers have the same version. */
export function uniqueById(packages: readonly LockedPackage[]): readonly LockedPackage[] {
  const byId = new Map<string, LockedPackage>();
  for (const each of packages) if (!byId.has(each.id)) byId.set(each.id, each);
  return [...byId.values()];
}
