/**
 * The command line as one function: takes arguments and a process context, returns an exit code. Errors are caught
 * here.
 */
import { VERSION } from "../platform/version.ts";
import { errorText, toEolgateError } from "./format-error.ts";
import type { ProcessContext } from "./process-context.ts";
import { runProgram } from "./program.ts";

export async function run(argv: readonly string[], io: ProcessContext): Promise<number> {
  try {
    return await runProgram(argv, io, VERSION);
  } catch (error) {
    const { exit } = toEolgateError(error);
    io.err(errorText(error));
    return exit;
  }
}
