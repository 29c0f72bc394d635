/** One source and the cache: fresh answers come from the cache, others from the source, aged ones where it is away. */
import type { PackageSignals } from "../core/model.ts";
import type { IsoDate } from "../core/ids.ts";
import { daysBetween } from "../core/lifecycle/days.ts";
import type { CacheEntry, SignalCache } from "./cache.ts";
import type { Answer, AskContext, Outcome, SignalSource, Subject } from "./source.ts";

export interface AskOptions extends AskContext {
  readonly cache?: SignalCache;
  /** Days after which a cached answer is requested again. */
  readonly maxAgeDays: number;
  /** The cache cannot be written any longer; the run continues without it. */
  readonly onCacheFailure?: (error: unknown) => void;
}

/** What is known of one subject. */
export interface Known extends PackageSignals {
  readonly repository?: string;
}

/** Answers are written in pieces, so that a run that is killed keeps what it has. */
const WRITE_EVERY = 500;

/** What one source knows of the subjects that it accepts, by key. */
export async function askThroughCache(
  source: SignalSource,
  subjects: readonly Subject[],
  options: AskOptions,
): Promise<ReadonlyMap<string, Known>> {
  const accepted = subjects.filter((subject) => source.accepts(subject));
  const keys = accepted.map(({ key }) => key);
  const cached = options.cache?.read(source.id, keys) ?? new Map<string, Answer>();
  const known = new Map<string, Known>();
  const open: Subject[] = [];
  for (const subject of accepted) {
    const answer = cached.get(subject.key);
    if (answer !== undefined && isFresh(answer.retrievedAt, options)) known.set(subject.key, toKnown(answer, false));
    else open.push(subject);
  }
  if (open.length === 0) return known;
  const writer = createWriter(source.id, options);
  try {
    for await (const outcome of source.ask(open, options)) {
      known.set(outcome.key, knownOf(outcome, cached.get(outcome.key)));
      if ("answer" in outcome) writer.add(outcome.key, outcome.answer);
    }
  } finally {
    writer.flush();
  }
  return known;
}

const isFresh = (day: IsoDate, { today, maxAgeDays }: AskOptions): boolean => daysBetween(day, today) <= maxAgeDays;

function knownOf(outcome: Outcome, aged: Answer | undefined): Known {
  if ("answer" in outcome) return toKnown(outcome.answer, false);
  if (aged !== undefined) return toKnown(aged, true);
  return { found: false, evidence: [], unanswered: [outcome.unanswered] };
}

/** @param isAged Older than the policy allows, and used because nothing newer could be had. */
export function toKnown({ found, evidence, repository }: Answer, isAged: boolean): Known {
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

function createWriter(source: string, { cache, onCacheFailure }: AskOptions): Writer {
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
