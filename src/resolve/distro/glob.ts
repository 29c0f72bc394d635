/** Matches complete package names against patterns with `*` and `[0-9]`. */

const compiled = new Map<string, RegExp>();

export const isGlob = (pattern: string): boolean => pattern.includes("*") || pattern.includes("[");

export function matchesGlob(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!isGlob(pattern)) return false;
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    const source = pattern.replaceAll(/[.+?^${}()|\\]/g, "\\$&").replaceAll("*", ".*");
    compiled.set(pattern, (expression = new RegExp(`^${source}$`)));
  }
  return expression.test(name);
}

export const matchesAny = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, name));
