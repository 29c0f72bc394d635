/** The entry point of the command line. */
import { createProcessContext, exitOnUncaught } from "./process-context.ts";
import { bugReport } from "./format-error.ts";
import { run } from "./run.ts";

/** Runs the command line of `host` and resolves to its exit code. */
export function main(host: NodeJS.Process): Promise<number> {
  const { exit, text } = bugReport;
  exitOnUncaught(host, exit, text);
  return run(host.argv.slice(2), createProcessContext(host));
}
