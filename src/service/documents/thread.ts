/** A worker thread that processes one document at a time, with a memory limit and a deadline. */
import type { Worker } from "node:worker_threads";
import { EolgateError } from "../../messages/error.ts";
import type { Edition } from "../http/editions.ts";
import type { FromWorker, ToWorker } from "./documents-worker.ts";
import { startThread } from "../../platform/start-thread.ts";
import { fromMessage } from "../../platform/thread-error.ts";
import type { SignalsSettings } from "./signals.ts";
import { ownBytes, type Job, type Outcome, type PackagesJob } from "./work.ts";

const MEMORY_MB = 1536;

export interface Thread {
  /** Sends the catalogue and the day to the thread if they have changed. */
  prepare(edition: Edition): void;
  /** @throws EolgateError `document-timeout`, `document-memory`, `worker-crashed`, and the errors of the job */
  run(job: Job | PackagesJob, edition: Edition): Promise<Outcome>;
  /** False after a crash or a timeout: the thread cannot be used again. */
  alive(): boolean;
  stop(): Promise<unknown>;
}

/** The script of the worker: `.ts` in the sources, `.cjs` in the bundle (`tools/command-bundle.ts`). */
const SCRIPT = new URL(`./documents-worker.${import.meta.url.endsWith(".ts") ? "ts" : "cjs"}`, import.meta.url);

export interface ThreadOptions {
  readonly publicUrl: string;
  /** Milliseconds for one document. */
  readonly deadline: number;
  /** The sources of support levels; absent in threads that do not query them. */
  readonly signals?: SignalsSettings | undefined;
}

export function createThread({ publicUrl, deadline, signals }: ThreadOptions): Thread {
  const worker = startThread(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  worker.unref();
  // Between jobs there is no other listener, and an error event without a listener would end the process.
  worker.on("error", () => undefined);
  let tag = "";
  let alive = true;

  const prepare = (edition: Edition): void => {
    if (edition.tag === tag) return;
    const setting = { catalogue: edition.served.bytes(), asOf: edition.asOf, publicUrl, ...(signals && { signals }) };
    post(worker, { setting });
    tag = edition.tag;
  };

  return {
    prepare,
    alive: () => alive,
    stop: () => worker.terminate(),
    async run(job, edition) {
      prepare(edition);
      try {
        return await answerOf(worker, job, deadline);
      } catch (error) {
        if (!(error instanceof ThreadFailure)) throw error;
        alive = false;
        void worker.terminate();
        throw error.reason;
      }
    },
  };
}

/** The thread has failed and cannot be used again: it crashed, exited, or exceeded the deadline. */
class ThreadFailure extends Error {
  readonly reason: EolgateError;
  constructor(reason: EolgateError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Sends a job to the worker and waits for the outcome. @throws ThreadFailure, and the errors of the job */
function answerOf(worker: Worker, job: Job | PackagesJob, deadline: number): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(late);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    };
    const fail = (reason: EolgateError): void => {
      settle();
      reject(new ThreadFailure(reason));
    };
    const onMessage = (reply: FromWorker): void => {
      settle();
      if ("problem" in reply) reject(fromMessage(reply.problem));
      else resolve(reply.outcome);
    };
    const onError = (cause: Error): void => fail(crashed(cause));
    const onExit = (): void => fail(crashed(undefined));
    const late = setTimeout(() => fail(tookTooLong()), deadline);
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    const bytes = ownBytes(job.bytes);
    post(worker, { job: { ...job, bytes } }, [bytes.buffer]);
  });
}

function post(worker: Worker, message: ToWorker, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}

const tookTooLong = (): EolgateError => EolgateError.of("document-timeout", {});

function crashed(cause: Error | undefined): EolgateError {
  if (cause && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return EolgateError.of("document-memory", {}, { cause });
  }
  return EolgateError.of("worker-crashed", {}, { ...(cause && { cause }) });
}
