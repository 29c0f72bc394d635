/** Helpers of signal sources: creating outcomes, limited concurrency, grouping by package. */
import type { Evidence, SignalSourceName } from "../model/index.ts";
import type { SignalsResponse } from "./http.ts";
import type { Answer, QueryContext, Outcome, Subject } from "./source.ts";

/** An answer without the day, which is the same for all answers of a run. */
export type Reading = Omit<Answer, "retrievedAt">;

export const NOT_FOUND: Reading = { found: false, evidence: [] };

/** Evidence without the fields that all entries of one source share. */
export type StatedEvidence = Omit<Evidence, "source" | "retrievedAt">;

export const answered = (key: string, reading: Reading, { today }: QueryContext): Outcome => ({
  key,
  answer: { ...reading, retrievedAt: today },
});

type Failure = Extract<SignalsResponse, { readonly kind: "failed" }>;

export const unanswered = (
  key: string,
  source: SignalSourceName,
  { reason, detail }: Omit<Failure, "kind">,
): Outcome => ({
  key,
  unanswered: { source, reason, detail },
});

/** Add the source and the day to each statement; undefined entries are skipped. */
export function evidenceOf(
  source: SignalSourceName,
  { today }: QueryContext,
  stated: readonly (StatedEvidence | undefined)[],
): readonly Evidence[] {
  return stated.flatMap((each) => (each === undefined ? [] : [{ source, retrievedAt: today, ...each }]));
}

/** Process the items, at most `width` at a time. Yields results in the order of completion. */
export async function* concurrently<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running = new Map<number, Promise<readonly [id: number, result: R]>>();
  let next = 0;
  const start = (): void => {
    for (; next < items.length && running.size < width; next += 1) {
      const id = next;
      const item = items[id];
      if (item !== undefined)
        running.set(
          id,
          work(item).then((result) => [id, result] as const),
        );
    }
  };
  start();
  while (running.size > 0) {
    const [id, result] = await Promise.race(running.values());
    running.delete(id);
    start();
    yield result;
  }
}

/** Group subjects by package: a registry returns all versions of a package in one response. */
export function byPackage(subjects: readonly Subject[]): readonly (readonly Subject[])[] {
  const groups = new Map<string, Subject[]>();
  for (const subject of subjects) {
    const id = `${subject.package?.type}/${subject.package?.path}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [subject]);
    else group.push(subject);
  }
  return [...groups.values()];
}

/** Encode each segment of a package path for a URL. */
export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
