/** Packages that an attached SBOM lists already: they are judged once. */
import type { SbomDocument } from "../core/model.ts";

/** Type, namespace, name and version of a package URL; generators differ in the qualifiers. */
function packageKey(purl: string): string {
  const [path = ""] = purl.split(/[?#]/, 1);
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path.toLowerCase();
  }
}

export function knownPackages(documents: readonly SbomDocument[]): (purl: string) => boolean {
  const known = new Set(
    documents.flatMap(({ components }) => components.flatMap(({ purls }) => purls.map((purl) => packageKey(purl)))),
  );
  return (purl) => known.has(packageKey(purl));
}
