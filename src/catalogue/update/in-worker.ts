/** Hands an update to a worker thread and waits for its report. */
import { Worker } from "node:worker_threads";
import { Fault, type FaultKind } from "../../core/errors.ts";
import type { UpdateOptions, UpdateReport } from "../update.ts";

/** What crosses to the thread: plain data. `path` is the catalogue at hand. */
export type WorkerTask = Pick<UpdateOptions, "folder" | "today" | "now" | "base" | "env"> & { readonly path: string };

export type WorkerAnswer =
  | { readonly kind: "report"; readonly report: UpdateReport }
  | {
      readonly kind: "fault";
      readonly fault: {
        readonly kind: FaultKind;
        readonly code: string;
        readonly message: string;
        readonly where: string | undefined;
        readonly hint: string | undefined;
      };
    };

/** In the sources the thread is TypeScript, in the package JavaScript. */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);

/** @throws Fault, as `updateCatalogue`. */
export async function updateInWorker(task: WorkerTask): Promise<UpdateReport> {
  const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
    const worker = new Worker(THREAD, { workerData: { ...task, env: { ...task.env } } });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the update's thread ended with ${code} and no answer`)));
  });
  if (answer.kind === "report") return { ...answer.report, bytes: Buffer.from(answer.report.bytes) };
  const { kind, where, hint, ...rest } = answer.fault;
  throw new Fault(kind, { ...rest, ...(where !== undefined && { where }), ...(hint !== undefined && { hint }) });
}
