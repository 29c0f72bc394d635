/** Patterns of private packages: a package that matches is never sent to any service. */

export type PrivateMatcher = (packagePath: string) => boolean;

/**
 * Compile patterns such as `pkg:npm/@acme/*`, `pkg:maven/com.acme*` or `pkg:golang/git.example.com`. `*` matches any
 * run of characters, slashes included. A pattern also covers everything below it. Case and percent-encoding do not
 * count, so that no spelling of a private name is sent.
 */
export function compilePrivatePatterns(patterns: readonly string[]): PrivateMatcher {
  if (patterns.length === 0) return () => false;
  const source = patterns.map((pattern) => patternSource(normalize(pattern))).join("|");
  const regex = new RegExp(`^(?:${source})(?:/.*)?$`, "s");
  return (packagePath) => regex.test(normalize(packagePath));
}

/** Returns what is wrong with a pattern; undefined for a valid one. */
export function privatePatternProblem(pattern: string): string | undefined {
  if (!pattern.startsWith("pkg:")) return 'a pattern starts with "pkg:" and a type, for example pkg:npm/@acme/*';
  if (!/^pkg:[a-z*][a-z0-9.+*-]*(?:\/@?[^\s@?#/]+)+\/?$/i.test(pattern))
    return "a pattern is a package URL without version, qualifiers or subpath";
  return undefined;
}

function normalize(text: string): string {
  const decoded = decode(text).normalize("NFKC").toLowerCase().replace(/\/+$/, "");
  // https://packaging.python.org/en/latest/specifications/name-normalization/
  return decoded.startsWith("pkg:pypi/") ? decoded.replaceAll(/[-_.]+/g, "-") : decoded;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const patternSource = (pattern: string): string =>
  pattern
    .split("*")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
