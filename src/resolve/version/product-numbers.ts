/** Converts a package's version to the product's numbering, within the limits of the entry in the purl map. */
import { javaNumber } from "../../lifecycle/kev.ts";
import type { PurlEntry, UnresolvedReason, VersionTransform } from "../../model/index.ts";
import { compareNumbers, leadingNumbers, normalizeVersion } from "./parse.ts";

/** Returns the version in the product's numbering; undefined when the transform does not apply. */
export type Transform = (version: string) => string | undefined;

/** Kubernetes' Go modules: `v0.30.2` is 1.30.2. Releases before that scheme used other numbers (`v12.0.0`). */
const minorShift: Transform = (version) => /^v?0\.(\d.*)$/.exec(version)?.[1]?.replace(/^/, "1.");

export const TRANSFORMS: Readonly<Record<VersionTransform, Transform>> = {
  "minor-shift": minorShift,
  "java-legacy": javaNumber,
};

const outside = (why: string) => ({ reason: "version-not-tracked", why }) as const;

/** Why a version has no number of the product. */
export interface NoNumbers {
  readonly reason: UnresolvedReason;
  /** The version, if it is older than the first one that follows the product's numbers. */
  readonly below?: string;
}

/** Returns `version` in the product's numbering, or why it is outside the limits of the entry. */
export function toProductNumbers(
  entry: PurlEntry,
  version: string,
  transforms: Readonly<Partial<Record<VersionTransform, Transform>>> = TRANSFORMS,
): string | (NoNumbers & { readonly why: string }) {
  const numbers = leadingNumbers(normalizeVersion(version));
  if (entry.min !== undefined && compareNumbers(numbers, leadingNumbers(entry.min)) < 0)
    return { ...outside(`the package follows the product's numbers only from ${entry.min}`), below: version };
  if (entry.max !== undefined && compareNumbers(numbers, leadingNumbers(entry.max)) > 0)
    return outside(`the package follows the product's numbers only up to ${entry.max}`);
  if (entry.transform === undefined) return version;
  return transforms[entry.transform]?.(version) ?? outside(`${entry.transform} does not apply to ${version}`);
}
