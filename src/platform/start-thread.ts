/** Starts a thread from a script that is next to the module which starts it. */
import { Worker, type WorkerOptions } from "node:worker_threads";
import { isExecutable, readPackageFile } from "./package-files.ts";

/** The script by which the single executable starts, as main program and in each thread. */
const LAUNCHER = new URL("../../executable.cjs", import.meta.url);

/**
 * @param script - address of the script: a file of the sources, or a script of the bundle.
 */
export function startThread(script: URL, options: WorkerOptions): Worker {
  if (!isExecutable()) return new Worker(script, options);
  // A thread cannot be started by the address of an asset: it runs the launcher, which loads the script by its name.
  const name = script.href.slice(script.href.lastIndexOf("/") + 1);
  return new Worker(readPackageFile(LAUNCHER).toString("latin1"), { ...options, eval: true, argv: [name] });
}
