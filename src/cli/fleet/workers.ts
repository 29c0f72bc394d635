/** The threads in which the documents of a run are checked. */
import type { Worker } from "node:worker_threads";
import type { FleetWorker } from "../../api/fleet/in-order.ts";
import { EolgateError } from "../../messages/error.ts";
import { type ErrorMessage, fromMessage, startThread } from "../../platform/thread.ts";
import type { Invocation } from "../command.ts";
import type { CheckedFile } from "./checker.ts";

/** The data that a thread starts with. It reads the same settings and the same catalogue as the command itself. */
export interface ThreadContext {
  readonly flags: Invocation["flags"];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly today: string;
  readonly now: number;
}

export interface ToThread {
  readonly file: string;
}
export type FromThread = { readonly checked: CheckedFile } | { readonly problem: ErrorMessage };

export interface Threads {
  readonly workers: readonly FleetWorker<string, CheckedFile>[];
  stop(): Promise<void>;
}

/**
 * `.ts` from the sources, `.cjs` in the bundle, where it is in the same folder as this file
 * (`tools/command-bundle.ts`).
 */
const SCRIPT = new URL(`./fleet-worker.${import.meta.url.endsWith(".ts") ? "ts" : "cjs"}`, import.meta.url);

/**
 * V8 lets the space for new objects grow to 192 MB in each thread. 10,000 documents in two threads need 659 MB with
 * V8's limit and 390 MB with this one, without more CPU time.
 */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 };

export function startThreads(count: number, { io, flags }: Invocation): Threads {
  const context: ThreadContext = { flags, env: { ...io.env }, cwd: io.cwd, today: io.today(), now: io.now() };
  const threads = Array.from({ length: count }, () =>
    startThread(SCRIPT, { workerData: context, resourceLimits: RESOURCE_LIMITS }),
  );
  return {
    workers: threads.map((thread) => ({ run: (file) => checkIn(thread, file) })),
    stop: async () => {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/**
 * Checks one file in a thread. A thread that ends unexpectedly ends the run, so that no document is missing without an
 * error.
 */
function checkIn(thread: Worker, file: string): Promise<CheckedFile> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      thread.off("message", answered).off("error", failed).off("exit", ended);
      act();
    };
    const answered = (reply: FromThread): void =>
      settle(() => ("checked" in reply ? resolve(reply.checked) : reject(fromMessage(reply.problem))));
    const failed = (cause: unknown): void => settle(() => reject(threadFailed(file, cause)));
    const ended = (): void => settle(() => reject(threadFailed(file, undefined)));
    thread.on("message", answered).on("error", failed).on("exit", ended);
    thread.postMessage({ file } satisfies ToThread, []);
  });
}

const threadFailed = (file: string, cause: unknown): EolgateError =>
  EolgateError.of(
    "internal",
    {
      problem: `the thread that checked this document failed: ${cause instanceof Error ? cause.message : "it ended"}`,
      advice:
        "Run the command again with --jobs 1. If that fails too, the document needs more memory than is available.",
    },
    { where: file, cause },
  );
