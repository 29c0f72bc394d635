/** Reads deprecation and retractions from a go.mod file. https://go.dev/ref/mod#go-mod-file */
import { compareSemver } from "./semver.ts";

export interface GoMod {
  /** The text after `Deprecated:`, possibly empty; absent if the module is not deprecated. */
  readonly deprecated?: string;
  /** Intervals of retracted versions, both ends included. */
  readonly retracted: readonly (readonly [low: string, high: string])[];
}

export function readGoMod(text: string): GoMod {
  const lines = text.split(/\r?\n/);
  const deprecated = deprecation(lines);
  return { retracted: retractions(lines), ...(deprecated !== undefined && { deprecated }) };
}

export const isRetracted = ({ retracted }: GoMod, version: string): boolean =>
  retracted.some(([low, high]) => compareSemver(version, low) >= 0 && compareSemver(version, high) <= 0);

/** From a paragraph of the comment before the module line, or from the comment at its end. */
function deprecation(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => /^module\s/.test(line));
  if (at < 0) return undefined;
  const trailing = /\/\/\s*(.*)$/.exec(lines[at] ?? "")?.[1];
  const before: string[] = [];
  for (let line = at - 1; line >= 0 && /^\s*\/\//.test(lines[line] ?? ""); line -= 1)
    before.unshift((lines[line] ?? "").replace(/^\s*\/\/\s?/, "").trim());
  const paragraphs = [...before.join("\n").split(/\n\s*\n/), trailing ?? ""];
  const stated = paragraphs
    .map((paragraph) => paragraph.trim())
    .find((paragraph) => paragraph.startsWith("Deprecated:"));
  return stated?.replace(/^Deprecated:\s*/, "").replaceAll("\n", " ");
}

function retractions(lines: readonly string[]): GoMod["retracted"] {
  const ranges: (readonly [string, string])[] = [];
  let block = false;
  for (const line of lines) {
    const code = line.replace(/\/\/.*$/, "").trim();
    if (/^retract\s*\($/.test(code)) block = true;
    else if (code === ")") block = false;
    else {
      const stated = block ? code : /^retract\s+(.+)$/.exec(code)?.[1];
      const range = stated === undefined ? undefined : rangeOf(stated);
      if (range !== undefined) ranges.push(range);
    }
  }
  return ranges;
}

function rangeOf(text: string): readonly [string, string] | undefined {
  const [, low, high] = /^\[\s*(v[^\s,\]]+)\s*,\s*(v[^\s,\]]+)\s*\]$/.exec(text) ?? [];
  if (low !== undefined && high !== undefined) return [low, high];
  return /^v\S+$/.test(text) ? [text, text] : undefined;
}
