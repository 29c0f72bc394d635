/**
 * Parses version strings. Many version fields contain a range, a placeholder or a word instead of a version, so
 * `rejectNonVersion` runs before any release cycle is looked up.
 */
import type { UnresolvedReason } from "../../model/index.ts";

/** Words that generators write if the version is unknown. */
const PLACEHOLDERS = new Set(
  "noassertion none unknown unspecified undefined null latest release (devel) devel not-specified n/a head local workspace".split(
    " ",
  ),
);
/** npm, Composer, NuGet and Maven ranges, `3.7+`, `==1.2` and `14..15`: a requirement, not an installed version. */
const RANGE = /^[\^~<>=!*[(]|\*|\|\||\s-\s|,|^x$|\.x(?:\.|-|$)|\d\+$|\d\.\.\d/i;
/** Expressions that were not replaced: `${project.version}`, `$(Version)`, `{{ tag }}`, `@VERSION@`, `$TAG`, `var.version`. */
const TEMPLATE = /\$[{(]|^\$\w|<<|\{\{|^@.*@$|^(?:var|local)\.\w/;
export const isComputed = (text: string): boolean => TEMPLATE.test(text.trim());
/** An abbreviated or complete commit hash. */
const COMMIT = /^(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7,64}$/;

/** Why `text` is not a version; undefined when it may be one. */
export function rejectNonVersion(text: string): UnresolvedReason | undefined {
  const word = text.trim().toLowerCase();
  if (isComputed(word)) return "computed-value";
  if (word === "" || PLACEHOLDERS.has(word) || COMMIT.test(word)) return "no-version";
  return RANGE.test(word) ? "version-is-range" : undefined;
}

/** Normalizes for comparison: lower case, no `v` before a digit, hyphens for white space (`2012 R2` → `2012-r2`). */
export function normalizeVersion(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^v(?=\d)/, "")
    .replaceAll(/\s+/g, "-");
}

/** The dotted numbers at the start of a version: `3.11.2-6+deb12u3` → [3, 11, 2]. Empty when it starts otherwise. */
export function leadingNumbers(text: string): readonly number[] {
  const digits = /^\d+(?:\.\d+)*/.exec(text)?.[0];
  return digits === undefined ? [] : digits.split(".").map(Number);
}

/** Negative, zero or positive. Compares only as many components as `right` has. */
export function compareNumbers(left: readonly number[], right: readonly number[]): number {
  for (const [index, number] of right.entries()) {
    const difference = (left[index] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Whether a component prefix of `text` may end before `index`: at the end, before `. - _ + ~ (` or a space, or before a
 * letter that follows a digit. `1.2` is not a prefix of `1.20`; `1.0.2` is a prefix of `1.0.2u`, `9.3` of Cisco's `9.3(7)`.
 */
export function isBoundary(text: string, index: number): boolean {
  if (index === text.length) return true;
  const next = text.charAt(index);
  if (/[.\-_+~ (]/.test(next)) return true;
  return /[a-z]/i.test(next) && /\d/.test(text.charAt(index - 1));
}

/** Whether `prefix` is a component prefix of `version`. */
export function hasVersionPrefix(version: string, prefix: string): boolean {
  return version.startsWith(prefix) && isBoundary(version, prefix.length);
}

/** The component prefixes of `version`, the longest first. */
export function* versionPrefixes(version: string): Generator<string> {
  for (let end = version.length; end > 0; end -= 1) if (isBoundary(version, end)) yield version.slice(0, end);
}

/** `-rc-2`, `.0b1`, `-M1`, `-SNAPSHOT`, `~beta`: nothing but zeros and a pre-release label. */
const PRE_RELEASE =
  /^(?:\.0)*[-._~]?(?:(?:alpha|beta|rc|cr|snapshot|pre|preview|dev|nightly|canary|next|insiders?|milestone|ea)(?![a-z])|[abcm]\d)/;

/** Whether `version` is a pre-release of the first release of the cycle named `cycleName`; both normalized. */
export function precedesFirstRelease(version: string, cycleName: string): boolean {
  return version.length > cycleName.length && PRE_RELEASE.test(version.slice(cycleName.length));
}
