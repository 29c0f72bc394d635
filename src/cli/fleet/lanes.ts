/** Where the documents of a run are checked: in this thread, or in several threads at the same time. */
import type { Worker } from "node:worker_threads";
import type { Lane } from "../../api/fleet/in-order.ts";
import { EolgateError } from "../../core/errors.ts";
import { startThread } from "../../platform/start-thread.ts";
import { fromMessage, type ErrorMessage } from "../../platform/thread-error.ts";
import type { Invocation } from "../command.ts";
import type { JudgedFile } from "./judge.ts";

/** What a thread is started with: it reads the same settings and the same catalogue as the command itself. */
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
export type FromThread = { readonly judged: JudgedFile } | { readonly problem: ErrorMessage };

export interface Threads {
  readonly lanes: readonly Lane<string, JudgedFile>[];
  stop(): Promise<void>;
}

/** `.ts` from the sources, `.cjs` in the bundle, where it is next to this file too (`tools/command-bundle.ts`). */
const SCRIPT = new URL(`./fleet-worker.${import.meta.url.endsWith(".ts") ? "ts" : "cjs"}`, import.meta.url);

/**
 * V8 lets the space for new objects grow to 192 MB in each thread, and a thread that is busy for minutes uses it.
 * 10,000 documents in two threads: 659 MB with V8's limit, 390 MB with this one and no more CPU time.
 */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 };

export function startThreads(count: number, { io, flags }: Invocation): Threads {
  const context: ThreadContext = { flags, env: { ...io.env }, cwd: io.cwd, today: io.today(), now: io.now() };
  const workers = Array.from({ length: count }, () =>
    startThread(SCRIPT, { workerData: context, resourceLimits: RESOURCE_LIMITS }),
  );
  return {
    lanes: workers.map((worker) => ({ run: (file) => ask(worker, file) })),
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** One question at a time. A thread that dies ends the run: no document may be missing from it without a word. */
function ask(worker: Worker, file: string): Promise<JudgedFile> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      worker.off("message", answered).off("error", failed).off("exit", ended);
      act();
    };
    const answered = (reply: FromThread): void =>
      settle(() => ("judged" in reply ? resolve(reply.judged) : reject(fromMessage(reply.problem))));
    const failed = (cause: unknown): void => settle(() => reject(threadFailed(file, cause)));
    const ended = (): void => settle(() => reject(threadFailed(file, undefined)));
    worker.on("message", answered).on("error", failed).on("exit", ended);
    worker.postMessage({ file } satisfies ToThread, []);
  });
}

const threadFailed = (file: string, cause: unknown): EolgateError =>
  EolgateError.of(
    "thread-failed",
    { reason: cause instanceof Error ? cause.message : "it ended" },
    { where: file, cause },
  );
