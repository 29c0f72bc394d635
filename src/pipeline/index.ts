/**
 * The entry of the pipeline: what compiles and publishes the catalogue. The gate and the service import nothing else
 * of `src/pipeline`, and this file only when a catalogue is read from its sources or published.
 */
import type { Command } from "../shell/command.ts";
import type { UpdateOptions, UpdateReport } from "./update/update.ts";
import type { WorkerTask } from "./update/in-worker.ts";

export type { UpdateReport };

/** Reads the sources, compiles a catalogue and installs it. @throws EolgateError `network`, `catalogue` */
export const updateFromSources = async (options: UpdateOptions): Promise<UpdateReport> =>
  (await import("./update/update.ts")).updateCatalogue(options);

/** The same on a worker thread, for a process that answers requests meanwhile. */
export const updateInWorker = async (task: WorkerTask, signal?: AbortSignal): Promise<UpdateReport> =>
  (await import("./update/in-worker.ts")).updateInWorker(task, signal);

/** Loads `eolgate catalogue publish`. */
export const loadPublish = async (): Promise<{ readonly run: Command }> => import("./publish.ts");
