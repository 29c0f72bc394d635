/**
 * Processes documents: small ones on the event loop, large ones in worker threads, each with a memory limit and a
 * deadline. If the queue is full, requests are refused before their bodies are read.
 */
import { availableParallelism } from "node:os";
import { EolgateError } from "../../messages/error.ts";
import { SECOND } from "../clock.ts";
import type { Editions, Edition } from "../http/editions.ts";
import type { CheckedDocument, DocumentRequest, Documents, WatchContent } from "../services.ts";
import { work, type DocumentJob, type DocumentOutcome, ownBytes } from "./work.ts";
import type { Worker } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./documents-worker.ts";
import { fromMessage, startThread } from "../../platform/thread.ts";

export interface PoolOptions {
  readonly editions: Editions;
  readonly publicUrl: string;
  /** Threads for large documents. Default: the number of cores, at most `MAX_THREADS`. */
  readonly threads?: number;
  /** Bytes from which a document is processed in a thread. The default has about 150 components and takes one or two milliseconds. */
  readonly bigFrom?: number;
  /** Milliseconds for one document. */
  readonly deadline?: number;
  /** Maximum length of the queue. */
  readonly maxWaiting?: number;
}

/** Limits memory: each thread has its own catalogue. */
const MAX_THREADS = 4;

const DEFAULTS = { bigFrom: 128 * 1024, deadline: 50 * SECOND, maxWaiting: 32 };

interface Waiting {
  readonly job: DocumentJob;
  readonly resolve: (outcome: DocumentOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

export function createDocuments(options: PoolOptions): Documents {
  const cores = Math.min(MAX_THREADS, availableParallelism());
  const settings: ThreadsOptions = { threads: cores, ...DEFAULTS, ...options };
  const threads = createThreads(settings);
  const run = (job: DocumentJob): Promise<DocumentOutcome> =>
    job.bytes.length < settings.bigFrom ? work(job, options.editions.current().local) : threads.run(job);
  return {
    busy: threads.busy,
    warm: threads.warm,
    close: threads.close,
    sbom: async (question) => asBytes(await run(jobOf("sbom", question))),
    enrich: async (question) => asBytes(await run(jobOf("enrich", question))),
    check: async (question) => asChecked(await run({ kind: "check", ...question })),
    watch: async (bytes) => asWatch(await run({ kind: "watch", bytes })),
  };
}

type ThreadsOptions = Required<PoolOptions>;

interface DocumentThreads extends Pick<Documents, "busy" | "warm" | "close"> {
  run(job: DocumentJob): Promise<DocumentOutcome>;
}

/** A queue with threads, which are started on demand and reused. */
function createThreads(settings: ThreadsOptions): DocumentThreads {
  const pool: Pool = { waiting: [], idle: [], all: new Set() };
  let closed = false;
  const busy = (): boolean => pool.waiting.length >= settings.maxWaiting;
  return {
    busy,
    warm() {
      if (pool.all.size === 0) pool.idle.push(start(pool, settings));
    },
    run(job) {
      if (closed || busy()) return Promise.reject(tooManyDocuments());
      return new Promise((resolve, reject) => {
        pool.waiting.push({ job, resolve, reject });
        next(pool, settings);
      });
    },
    async close() {
      closed = true;
      for (const { reject } of pool.waiting.splice(0)) reject(tooManyDocuments());
      await Promise.all([...pool.all].map((thread) => thread.stop()));
    },
  };
}

interface Pool {
  readonly waiting: Waiting[];
  readonly idle: Thread[];
  readonly all: Set<Thread>;
}

function start({ all }: Pool, { editions, ...options }: ThreadsOptions): Thread {
  const thread = createThread(options);
  thread.prepare(editions.current());
  all.add(thread);
  return thread;
}

/** Starts the first queued job if there is one and a thread is available. */
function next(pool: Pool, settings: ThreadsOptions): void {
  const { waiting, idle, all } = pool;
  const thread = idle.pop() ?? (all.size < settings.threads ? start(pool, settings) : undefined);
  if (!thread) return;
  const first = waiting.shift();
  if (!first) {
    idle.push(thread);
    return;
  }
  const done = thread.run(first.job, settings.editions.current()).then(first.resolve, first.reject);
  void done.finally(() => {
    if (thread.alive()) idle.push(thread);
    else all.delete(thread);
    if (waiting.length > 0) next(pool, settings);
  });
}

const jobOf = (kind: DocumentJob["kind"], { input, cap }: DocumentRequest): DocumentJob => ({
  kind,
  bytes: input.document,
  strict: input.strict,
  warnDays: input.warn_days,
  cap,
});

function asBytes(outcome: DocumentOutcome): Uint8Array {
  if (outcome instanceof Uint8Array) return outcome;
  throw new TypeError("the worker answered with no bytes");
}
function asChecked(outcome: DocumentOutcome): CheckedDocument {
  if ("verdict" in outcome) return outcome;
  throw new TypeError("the worker answered with no checked document");
}
function asWatch(outcome: DocumentOutcome): WatchContent {
  if ("email" in outcome) return outcome;
  throw new TypeError("the worker answered with no watch list");
}

export const tooManyDocuments = (): EolgateError =>
  EolgateError.of("overloaded", { problem: "too many documents are waiting to be processed" });

// A worker thread that processes one document at a time, with a memory limit and a deadline.

const MEMORY_MB = 1536;

export interface Thread {
  /** Sends the catalogue and the day to the thread if they have changed. */
  prepare(edition: Edition): void;
  /** @throws EolgateError `too-large`, `internal`, and the errors of the job */
  run(job: DocumentJob, edition: Edition): Promise<DocumentOutcome>;
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
}

function createThread({ publicUrl, deadline }: ThreadOptions): Thread {
  const worker = startThread(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  worker.unref();
  // Between jobs there is no other listener, and an error event without a listener would end the process.
  worker.on("error", () => undefined);
  let tag = "";
  let alive = true;

  const prepare = (edition: Edition): void => {
    if (edition.tag === tag) return;
    const setting = { catalogue: edition.served.bytes(), asOf: edition.asOf, publicUrl };
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
const answerOf = (worker: Worker, job: DocumentJob, deadline: number): Promise<DocumentOutcome> =>
  new Promise((resolve, reject) => {
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

function post(worker: Worker, message: ToWorker, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}

const tookTooLong = (): EolgateError =>
  EolgateError.of("too-large", { problem: "reading the document exceeded the time limit" });

function crashed(cause: Error | undefined): EolgateError {
  if (cause && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return EolgateError.of("too-large", { problem: "the document needs more memory than the limit" }, { cause });
  }
  return EolgateError.of(
    "internal",
    { problem: "the document worker ended unexpectedly" },
    { ...(cause && { cause }) },
  );
}
