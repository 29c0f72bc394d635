/**
 * What stands in a version field. Half of what documents write there is no version: a range, a placeholder, a word. It is
 * told apart before any line is looked for, so that nothing is matched against half a sentence.
 */
import type { UnresolvedReason } from "../model.ts";

/** Words that generators write where they know no version. */
const PLACEHOLDERS = new Set(
  "noassertion none unknown unspecified undefined null latest release (devel) devel not-specified n/a head local workspace".split(
    " ",
  ),
);
/**
 * npm, Composer, NuGet and Maven ranges, and people's `3.7+`; `==1.2` too, because it came from a requirement and not from
 * an installation.
 */
const RANGE = /^[\^~<>=!*[(]|\*|\|\||\s-\s|,|^x$|\.x(?:\.|-|$)|\d\+$/i;
/** `${project.version}`, `$(Version)`, `@VERSION@`: nobody filled the form in. */
const UNFILLED = /\$[{(]|^@.*@$/;

/** A commit's abbreviated or whole hash: `9e3f2ab` is no release of the line 9. */
const COMMIT = /^(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7,64}$/;

/** Why `text` names no version, or undefined when it may name one. */
export function noVersion(text: string): UnresolvedReason | undefined {
  const word = text.trim().toLowerCase();
  if (word === "" || PLACEHOLDERS.has(word) || UNFILLED.test(word) || COMMIT.test(word)) return "no-version";
  return RANGE.test(word) ? "version-is-range" : undefined;
}

/** One form for comparing: lower case, no `v` before a digit, words joined by hyphens. `2012 R2` and `2012-r2` are one. */
export function normalizeVersion(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^v(?=\d)/, "")
    .replaceAll(/\s+/g, "-");
}

/** The dotted numbers that a version begins with: `3.11.2-6+deb12u3` → [3, 11, 2]. Empty when it begins otherwise. */
export function leadingNumbers(text: string): readonly number[] {
  const digits = /^\d+(?:\.\d+)*/.exec(text)?.[0];
  return digits === undefined ? [] : digits.split(".").map(Number);
}

/** Negative, zero or positive; only as many components are compared as `right` has. */
export function compareNumbers(left: readonly number[], right: readonly number[]): number {
  for (const [index, number] of right.entries()) {
    const difference = (left[index] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Whether a name that ends before `index` may end there: at the text's end, before `. - _ + ~` or a space, or before a
 * letter that follows a digit. `1.2` is not a prefix of `1.20`, `1.0.2` is one of `1.0.2u`.
 */
export function isBoundary(text: string, index: number): boolean {
  if (index === text.length) return true;
  const next = text.charAt(index);
  if (/[.\-_+~ ]/.test(next)) return true;
  return /[a-z]/i.test(next) && /\d/.test(text.charAt(index - 1));
}

/** Whether `version` belongs to `prefix` by components. */
export function startsWithCycle(version: string, prefix: string): boolean {
  return version.startsWith(prefix) && isBoundary(version, prefix.length);
}
