/**
 * The background jobs of the server. Each job runs in one process at a time over all that share the store (a lease),
 * except those whose work is leased row by row. A job that fails is logged and tried again at its next turn.
 */
import { randomUUID } from "node:crypto";
import type { Store } from "../store/store.ts";
import { DAY, HOUR, MINUTE, SECOND, utcDay } from "./clock.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export interface Job {
  readonly name: string;
  /** Milliseconds between two looks at whether it is due. */
  readonly every: number;
  /** Only one process at a time, and not again before `dueAfter`. */
  readonly alone: boolean;
  /** For jobs that run alone: whether a run at `now` is due when the last good one was at `ranAt`. */
  readonly due?: (now: number, ranAt: number) => boolean;
  /** Runs once at the start, due or not. */
  readonly atStart?: boolean;
  readonly run: () => Promise<JobOutcome>;
}

/** Figures for the log. */
export type JobOutcome = object & {
  /** Why a run ended before its work was done: it is repeated at the next turn. */
  readonly ended?: string;
};

export interface Jobs {
  start(): void;
  /** Runs a job now, due or not; when another process is at it, at a turn after that. Calls at once are one run. */
  wake(name: string): Promise<void>;
  /** Starts no more runs and waits for those under way. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: readonly Job[];
  /** 0 to 1: spreads the turns of processes that were started together. */
  readonly random?: () => number;
}

/** The lease of a job. The jobs of a crashed process are free after this time; a longer run extends its lease. */
const LEASE = MINUTE;
const EXTEND = 15 * SECOND;

export function createJobs(options: JobsOptions): Jobs {
  const { jobs, random = Math.random } = options;
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  /** Jobs that run at their next turn, due or not. */
  const forced = new Set(jobs.filter(({ atStart }) => atStart).map(({ name }) => name));
  const guarded = createRunner(options, forced);

  const once = (job: Job): Promise<void> => {
    const current = running.get(job.name);
    if (current) return current;
    const run = guarded(job).finally(() => running.delete(job.name));
    running.set(job.name, run);
    return run;
  };

  const turn = (job: Job, pause: number): void => {
    if (stopped) return;
    const timer = setTimeout(() => {
      void once(job).then(() => turn(job, job.every * (0.95 + random() / 10)));
    }, pause);
    // A pending timer does not keep the process alive.
    timer.unref();
    timers.set(job.name, timer);
  };

  return {
    start() {
      for (const job of jobs) turn(job, Math.min(job.every, SECOND) * random());
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

/** Runs a job once and logs a failure. A job that runs alone keeps its lease meanwhile. */
function createRunner({ store, clock, log }: JobsOptions, forced: Set<string>): (job: Job) => Promise<void> {
  const owner = randomUUID();

  const alone = async (job: Job): Promise<void> => {
    const { ranAt } = (await store.jobs.get(job.name)) ?? { ranAt: null };
    if (!forced.has(job.name) && ranAt !== null && job.due?.(clock(), ranAt) === false) return;
    if (!(await store.jobs.acquire(job.name, owner, clock(), clock() + LEASE))) return;
    const extending = setInterval(() => {
      store.jobs.acquire(job.name, owner, clock(), clock() + LEASE).catch(() => undefined);
    }, EXTEND);
    let done: number | null = null;
    try {
      forced.delete(job.name);
      const outcome = await job.run();
      if (outcome.ended === undefined) done = clock();
      log.info({ job: job.name, ...outcome }, "job done");
    } finally {
      clearInterval(extending);
      if (done === null) forced.add(job.name);
      await store.jobs.release(job.name, owner, done);
    }
  };

  return async (job) => {
    try {
      if (!job.alone) await job.run();
      else await alone(job);
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
  /** Brings a newer catalogue; absent when the server does not refresh. */
  readonly refresh?: { readonly every: number; readonly run: () => Promise<object> };
  /** Looks at the packages of watch lists; absent when no source of support levels is configured. */
  readonly watchPackages?: () => Promise<JobOutcome>;
}

/** Mails that were sent, and payment events, are kept this long. */
const KEEP = 30 * DAY;

export function standardJobs({
  store,
  clock,
  sendMails,
  sendAlerts,
  refresh,
  watchPackages,
}: StandardJobs): readonly Job[] {
  const alerts: Job = {
    name: "alerts",
    every: MINUTE,
    alone: true,
    // Once a UTC day; a refresh wakes it besides, and the start, because a process may have ended between the two.
    atStart: true,
    due: (now, ranAt) => utcDay(now) !== utcDay(ranAt),
    run: sendAlerts,
  };
  const prune: Job = {
    name: "prune",
    every: HOUR,
    alone: true,
    due: (now, ranAt) => Math.abs(now - ranAt) >= HOUR / 2,
    run: async () => ({
      // Yesterday's counters are still asked for by a process whose clock is behind.
      allowances: await store.allowances.prune(utcDay(clock() - DAY)),
      pending: await store.watch.dropExpired(clock()),
      mails: await store.outbox.prune(clock() - KEEP),
      events: await store.payments.pruneEvents(clock() - 3 * KEEP),
    }),
  };
  const mails: Job = { name: "mails", every: 2 * SECOND, alone: false, run: sendMails };
  return [
    mails,
    alerts,
    prune,
    ...(refresh ? [refreshJob(refresh)] : []),
    ...(watchPackages ? [packagesJob(watchPackages)] : []),
  ];
}

function refreshJob({ every, run }: { readonly every: number; readonly run: () => Promise<object> }): Job {
  // Looked at more often than it is due, so that another process takes over soon where the first one fails.
  return { name: "refresh", every: every / 12, alone: true, due: (now, ranAt) => Math.abs(now - ranAt) >= every, run };
}

/**
 * Once a day, counted from the last run and not from midnight, so that the sources are not asked by all servers at the
 * same time. A run that fails, or ends before the last list, is repeated after an hour.
 */
function packagesJob(run: () => Promise<JobOutcome>): Job {
  return { name: "packages", every: HOUR, alone: true, due: (now, ranAt) => Math.abs(now - ranAt) >= DAY, run };
}
