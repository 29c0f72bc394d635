/** Processes a list of subjects concurrently, and returns the results in the order of the list. */

/** Does the work for one subject at a time. */
export interface FleetWorker<Subject, Result> {
  run(subject: Subject): Promise<Result>;
}

/** Number of results per worker that may wait for an earlier one. It limits the memory while one subject takes long. */
const AHEAD_PER_WORKER = 4;

/**
 * Calls `take` once for each subject, in order, and waits for it before the next call. The first failure of a worker or of
 * `take` ends the run: no further subject is started, and the promise rejects with it.
 */
export async function runInOrder<Subject, Result>(
  subjects: readonly Subject[],
  workers: readonly FleetWorker<Subject, Result>[],
  take: (result: Result, index: number) => Promise<void>,
): Promise<void> {
  const waiting = subjects.values();
  const free = [...workers];
  /** Started, and not yet passed to `take`, in order. */
  const begun: Promise<Result>[] = [];
  let hasFailed = false;
  const begin = (): void => {
    while (free.length > 0 && begun.length < workers.length * AHEAD_PER_WORKER) {
      const next = waiting.next();
      const worker = next.done === true ? undefined : free.pop();
      if (next.done === true || worker === undefined) return;
      begun.push(runOn(worker, next.value, release));
    }
  };
  const release = (worker: FleetWorker<Subject, Result>): void => {
    free.push(worker);
    if (!hasFailed) begin();
  };
  begin();
  let index = 0;
  try {
    for (let first = begun.shift(); first !== undefined; first = begun.shift()) {
      const result = await first;
      begin();
      await take(result, index);
      index += 1;
    }
  } catch (error) {
    hasFailed = true;
    throw error;
  }
}

function runOn<Subject, Result>(
  worker: FleetWorker<Subject, Result>,
  subject: Subject,
  release: (worker: FleetWorker<Subject, Result>) => void,
): Promise<Result> {
  const work = worker.run(subject);
  // The worker is free for another subject; a failure is reported where its result is taken.
  work.then(
    () => release(worker),
    () => undefined,
  );
  return work;
}
