/** Queries one source through the cache. An answer that is too old is used only when the source does not answer. */
import type { PackageSignals } from "../model/index.ts";
import type { IsoDate } from "../text/ids.ts";
import { daysBetween } from "../lifecycle/days.ts";
import type { CacheEntry, SignalCache } from "./cache.ts";
import type { Answer, QueryContext, Outcome, SignalSource, Subject } from "./source.ts";

export interface CachedQueryOptions extends QueryContext {
  readonly cache?: SignalCache;
  /** Days after which a cached answer is requested again. */
  readonly maxAgeDays: number;
  /** Called when a write to the cache fails. The query continues without further writes. */
  readonly onCacheFailure?: (error: unknown) => void;
}

/** What one or several sources answered about one subject. */
export interface SubjectSignals extends PackageSignals {
  readonly repository?: string;
}

/** Answers per write: an interrupted run keeps the answers that were written before. */
const WRITE_EVERY = 500;

/** The signals of each subject that the source accepts, by `Subject.key`. */
export async function queryThroughCache(
  source: SignalSource,
  subjects: readonly Subject[],
  options: CachedQueryOptions,
): Promise<ReadonlyMap<string, SubjectSignals>> {
  const accepted = subjects.filter((subject) => source.accepts(subject));
  const keys = accepted.map(({ key }) => key);
  const cached = options.cache?.read(source.id, keys) ?? new Map<string, Answer>();
  const known = new Map<string, SubjectSignals>();
  const open: Subject[] = [];
  for (const subject of accepted) {
    const answer = cached.get(subject.key);
    if (answer !== undefined && isFresh(answer.retrievedAt, options)) known.set(subject.key, toSignals(answer, false));
    else open.push(subject);
  }
  if (open.length === 0) return known;
  const writer = createWriter(source.id, options);
  try {
    for await (const outcome of source.query(open, options)) {
      known.set(outcome.key, outcomeSignals(outcome, cached.get(outcome.key)));
      if ("answer" in outcome) writer.add(outcome.key, outcome.answer);
    }
  } finally {
    writer.flush();
  }
  return known;
}

const isFresh = (day: IsoDate, { today, maxAgeDays }: CachedQueryOptions): boolean =>
  daysBetween(day, today) <= maxAgeDays;

function outcomeSignals(outcome: Outcome, aged: Answer | undefined): SubjectSignals {
  if ("answer" in outcome) return toSignals(outcome.answer, false);
  if (aged !== undefined) return toSignals(aged, true);
  return { found: false, evidence: [], unanswered: [outcome.unanswered] };
}

/** @param isAged Whether the answer is older than the policy allows and is used because the source does not answer. */
export function toSignals({ found, evidence, repository }: Answer, isAged: boolean): SubjectSignals {
  return {
    found,
    evidence: isAged ? evidence.map((each) => ({ ...each, aged: true as const })) : evidence,
    unanswered: [],
    ...(repository !== undefined && { repository }),
  };
}

interface Writer {
  add(key: string, answer: Answer): void;
  flush(): void;
}

function createWriter(source: string, { cache, onCacheFailure }: CachedQueryOptions): Writer {
  let waiting: CacheEntry[] = [];
  let isWritable = cache !== undefined;
  const flush = (): void => {
    const entries = waiting;
    waiting = [];
    if (!isWritable || entries.length === 0) return;
    try {
      cache?.write(entries);
    } catch (error) {
      isWritable = false;
      onCacheFailure?.(error);
    }
  };
  return {
    add(key, answer) {
      waiting.push({ source, key, answer });
      if (waiting.length >= WRITE_EVERY) flush();
    },
    flush,
  };
}
