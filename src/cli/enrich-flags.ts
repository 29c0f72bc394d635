/** Validates the flags of `enrich` together: where the result is written, and which flags exclude each other. */
import { resolve } from "node:path";
import { EolgateError } from "../messages/error.ts";
import type { Invocation } from "./command.ts";
import type { OutputTarget } from "./enriched.ts";
import { on, text } from "./config.ts";

/** The file, then the location in it. */
export function inFile(error: EolgateError, file: string): EolgateError {
  const where = error.where === undefined || error.where.startsWith(file) ? file : `${file}, ${error.where}`;
  return error.at(where);
}

export function refuseContradictions(files: readonly string[], flags: Invocation["flags"]): void {
  const inPlace = on(flags["inPlace"]);
  if (files.length === 0) throw EolgateError.of("no-document", {});
  if (inPlace && flags["output"] !== undefined)
    throw EolgateError.of("flags-exclusive", { flag: "--in-place", other: "--output" });
  if (inPlace && files.includes("-"))
    throw EolgateError.of("flags-exclusive", { flag: "--in-place", other: "standard input" });
  if (files.length > 1 && !inPlace && !on(flags["dryRun"]) && !on(flags["diff"]))
    throw EolgateError.of("several-outputs", {});
}

export const STANDARD_OUTPUT: OutputTarget = {};

export function outputTarget(cwd: string, file: string, flags: Invocation["flags"]): OutputTarget {
  if (on(flags["inPlace"])) return { replace: resolve(cwd, file) };
  const output = text(flags["output"]);
  return output === undefined ? STANDARD_OUTPUT : { output };
}
