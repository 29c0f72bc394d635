/** Errors of lockfiles and pin files. Each states the line, because these files are long. */
import { pageAddress } from "../messages/pages.ts";
import { EolgateError } from "../messages/error.ts";

const ADVICE = {
  "lockfile-broken": undefined,
  "lockfile-incomplete": "The file was truncated or edited. Generate the file again with its package manager.",
  "lockfile-version": `${pageAddress("inputs.md")} lists the supported versions of each format.`,
};

/** Creates an error. `at` is an offset in `text` in UTF-16 units. */
export const lockfileError = (kind: keyof typeof ADVICE, problem: string, text: string, at?: number): EolgateError =>
  EolgateError.of(
    kind === "lockfile-version" ? "unsupported-version" : "lockfile-broken",
    { problem, advice: ADVICE[kind] },
    at === undefined ? {} : { where: lineOf(text, at) },
  );

const lineOf = (text: string, at: number): string => `line ${String(lineAt(text, at))}`;

/** The line of an offset, counted from 1. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf("\n"); next !== -1 && next < at; next = text.indexOf("\n", next + 1)) line++;
  return line;
}

export const unknownVersion = (format: string, version: string, text: string, at = 0): EolgateError =>
  lockfileError("lockfile-version", `version ${version || "(none)"} of ${format} is not supported`, text, at);

/** A required package that has no entry: the rest of the file is missing. */
export const missingPackage = (name: string, text: string, at: number): EolgateError =>
  lockfileError("lockfile-incomplete", `the file requires ${name} but has no entry for it`, text, at);

const CONFLICT = /^(?:<{7} |>{7} |\|{7} )/m;

/**
 * Refuses a text with merge conflict markers.
 * @throws EolgateError `lockfile-broken` with the line of the first marker
 */
export function refuseConflictMarkers(text: string): void {
  const at = text.search(CONFLICT);
  if (at !== -1)
    throw EolgateError.of("lockfile-broken", {
      problem: "the file has unresolved merge conflict markers",
      advice: "Resolve the merge. Generate the file again with its package manager.",
    }).at(lineOf(text, at));
}

/** The error of a pin file for a text that could not be parsed: it must not count as a file without pins. */
export const brokenPinFile = (cause: EolgateError): EolgateError =>
  EolgateError.of("pin-file-broken", { why: cause.message }, { where: cause.where, cause });
