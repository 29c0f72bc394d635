/**
 * The background jobs of the server. Exclusive jobs take a lease, so that only one of the processes that share a store
 * runs them at a time. Other jobs lease single rows. A failed job is logged and runs again after its interval.
 */
import { randomUUID } from "node:crypto";
import type { Store } from "../store/store.ts";
import { DAY, HOUR, MINUTE, SECOND, utcDay, type Clock } from "../clock.ts";
import type { Log } from "./log.ts";

export interface ServiceJob {
  readonly name: string;
  /** Milliseconds between two checks whether the job is due. */
  readonly every: number;
  /** Whether only one process at a time may run it, and only when it is `due`. */
  readonly exclusive: boolean;
  /** For exclusive jobs: whether a run is due at `now` if the last successful one ended at `ranAt` (UTC milliseconds). */
  readonly due?: (now: number, ranAt: number) => boolean;
  /** Runs once at the start of the process, even if it is not due. */
  readonly atStart?: boolean;
  /** Returns figures of the run, which are logged. */
  readonly run: () => Promise<object>;
}

export interface Jobs {
  start(): void;
  /** Runs a job now, even if it is not due. If another process is running it, it runs later. Simultaneous calls share one run. */
  wake(name: string): Promise<void>;
  /** Starts no more runs and waits for those in progress. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: readonly ServiceJob[];
  /** Returns 0 to 1. Spreads the runs of processes that started at the same time. */
  readonly random?: () => number;
}

/** Duration of a lease. A longer run extends its lease; after a crash, another process can take over when it expires. */
const LEASE = MINUTE;
const EXTEND = 15 * SECOND;

export function createJobs(options: JobsOptions): Jobs {
  const { jobs, random = Math.random } = options;
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  /** Names of jobs whose next run takes place even if it is not due. */
  const forced = new Set(jobs.filter(({ atStart }) => atStart).map(({ name }) => name));
  const runJob = createRunner(options, forced);

  const once = (job: ServiceJob): Promise<void> => {
    const current = running.get(job.name);
    if (current) return current;
    const run = runJob(job).finally(() => running.delete(job.name));
    running.set(job.name, run);
    return run;
  };

  const schedule = (job: ServiceJob, pause: number): void => {
    if (stopped) return;
    const timer = setTimeout(() => {
      void once(job).then(() => schedule(job, job.every * (0.95 + random() / 10)));
    }, pause);
    // A pending timer does not keep the process alive.
    timer.unref();
    timers.set(job.name, timer);
  };

  return {
    start() {
      for (const job of jobs) schedule(job, Math.min(job.every, SECOND) * random());
    },
    async wake(name) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (!job || stopped) return;
      // A run in progress may have started before the event that woke it.
      await running.get(name);
      forced.add(name);
      await once(job);
    },
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}

/** Returns a function that runs a job once and logs a failure. An exclusive job holds its lease during the run. */
function createRunner({ store, clock, log }: JobsOptions, forced: Set<string>): (job: ServiceJob) => Promise<void> {
  const owner = randomUUID();

  const runExclusively = async (job: ServiceJob): Promise<void> => {
    const { ranAt } = (await store.jobs.get(job.name)) ?? { ranAt: null };
    if (!forced.has(job.name) && ranAt !== null && job.due?.(clock(), ranAt) === false) return;
    if (!(await store.jobs.acquire(job.name, owner, clock(), clock() + LEASE))) return;
    const extending = setInterval(() => {
      store.jobs.acquire(job.name, owner, clock(), clock() + LEASE).catch(() => undefined);
    }, EXTEND);
    let succeededAt: number | null = null;
    try {
      forced.delete(job.name);
      const outcome = await job.run();
      succeededAt = clock();
      log.info({ job: job.name, ...outcome }, "job done");
    } finally {
      clearInterval(extending);
      if (succeededAt === null) forced.add(job.name);
      await store.jobs.release(job.name, owner, succeededAt);
    }
  };

  return async (job) => {
    try {
      if (!job.exclusive) await job.run();
      else await runExclusively(job);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ job: job.name, reason }, "job failed");
    }
  };
}

export interface StandardJobs {
  readonly store: Store;
  readonly clock: Clock;
  readonly sendMails: () => Promise<object>;
  readonly sendAlerts: () => Promise<object>;
  /** Loads a newer catalogue; absent if the server does not refresh its catalogue. `every`: milliseconds. */
  readonly refresh?: { readonly every: number; readonly run: () => Promise<object> };
}

/** Retention of sent mails; payment events are kept three times as long. */
const KEEP = 30 * DAY;

export function standardJobs({ store, clock, sendMails, sendAlerts, refresh }: StandardJobs): readonly ServiceJob[] {
  const alerts: ServiceJob = {
    name: "alerts",
    every: MINUTE,
    exclusive: true,
    // Runs once a UTC day and after each refresh. It also runs at the start, in case a process ended after a refresh.
    atStart: true,
    due: (now, ranAt) => utcDay(now) !== utcDay(ranAt),
    run: sendAlerts,
  };
  const prune: ServiceJob = {
    name: "prune",
    every: HOUR,
    exclusive: true,
    due: (now, ranAt) => Math.abs(now - ranAt) >= HOUR / 2,
    run: async () => ({
      // A process whose clock is behind may still use the counters of yesterday.
      allowances: await store.allowances.prune(utcDay(clock() - DAY)),
      pending: await store.watch.dropExpired(clock()),
      mails: await store.outbox.prune(clock() - KEEP),
      events: await store.payments.pruneEvents(clock() - 3 * KEEP),
    }),
  };
  const mails: ServiceJob = { name: "mails", every: 2 * SECOND, exclusive: false, run: sendMails };
  return [mails, alerts, prune, ...(refresh ? [refreshJob(refresh)] : [])];
}

function refreshJob({ every, run }: { readonly every: number; readonly run: () => Promise<object> }): ServiceJob {
  // Checked more often than it is due, so that another process soon takes over if the first one fails.
  return {
    name: "refresh",
    every: every / 12,
    exclusive: true,
    due: (now, ranAt) => Math.abs(now - ranAt) >= every,
    run,
  };
}
