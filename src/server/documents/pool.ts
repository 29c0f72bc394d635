/**
 * Documents for the server: small ones at once, big ones in worker threads, each with a memory limit and a deadline.
 * When too many wait, the next is refused with a retry hint before its body is read.
 */
import { Worker } from "node:worker_threads";
import { EolgateError } from "../../core/errors.ts";
import { SECOND } from "../clock.ts";
import type { Edition, Editions } from "../editions.ts";
import type { DocumentQuestion, Documents, WatchQuestion } from "./documents.ts";
import { fromMessage, work, type Job, type Outcome } from "./work.ts";
import type { FromWorker, ToWorker } from "./documents-worker.ts";

export interface PoolOptions {
  readonly editions: Editions;
  readonly publicUrl: string;
  /** Threads that read big documents. */
  readonly threads?: number;
  /** Documents from this size on leave the event loop: at 0.8 KB a component, some 150 of them take a millisecond or two. */
  readonly bigFrom?: number;
  readonly deadline?: number;
  readonly maxWaiting?: number;
}

const DEFAULTS = { threads: 1, bigFrom: 128 * 1024, deadline: 50 * SECOND, maxWaiting: 32 };
const MEMORY_MB = 1536;

interface Waiting {
  readonly job: Job;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
}

export function createDocuments(options: PoolOptions): Documents {
  const { editions, publicUrl, threads, bigFrom, deadline, maxWaiting } = { ...DEFAULTS, ...options };
  const waiting: Waiting[] = [];
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  let closed = false;

  const busy = (): boolean => waiting.length >= maxWaiting;

  function run(job: Job): Promise<Outcome> {
    if (job.bytes.length < bigFrom) return work(job, editions.current().local);
    if (closed || busy()) return Promise.reject(tooManyDocuments());
    return new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      next();
    });
  }

  function next(): void {
    const thread = idle.pop() ?? (all.size < threads ? start() : undefined);
    const first = thread && waiting.shift();
    if (!thread) return;
    if (!first) {
      idle.push(thread);
      return;
    }
    void thread
      .run(first.job, editions.current())
      .then(first.resolve, first.reject)
      .finally(() => {
        if (thread.alive()) idle.push(thread);
        else all.delete(thread);
        if (waiting.length > 0) next();
      });
  }

  function start(): Thread {
    const thread = createThread(publicUrl, deadline);
    thread.prepare(editions.current());
    all.add(thread);
    return thread;
  }

  return {
    busy,
    warm() {
      if (all.size === 0) idle.push(start());
    },
    sbom: async (question) => asText(await run(jobOf("sbom", question))),
    enrich: async (question) => asBytes(await run(jobOf("enrich", question))),
    watch: async (bytes) => asWatch(await run({ kind: "watch", bytes })),
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(tooManyDocuments());
      await Promise.all([...all].map((thread) => thread.stop()));
    },
  };
}

const jobOf = (kind: Job["kind"], { input, cap }: DocumentQuestion): Job => ({
  kind,
  bytes: input.document,
  strict: input.strict,
  warnDays: input.warn_days,
  cap,
});

interface Thread {
  /** Hands over the catalogue and the day, when they are other ones than before. */
  prepare(edition: Edition): void;
  run(job: Job, edition: Edition): Promise<Outcome>;
  alive(): boolean;
  stop(): Promise<unknown>;
}

/** `.ts` from the sources, `.js` in the bundle, where it stands beside this file too (`tools/bundle-command.ts`). */
const SCRIPT = new URL(`./documents-worker.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

function createThread(publicUrl: string, deadline: number): Thread {
  const worker = new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  worker.unref();
  // Between jobs there is no other listener, and an error without a listener would end the process.
  worker.on("error", () => undefined);
  let tag = "";
  let alive = true;
  const tell = (message: ToWorker, transfer: ArrayBuffer[] = []): void => worker.postMessage(message, transfer);

  const prepare = (edition: Edition): void => {
    if (edition.tag === tag) return;
    tell({ setting: { catalogue: edition.served.bytes(), asOf: edition.asOf, publicUrl } });
    tag = edition.tag;
  };

  return {
    prepare,
    alive: () => alive,
    stop: () => worker.terminate(),
    run: (job, edition) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => end(tookTooLong()), deadline);
        const settled = (): void => {
          clearTimeout(late);
          worker.off("message", heard).off("error", failed).off("exit", left);
        };
        const end = (reason: EolgateError): void => {
          alive = false;
          settled();
          void worker.terminate();
          reject(reason);
        };
        const heard = (reply: FromWorker): void => {
          settled();
          if ("problem" in reply) reject(fromMessage(reply.problem));
          else resolve(reply.outcome);
        };
        const failed = (cause: Error): void => end(crashed(cause));
        const left = (): void => end(crashed(undefined));
        worker.on("message", heard).on("error", failed).on("exit", left);
        prepare(edition);
        const bytes = ownBytes(job.bytes);
        tell({ job: { ...job, bytes } }, [bytes.buffer]);
      }),
  };
}

/** Bytes alone in their buffer, so that they can be handed to another thread without a copy there. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return new Uint8Array(buffer);
  return new Uint8Array(bytes);
}

function asText(outcome: Outcome): string {
  if (typeof outcome === "string") return outcome;
  throw new TypeError("the worker answered with no text");
}
function asBytes(outcome: Outcome): Uint8Array {
  if (outcome instanceof Uint8Array) return outcome;
  throw new TypeError("the worker answered with no bytes");
}
function asWatch(outcome: Outcome): WatchQuestion {
  if (typeof outcome === "object" && "lines" in outcome) return outcome;
  throw new TypeError("the worker answered with no watch list");
}

export const tooManyDocuments = (): EolgateError => EolgateError.of("documents-busy", {});

const tookTooLong = (): EolgateError => EolgateError.of("document-timeout", {});

function crashed(cause: Error | undefined): EolgateError {
  if (cause && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return EolgateError.of("document-memory", {}, { cause });
  }
  return EolgateError.of("worker-crashed", {}, { ...(cause && { cause }) });
}
