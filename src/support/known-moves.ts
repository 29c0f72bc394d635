/**
 * Packages whose maintainers name a replacement, where no registry has a field for it. The catalogue lists them; a
 * replacement never changes a support level.
 */
import type { Evidence, PackageMove } from "../model/index.ts";
import { getOwn } from "../text/values.ts";
import { compareNumbers, leadingNumbers, normalizeVersion } from "../resolve/version/parse.ts";
import type { PackageSubject } from "./subject.ts";

/** Registries that ignore the case of names. */
const CASE_INSENSITIVE: ReadonlySet<string> = new Set(["composer", "nuget", "pypi"]);

/** Returns the replacement that the maintainers of a package name, as evidence. */
export function knownMove(
  moves: Readonly<Record<string, PackageMove>>,
  { type, path, version }: Pick<PackageSubject, "type" | "path" | "version">,
): Evidence | undefined {
  const known = getOwn(moves, `${type}/${CASE_INSENSITIVE.has(type) ? path.toLowerCase() : path}`);
  if (known === undefined || isBelow(version, known.since)) return undefined;
  const { to, page, on } = known;
  return {
    source: "catalogue",
    statement: "replacement-named",
    url: page,
    retrievedAt: on,
    replacement: to.join(", "),
  };
}

const isBelow = (version: string, since: string | undefined): boolean =>
  since !== undefined && compareNumbers(leadingNumbers(normalizeVersion(version)), leadingNumbers(since)) < 0;
