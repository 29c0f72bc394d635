/** Processes a list of subjects concurrently, and returns the results in the order of the list. */

/** Does the work for one subject at a time. */
export interface Lane<Subject, Result> {
  run(subject: Subject): Promise<Result>;
}

/** Number of results per lane that may wait for an earlier one. It limits the memory while one subject takes long. */
const AHEAD_PER_LANE = 4;

/**
 * Calls `take` once for each subject, in order, and waits for it before the next call. The first failure of a lane or of
 * `take` ends the run: no further subject is started, and the promise rejects with it.
 */
export async function runInOrder<Subject, Result>(
  subjects: readonly Subject[],
  lanes: readonly Lane<Subject, Result>[],
  take: (result: Result, index: number) => Promise<void>,
): Promise<void> {
  const waiting = subjects.values();
  const free = [...lanes];
  /** Started, and not yet passed to `take`, in order. */
  const begun: Promise<Result>[] = [];
  let hasFailed = false;
  const begin = (): void => {
    while (free.length > 0 && begun.length < lanes.length * AHEAD_PER_LANE) {
      const next = waiting.next();
      const lane = next.done === true ? undefined : free.pop();
      if (next.done === true || lane === undefined) return;
      begun.push(runOn(lane, next.value, release));
    }
  };
  const release = (lane: Lane<Subject, Result>): void => {
    free.push(lane);
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
  lane: Lane<Subject, Result>,
  subject: Subject,
  release: (lane: Lane<Subject, Result>) => void,
): Promise<Result> {
  const work = lane.run(subject);
  // The lane is free for another subject; a failure is reported where its result is taken.
  work.then(
    () => release(lane),
    () => undefined,
  );
  return work;
}
