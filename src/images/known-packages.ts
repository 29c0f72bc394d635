/** Packages that an attached SBOM lists already: they are assessed once. */
import type { SbomDocument } from "../core/model.ts";

/**
 * Type, namespace, name, version and distribution of a package URL; generators differ in the other qualifiers. Without the
 * distribution, or with another one, the SBOM states less than the package database, or contradicts it: both are assessed.
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

export function knownPackages(documents: readonly SbomDocument[]): (purl: string) => boolean {
  const known = new Set(
    documents.flatMap(({ components }) =>
      components.flatMap(({ purls }) => purls.flatMap((purl) => packageKey(purl) ?? [])),
    ),
  );
  return (purl) => {
    const key = packageKey(purl);
    return key !== undefined && known.has(key);
  };
}
