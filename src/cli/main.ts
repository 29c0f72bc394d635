/** The entry point of the command line, also as one function: takes arguments and a context, returns an exit code. */
import { createProcessContext, exitOnUncaught, type ProcessContext } from "./process-context.ts";
import { bugReport, errorText, toEolgateError } from "./format-error.ts";
import { VERSION } from "../platform/version.ts";
import { runProgram } from "./program.ts";

/** Runs the command line of `host` and resolves to its exit code. */
export function main(host: NodeJS.Process): Promise<number> {
  const { exit, text } = bugReport;
  exitOnUncaught(host, exit, text);
  return run(host.argv.slice(2), createProcessContext(host));
}

export async function run(argv: readonly string[], io: ProcessContext): Promise<number> {
  try {
    return await runProgram(argv, io, VERSION);
  } catch (error) {
    const { exit } = toEolgateError(error);
    io.err(errorText(error));
    return exit;
  }
}
