/** Runs an update on its own thread: compiling takes a second, and a server's answers must not wait for it. */
import { parentPort, workerData } from "node:worker_threads";
import { EolgateError } from "../../messages/error.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import { readPackageFile } from "../../platform/package-files.ts";
import { toMessage } from "../../platform/thread.ts";
import { BUNDLED } from "../../catalogue/places.ts";
import { updateCatalogue } from "./update.ts";
import type { WorkerResult, WorkerTask } from "./in-worker.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `in-worker.ts`, the only caller, sends a WorkerTask
const { path, ...task } = workerData as WorkerTask;

const missing = (path: string, cause: unknown): EolgateError =>
  EolgateError.of("catalogue-unreadable", {}, { where: path, cause });

async function answer(): Promise<WorkerResult> {
  try {
    const current =
      path === undefined
        ? { bytes: readPackageFile(BUNDLED), origin: "bundled" }
        : { bytes: readBoundedFile(path, "catalogue", (cause) => missing(path, cause)), origin: path };
    return { kind: "report", report: await updateCatalogue({ ...task, current }) };
  } catch (error) {
    if (!(error instanceof EolgateError)) throw error;
    return { kind: "error", problem: toMessage(error) };
  }
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
void answer().then((result) => parentPort?.postMessage(result));
