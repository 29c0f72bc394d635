/** What the purl map says of an entry's numbers: the bounds within which they are the product's, and how to read them. */
import type { PurlEntry, UnresolvedReason, VersionTransform } from "../model.ts";
import { compareNumbers, normalizeVersion, leadingNumbers } from "./normalize-version.ts";

/** The version in the product's numbering, or undefined when the rule does not fit it. */
export type Transform = (version: string) => string | undefined;

/** Kubernetes' Go modules: `v0.30.2` is 1.30.2. Releases before that scheme counted otherwise (`v12.0.0`). */
const minorShift: Transform = (version) => /^v?0\.(\d.*)$/.exec(version)?.[1]?.replace(/^/, "1.");

/** Binaries of Java 8 and before call themselves 1.8.0; later ones by their number. */
const javaLegacy: Transform = (version) => version.replace(/^1\.(?=[5-8](?!\d))/, "");

export const TRANSFORMS: Readonly<Record<VersionTransform, Transform>> = {
  "minor-shift": minorShift,
  "java-legacy": javaLegacy,
};

const outside = (why: string) => ({ reason: "version-not-tracked", why }) as const;

/** `version` within the entry's bounds and in the product's numbering. */
export function toProductVersion(
  entry: PurlEntry,
  version: string,
  transforms: Readonly<Partial<Record<VersionTransform, Transform>>> = TRANSFORMS,
): string | { readonly reason: UnresolvedReason; readonly why: string } {
  const numbers = leadingNumbers(normalizeVersion(version));
  if (entry.min !== undefined && compareNumbers(numbers, leadingNumbers(entry.min)) < 0)
    return outside(`its numbers are the product's only from ${entry.min}`);
  if (entry.max !== undefined && compareNumbers(numbers, leadingNumbers(entry.max)) > 0)
    return outside(`its numbers are the product's only up to ${entry.max}`);
  if (entry.transform === undefined) return version;
  return transforms[entry.transform]?.(version) ?? outside(`${entry.transform} does not fit ${version}`);
}
