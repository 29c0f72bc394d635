/** How sources make their outcomes, and the steps that several of them share. */
import type { Evidence, SignalSourceName } from "../core/model.ts";
import type { SignalsResponse } from "./http.ts";
import type { Answer, AskContext, Outcome, Subject } from "./source.ts";

/** What was read about one subject; the day is added for all alike. */
export type Reading = Omit<Answer, "retrievedAt">;

export const NOT_FOUND: Reading = { found: false, evidence: [] };

/** Evidence without what is the same in all entries of one source. */
export type Stated = Omit<Evidence, "source" | "retrievedAt">;

export const answered = (key: string, reading: Reading, { today }: AskContext): Outcome => ({
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

/** The evidence of a source from what it states; entries that are absent are left out. */
export function evidenceOf(
  source: SignalSourceName,
  { today }: AskContext,
  stated: readonly (Stated | undefined)[],
): readonly Evidence[] {
  return stated.flatMap((each) => (each === undefined ? [] : [{ source, retrievedAt: today, ...each }]));
}

/** Work on the items with at most `width` at a time; results come as they are ready. */
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

/** Subjects of the same package in one group, because a registry answers for all versions at once. */
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

/** The path of a package in an address: each segment encoded. */
export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
