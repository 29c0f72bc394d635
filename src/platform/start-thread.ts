/** Starts threads from scripts of the sources, of the bundle, or of the single executable. */
import { Worker, type WorkerOptions } from "node:worker_threads";
import { isExecutable, readPackageFile } from "./package-files.ts";

/** The entry script of the single executable, for the main program and for each thread. */
const LAUNCHER = new URL("../../executable.cjs", import.meta.url);

/**
 * Starts a thread.
 * @param script Address of the script: a file of the sources, or a script of the bundle.
 */
export function startThread(script: URL, options: WorkerOptions): Worker {
  if (!isExecutable()) return new Worker(script, options);
  // A thread cannot be started by the address of an asset: it runs the launcher, which loads the script by name.
  const name = script.href.slice(script.href.lastIndexOf("/") + 1);
  return new Worker(readPackageFile(LAUNCHER).toString("latin1"), { ...options, eval: true, argv: [name] });
}
