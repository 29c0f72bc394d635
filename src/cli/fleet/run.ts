/** `eolgate check` over many files, on all cores: plans the run, and starts the threads. See docs/fleet.md. */
import { availableParallelism } from "node:os";
import type { FleetWorker } from "../../api/fleet.ts";
import type { Catalogue } from "../../model/index.ts";
import type { Invocation } from "../../shell/command.ts";
import { type Settings, stringValue } from "../../shell/settings.ts";
import { refuseOverwriting, refuseSharedPaths } from "../planned-outputs.ts";
import { formatFailedDocument } from "../start/format-error.ts";
import { withSupport } from "../signals.ts";
import { type CheckedFile, createChecker } from "./checker.ts";
import { type RunPlan, checkAll } from "./check-all.ts";
import type { Fleet } from "./plan.ts";
import type { Worker } from "node:worker_threads";
import { EolgateError } from "../../messages/error.ts";
import { type ErrorMessage, fromMessage, startThread } from "../../platform/thread.ts";

/** Documents per thread: starting a thread takes as long as checking about a dozen documents. */
const DOCUMENTS_FOR_A_THREAD = 8;

export async function runFleet(
  invocation: Invocation,
  settings: Settings,
  catalogue: Catalogue,
  fleet: Fleet,
): Promise<number> {
  const { io } = invocation;
  const { files, outputs } = fleet;
  refuseOverwriting(
    outputs.paths,
    files.map((file) => ({ file })),
    settings,
    io.cwd,
  );
  refuseSharedPaths(outputs.documentReports, files);
  const plan: RunPlan = { ...fleet, subjects: files };
  const result = await withSupport(io, settings, catalogue, async (determineSupport) => {
    const { format } = fleet;
    const options = { catalogue, format, reports: outputs.documentReports, determineSupport };
    const checker = await createChecker(invocation, settings, options);
    const threads = threadCount(settings, fleet);
    if (threads < 2) return checkAll(invocation, settings, plan, { checker, workers: [checker.check] });
    const { workers, stop } = startThreads(threads, invocation);
    try {
      return await checkAll(invocation, settings, plan, { checker, workers });
    } finally {
      await stop();
    }
  });
  for (const failed of result.failed) io.err(formatFailedDocument(failed));
  return result.exit.code;
}

/** One thread if a service or sources are asked, because their rate limits apply. */
function threadCount({ values, policy }: Settings, { files, jobs }: Fleet): number {
  if (stringValue(values["api"]) !== undefined || policy.signals !== "off") return 1;
  return jobs ?? Math.min(availableParallelism(), Math.floor(files.length / DOCUMENTS_FOR_A_THREAD));
}

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
    workers: threads.map((thread) => (file) => checkIn(thread, file)),
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
