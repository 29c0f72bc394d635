/** Runs in a worker thread: reads, resolves and assesses large documents without blocking other requests. */
import { parentPort } from "node:worker_threads";
import { parseCatalogue } from "../../catalogue/load.ts";
import type { IsoDate } from "../../text/ids.ts";
import { linksUnder } from "../../wire/links.ts";
import { createLocal, type LocalOperations } from "../../api/operations/local.ts";
import { type ErrorMessage, releaseBytes, toMessage } from "../../platform/thread.ts";
import { work, type DocumentJob, type DocumentOutcome } from "./work.ts";

/** The catalogue, day and address for all following jobs. */
export interface WorkerContext {
  readonly catalogue: Uint8Array;
  readonly asOf: IsoDate;
  readonly publicUrl: string;
}

export type ToWorker = { readonly setting: WorkerContext } | { readonly job: DocumentJob };
export type FromWorker = { readonly outcome: DocumentOutcome } | { readonly problem: ErrorMessage };

let local: LocalOperations | undefined;

function settle({ catalogue, asOf, publicUrl }: WorkerContext): void {
  const bytes = Buffer.from(catalogue.buffer, catalogue.byteOffset, catalogue.byteLength);
  local = createLocal({ catalogue: parseCatalogue(bytes, "served"), asOf, links: linksUnder(publicUrl) });
}

async function answer(job: DocumentJob): Promise<FromWorker> {
  try {
    if (!local) throw new Error("a job arrived before its settings");
    const outcome = await work(job, local);
    if (!(outcome instanceof Uint8Array) || outcome.buffer !== job.bytes.buffer) releaseBytes(job.bytes);
    return { outcome };
  } catch (error) {
    return { problem: toMessage(error) };
  }
}

/** Sends the outcome to the main thread. Bytes are transferred, not copied. */
function send(reply: FromWorker): void {
  const bytes = "outcome" in reply && reply.outcome instanceof Uint8Array ? [reply.outcome.buffer] : [];
  parentPort?.postMessage(reply, bytes);
}

parentPort?.on("message", (message: ToWorker) => {
  if ("setting" in message) settle(message.setting);
  else void answer(message.job).then(send);
});
