/**
 * Collects signals about packages, through the cache: first about versions, then about the repositories that these name,
 * then the histories of packages whose support level is still open. Packages are processed in groups, which limits memory.
 */
import { daysBetween } from "../lifecycle/days.ts";
import type { Evidence, PackageSignals, Unanswered } from "../model/index.ts";
import type { PackageSubject } from "../support/subject.ts";
import type { IsoDate } from "../text/ids.ts";
import type { CacheEntry, SignalCache } from "./cache.ts";
import { compact } from "../text/values.ts";
import { repositoryOf } from "./repositories.ts";
import type { SignalAnswer, SourceOutcome, QueryContext, SignalSource, Stage, Subject } from "./source.ts";
import { HISTORY_SOURCE_IDS, REPOSITORY_SOURCE_IDS, VERSION_SOURCE_IDS } from "./sources.ts";

export interface CollectOptions extends CachedQueryOptions {
  /** Empty: only cached answers are used. */
  readonly sources: readonly SignalSource[];
  /** Whether the evidence does not decide the support level of a package, so that its history is requested. */
  readonly isOpen: (purl: string, evidence: readonly Evidence[]) => boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Packages per group. */
const GROUP = 5000;

/** The signals of each package, by purl. Rejects only when the run is cancelled. */
export async function collectSignals(
  packages: readonly PackageSubject[],
  options: CollectOptions,
): Promise<ReadonlyMap<string, PackageSignals>> {
  const distinct = [...new Map(packages.map((each) => [each.purl, each])).values()];
  const repositories = new Map<string, SubjectSignals>();
  const signals = new Map<string, PackageSignals>();
  for (let at = 0; at < distinct.length; at += GROUP) {
    const group = distinct.slice(at, at + GROUP);
    await collectGroup(group, { options, repositories, signals });
    options.onProgress?.(Math.min(at + GROUP, distinct.length), distinct.length);
  }
  return signals;
}

interface Collection {
  readonly options: CollectOptions;
  /** Signals of repositories, by id, over all groups. */
  readonly repositories: Map<string, SubjectSignals>;
  readonly signals: Map<string, PackageSignals>;
}

async function collectGroup(group: readonly PackageSubject[], collection: Collection): Promise<void> {
  const { options, repositories, signals } = collection;
  const versions = await queryStage(
    "versions",
    group.map((each) => ({ key: each.purl, package: each })),
    options,
  );
  const found = group.filter(({ purl }) => versions.get(purl)?.found === true);
  const repositoryIds = new Map(found.map((each) => [each.purl, repositoryFor(each, versions.get(each.purl))]));
  const unseen = [...new Set(repositoryIds.values())].filter((id) => id !== undefined && !repositories.has(id));
  const queried = await queryStage(
    "repositories",
    unseen.flatMap((id) => (id === undefined ? [] : [{ key: id, repository: { id } }])),
    options,
  );
  for (const [id, known] of queried) repositories.set(id, known);
  for (const { purl } of group) {
    const id = repositoryIds.get(purl);
    signals.set(purl, merge(versions.get(purl), id === undefined ? undefined : repositories.get(id)));
  }
  await collectHistories(found, collection);
}

async function collectHistories(found: readonly PackageSubject[], { options, signals }: Collection): Promise<void> {
  const open = found.filter(({ purl }) => options.isOpen(purl, signals.get(purl)?.evidence ?? []));
  const subjects = new Map(open.map((each) => [historyKey(each), { key: historyKey(each), package: each }]));
  const histories = await queryStage("histories", [...subjects.values()], options);
  for (const each of open) {
    const known = histories.get(historyKey(each));
    const before = signals.get(each.purl);
    if (known !== undefined && before !== undefined) signals.set(each.purl, merge(before, known));
  }
}

/** The purl without its version: all versions of a package have the same history. */
const historyKey = ({ purl }: PackageSubject): string => purl.slice(0, purl.lastIndexOf("@"));

const repositoryFor = (subject: PackageSubject, known: SubjectSignals | undefined): string | undefined =>
  known?.repository ?? repositoryOf(subject);

const STAGE_IDS: Readonly<Record<Stage, readonly string[]>> = {
  versions: VERSION_SOURCE_IDS,
  repositories: REPOSITORY_SOURCE_IDS,
  histories: HISTORY_SOURCE_IDS,
};

/** Queries the sources of a stage in parallel. Without sources, returns the cached answers of all of them. */
async function queryStage(
  stage: Stage,
  subjects: readonly Subject[],
  options: CollectOptions,
): Promise<ReadonlyMap<string, SubjectSignals>> {
  if (subjects.length === 0) return new Map();
  if (options.sources.length === 0) return cachedStage(stage, subjects, options);
  const sources = options.sources.filter((source) => source.stage === stage);
  const answers = await Promise.all(sources.map((source) => queryThroughCache(source, subjects, options)));
  return mergeAll(subjects, answers);
}

function cachedStage(
  stage: Stage,
  subjects: readonly Subject[],
  { cache, today, maxAgeDays }: CollectOptions,
): ReadonlyMap<string, SubjectSignals> {
  const keys = subjects.map(({ key }) => key);
  const isAged = (day: IsoDate): boolean => daysBetween(day, today) > maxAgeDays;
  const answers = STAGE_IDS[stage].map((id) => {
    const cached = cache?.read(id, keys) ?? [];
    return new Map([...cached].map(([key, answer]) => [key, toSignals(answer, isAged(answer.retrievedAt))] as const));
  });
  const known = mergeAll(subjects, answers);
  // A package without an answer about its version is reported; repositories and histories are optional.
  if (stage !== "versions") return known;
  return new Map(keys.map((key) => [key, known.get(key) ?? NOT_CACHED]));
}

const NOT_CACHED: SubjectSignals = {
  found: false,
  evidence: [],
  unanswered: [{ source: "cache", reason: "not-cached" }],
};

function mergeAll(
  subjects: readonly Subject[],
  answers: readonly ReadonlyMap<string, SubjectSignals>[],
): ReadonlyMap<string, SubjectSignals> {
  const merged = new Map<string, SubjectSignals>();
  for (const { key } of subjects) {
    const known = answers.flatMap((each) => each.get(key) ?? []);
    if (known.length > 0) merged.set(key, merge(...known));
  }
  return merged;
}

const NOTHING: readonly Unanswered[] = [];

function merge(...known: readonly (SubjectSignals | undefined)[]): SubjectSignals {
  const parts = known.filter((each) => each !== undefined);
  const repository = parts.find((each) => each.repository !== undefined)?.repository;
  const unanswered = parts.flatMap((each) => each.unanswered);
  return {
    found: parts.some(({ found }) => found),
    evidence: parts.flatMap(({ evidence }) => evidence),
    unanswered: unanswered.length === 0 ? NOTHING : unanswered,
    ...compact({ repository }),
  };
}

// Queries one source through the cache. An answer that is too old is used only when the source does not answer.

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
  const cached = options.cache?.read(source.id, keys) ?? new Map<string, SignalAnswer>();
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

function outcomeSignals(outcome: SourceOutcome, aged: SignalAnswer | undefined): SubjectSignals {
  if ("answer" in outcome) return toSignals(outcome.answer, false);
  if (aged !== undefined) return toSignals(aged, true);
  return { found: false, evidence: [], unanswered: [outcome.unanswered] };
}

/** @param isAged Whether the answer is older than the policy allows and is used because the source does not answer. */
export const toSignals = ({ retrievedAt: _day, evidence, ...rest }: SignalAnswer, isAged: boolean): SubjectSignals => ({
  ...rest,
  evidence: isAged ? evidence.map((each) => ({ ...each, aged: true as const })) : evidence,
  unanswered: [],
});

interface CacheWriter {
  add(key: string, answer: SignalAnswer): void;
  flush(): void;
}

function createWriter(source: string, { cache, onCacheFailure }: CachedQueryOptions): CacheWriter {
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
