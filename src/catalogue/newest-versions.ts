/**
 * The newest versions of the most used packages of npm and PyPI, with the month of the release for PyPI. Facts of the two
 * registries; `tools/newest-versions.ts` packs them. A look-up inflates one block of 256 packages.
 */
import { readPackageFile } from "../platform/package-files.ts";
import { NameList } from "./debian-packages.ts";
import { NEWEST_VERSIONS } from "./places.ts";
import { asIsoDate } from "../text/ids.ts";

/** The newest stable version of a package, and the month of its release, as `YYYY-MM`, where it is known. */
export interface ListedVersion {
  readonly version: string;
  readonly released?: string;
}

let list: NameList | undefined;

/** The list in the package, for support levels. */
export const NEWEST_LIST = { listedOn: asIsoDate("2026-11-22"), find: newestVersion } as const;

/** @param path The package as its registry names it. Undefined where it is not in the list. */
export function newestVersion(type: string, path: string): ListedVersion | undefined {
  list ??= new NameList(readPackageFile(NEWEST_VERSIONS), "the list of newest versions");
  return findNewest(list, type, path);
}

export function findNewest(names: NameList, type: string, path: string): ListedVersion | undefined {
  if (path.includes("\n")) return undefined;
  const start = `${type}/${path}\t`;
  for (const block of names.blocks(start, (key) => key.startsWith(start))) {
    const at = block.indexOf(`\n${start}`);
    if (at === -1) continue;
    const from = at + 1 + start.length;
    const [version = "", released] = block.slice(from, block.indexOf("\n", from)).split("\t");
    return { version, ...(released !== undefined && { released }) };
  }
  return undefined;
}
