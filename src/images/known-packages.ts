/** Packages that an attached SBOM already lists. They are not added again from the package database. */
import type { ComponentDocument } from "../model/index.ts";

/**
 * The key of a package: its package URL with the qualifier `distro` only, because generators differ in the other ones.
 * Undefined without `distro`: such an entry of an SBOM is less precise than the package database, so both are assessed.
 */
function packageKey(purl: string): string | undefined {
  const [path = "", query = ""] = purl.split(/[?#]/, 2);
  const distribution = query.split("&").find((qualifier) => qualifier.startsWith("distro="));
  if (distribution === undefined) return undefined;
  try {
    return decodeURIComponent(`${path}?${distribution}`).toLowerCase();
  } catch {
    return undefined;
  }
}

/** Returns a predicate: whether one of the documents lists the package with this package URL. */
export function knownPackages(documents: readonly ComponentDocument[]): (purl: string) => boolean {
  const known = new Set(
    documents.flatMap(({ components }) =>
      [...components].flatMap(({ purls }) => purls.flatMap((purl) => packageKey(purl) ?? [])),
    ),
  );
  return (purl) => {
    const key = packageKey(purl);
    return key !== undefined && known.has(key);
  };
}
