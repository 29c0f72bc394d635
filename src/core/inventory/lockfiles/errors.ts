/** Errors of lockfiles: each names the line, because the file is long and somebody has to repair it. */
import { EolgateError } from "../../errors.ts";

export type LockfileProblem = "lockfile-broken" | "lockfile-conflict" | "lockfile-incomplete" | "lockfile-version";

const HINTS: Readonly<Record<LockfileProblem, string>> = {
  "lockfile-broken": "Generate the file again with its package manager, or exclude it with --exclude.",
  "lockfile-conflict": "Resolve the merge and generate the file again with its package manager.",
  "lockfile-incomplete": "The file was cut or edited. Generate it again with its package manager.",
  "lockfile-version": "Generate the file with a version of the package manager whose format docs/lockfiles.md lists.",
};

/** `at` counts UTF-16 units from the start of `text`. */
export function lockfileError(code: LockfileProblem, message: string, text: string, at?: number): EolgateError {
  return EolgateError.raw("input", {
    code,
    message,
    ...(at !== undefined && { where: `line ${String(lineAt(text, at))}` }),
    hint: HINTS[code],
  });
}

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

/** @throws EolgateError `lockfile-conflict` at the first marker that a version control system left behind. */
export function refuseConflictMarkers(text: string): void {
  const at = text.search(CONFLICT);
  if (at !== -1) throw lockfileError("lockfile-conflict", "the file has unresolved merge conflict markers", text, at);
}
