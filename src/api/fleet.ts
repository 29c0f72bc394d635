/** Runs over many documents: the work is done concurrently and its results are taken in order. */

/** Does the work for one subject at a time. */
export type FleetWorker<Subject, Result> = (subject: Subject) => Promise<Result>;

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
  const started: Promise<Result>[] = [];
  let hasFailed = false;
  const begin = (): void => {
    while (started.length < workers.length * AHEAD_PER_WORKER) {
      const worker = free.pop();
      if (worker === undefined) return;
      const next = waiting.next();
      if (next.done === true) return;
      const work = worker(next.value);
      started.push(work);
      // The worker is free for another subject; a failure is reported where its result is taken.
      const release = (): void => {
        free.push(worker);
        if (!hasFailed) begin();
      };
      work.then(release, () => undefined);
    }
  };
  begin();
  let index = 0;
  try {
    for (let first = started.shift(); first !== undefined; first = started.shift()) {
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
