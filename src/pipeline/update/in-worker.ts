/** Runs an update from the sources on a worker thread. */
import { EolgateError } from "../../messages/error.ts";
import { type ErrorMessage, fromMessage, startThread } from "../../platform/thread.ts";
import type { UpdateOptions, UpdateReport } from "./update.ts";

/** What is sent to the thread: plain data. `path` is the catalogue in use; undefined is the bundled one. */
export type WorkerTask = Pick<UpdateOptions, "folder" | "today" | "now" | "base" | "env"> & {
  readonly path: string | undefined;
};

export type WorkerResult =
  | { readonly kind: "report"; readonly report: UpdateReport }
  | { readonly kind: "error"; readonly problem: ErrorMessage };

/** `.ts` in the sources, `.cjs` in the bundle, which has it next to this module (`tools/command-bundle.ts`). */
const THREAD = new URL(`./update-worker.${import.meta.url.endsWith(".ts") ? "ts" : "cjs"}`, import.meta.url);

/** Aborted: the thread ends where it is; the last good catalogue stays. @throws EolgateError, as `updateCatalogue`. */
export async function updateInWorker(task: WorkerTask, signal?: AbortSignal): Promise<UpdateReport> {
  const answer = await new Promise<WorkerResult>((resolve, reject) => {
    const worker = startThread(THREAD, { workerData: { ...task, env: { ...task.env } } });
    const end = () => void worker.terminate();
    signal?.addEventListener("abort", end, { once: true });
    worker.once("exit", () => signal?.removeEventListener("abort", end));
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(stopped()));
  });
  if (answer.kind === "report") return { ...answer.report, bytes: Buffer.from(answer.report.bytes) };
  throw fromMessage(answer.problem);
}

function stopped(): EolgateError {
  return EolgateError.of("update-stopped", {});
}
