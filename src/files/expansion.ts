/**
 * Replaces variables in values of files. A result has a maximum length: variables that refer to each other twice double
 * it with every line.
 */

/** Characters of a result; references to images and coordinates of packages are shorter. */
const MAX_EXPANDED = 1_024;

/** The value of a match of the pattern; undefined where it is not known. */
export type ValueOf = (match: RegExpExecArray) => string | undefined;

/**
 * Replaces all matches of a global pattern once.
 * @returns undefined if a value is not known, or if the result is longer than the limit and than the text itself
 */
export function replaceVariables(text: string, pattern: RegExp, valueOf: ValueOf): string | undefined {
  const limit = Math.max(MAX_EXPANDED, text.length);
  let result = "";
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const value = valueOf(match);
    if (value === undefined) return undefined;
    result += text.slice(end, match.index) + value;
    if (result.length > limit) return undefined;
    end = match.index + match[0].length;
  }
  return end === 0 ? text : withinLimit(result + text.slice(end), limit);
}

const withinLimit = (text: string, limit: number): string | undefined => (text.length > limit ? undefined : text);

/** Properties that refer to properties; longer chains are not followed. */
const MAX_PASSES = 20;

/**
 * Replaces all matches of a global pattern, and those in the values, until none is left.
 * @returns undefined if a value is not known, refers to itself, or makes the result too long
 */
export function resolveVariables(text: string | undefined, pattern: RegExp, valueOf: ValueOf): string | undefined {
  let current = text;
  for (let pass = 0; current !== undefined && pass <= MAX_PASSES; pass++) {
    if (current.search(pattern) === -1) return current;
    current = replaceVariables(current, pattern, valueOf);
  }
  return undefined;
}

const SHELL_VARIABLE = /\$(?:\{(?<name>\w+)(?:(?<rule>:?[-+?])(?<other>[^}]{0,500}))?\}|(?<plain>\w+))/g;

/**
 * `${NAME}`, `$NAME`, `${NAME:-default}`, `${NAME:+other}`, `${NAME:?error}`. Unknown variables are kept, and the whole
 * text is if its result would be too long.
 */
export function substitute(text: string, known: ReadonlyMap<string, string | undefined>): string {
  const expanded = replaceVariables(text, SHELL_VARIABLE, ({ 0: whole, groups = {} }) => {
    const { name, plain = "", rule, other = "" } = groups;
    return shellValue({ whole, rule, other, value: known.get(name ?? plain) });
  });
  return expanded ?? text;
}

interface VariableUse {
  readonly whole: string;
  readonly rule: string | undefined;
  readonly other: string;
  readonly value: string | undefined;
}

function shellValue({ whole, rule, other, value }: VariableUse): string {
  if (rule === undefined) return value ?? whole;
  const used = value === undefined || (value === "" && rule.startsWith(":")) ? undefined : value;
  if (rule.endsWith("+")) return used === undefined ? "" : other;
  return used ?? (rule.endsWith("?") ? whole : other);
}
