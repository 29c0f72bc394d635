/**
 * Entries of the purl map for packages with cycles of their own: `slug#` where the part is the key without its type, else
 * `slug#part`, because keys of some types are folded to lower case.
 */

/** `npm/@azure/cosmos` → `@azure/cosmos`. */
const pathOf = (key: string): string => key.slice(key.indexOf("/") + 1);

export function encodePart(slug: string, key: string, part: string): string {
  return `${slug}#${part === pathOf(key) ? "" : part}`;
}

/** Slug and part of a stored entry; no part where it is a bare slug. */
export function decodePart(key: string, entry: string): { readonly slug: string; readonly part?: string } {
  const hash = entry.indexOf("#");
  if (hash < 0) return { slug: entry };
  return { slug: entry.slice(0, hash), part: entry.slice(hash + 1) || pathOf(key) };
}

/** The package that a purl names, as its cycles are named: `pkg:npm/%40azure/cosmos` → `@azure/cosmos`. */
export function partOfPurl(purl: string): string {
  return decodeURIComponent(purl.replace(/^pkg:[^/]+\//, ""));
}

/** The purl of a part, as its source writes it. */
export function purlOfPart(key: string, part: string): string {
  return `pkg:${key.slice(0, key.indexOf("/"))}/${part.replace(/^@/, "%40")}`;
}
