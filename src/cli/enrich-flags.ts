/** Validates the flags of `enrich` together: where the result is written, and which flags exclude each other. */
import { resolve } from "node:path";
import { EolgateError } from "../core/errors.ts";
import type { Invocation } from "./command.ts";
import type { OutputTarget } from "./enriched.ts";
import { on, text } from "./config.ts";

/** The file, then the location in it. */
export function inFile(error: EolgateError, file: string): EolgateError {
  const where = error.where === undefined || error.where.startsWith(file) ? file : `${file}, ${error.where}`;
  return error.at(where);
}

const usage = (code: string, message: string, hint: string): EolgateError =>
  EolgateError.raw("usage", { code, message, hint });

export function refuseContradictions(files: readonly string[], flags: Invocation["flags"]): void {
  const inPlace = on(flags["inPlace"]);
  if (files.length === 0)
    throw usage("no-file", "no document was named", "Give a file: eolgate enrich bom.json -o out.json");
  if (inPlace && flags["output"] !== undefined)
    throw usage("contradiction", "--in-place and --output exclude each other", "Give one of them.");
  if (inPlace && files.includes("-"))
    throw usage("contradiction", "standard input cannot be written in place", "Leave --in-place out, or name a file.");
  if (files.length > 1 && !inPlace && !on(flags["dryRun"]) && !on(flags["diff"]))
    throw usage("several-files", "several documents need a place each", "Give --in-place, or one document at a time.");
}

export const STANDARD_OUTPUT: OutputTarget = {};

export function outputTarget(cwd: string, file: string, flags: Invocation["flags"]): OutputTarget {
  if (on(flags["inPlace"])) return { replace: resolve(cwd, file) };
  const output = text(flags["output"]);
  return output === undefined ? STANDARD_OUTPUT : { output };
}
