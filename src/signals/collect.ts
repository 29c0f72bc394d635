/**
 * Ask the sources about packages, through the cache: first the versions, then the repositories that they name, then the
 * histories of packages whose level is still open. Packages are worked on in groups, so that memory does not grow with
 * the size of a document beyond its answers.
 */
import type { Evidence, PackageSignals, Unanswered } from "../core/model.ts";
import type { IsoDate } from "../core/ids.ts";
import { daysBetween } from "../core/lifecycle/days.ts";
import type { PackageSubject } from "../core/support/subject.ts";
import { askThroughCache, type AskOptions, type Known, toKnown } from "./ask.ts";
import { repositoryOf } from "./repositories.ts";
import type { SignalSource, Stage, Subject } from "./source.ts";
import { HISTORY_SOURCE_IDS, REPOSITORY_SOURCE_IDS, VERSION_SOURCE_IDS } from "./sources.ts";

export interface CollectOptions extends AskOptions {
  /** Empty: only the cache answers. */
  readonly sources: readonly SignalSource[];
  /** Whether the evidence leaves the level of a package open, so that its history is worth a request. */
  readonly isOpen: (purl: string, evidence: readonly Evidence[]) => boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

const GROUP = 5000;

/** What is known of each package, by purl. */
export async function collectSignals(
  packages: readonly PackageSubject[],
  options: CollectOptions,
): Promise<ReadonlyMap<string, PackageSignals>> {
  const distinct = [...new Map(packages.map((each) => [each.purl, each])).values()];
  const repositories = new Map<string, Known>();
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
  /** Answers for repositories that earlier groups asked about. */
  readonly repositories: Map<string, Known>;
  readonly signals: Map<string, PackageSignals>;
}

async function collectGroup(group: readonly PackageSubject[], collection: Collection): Promise<void> {
  const { options, repositories, signals } = collection;
  const versions = await askStage(
    "versions",
    group.map((each) => ({ key: each.purl, package: each })),
    options,
  );
  const found = group.filter(({ purl }) => versions.get(purl)?.found === true);
  const repositoryIds = new Map(found.map((each) => [each.purl, repositoryFor(each, versions.get(each.purl))]));
  const unseen = [...new Set(repositoryIds.values())].filter((id) => id !== undefined && !repositories.has(id));
  const asked = await askStage(
    "repositories",
    unseen.flatMap((id) => (id === undefined ? [] : [{ key: id, repository: { id } }])),
    options,
  );
  for (const [id, known] of asked) repositories.set(id, known);
  for (const { purl } of group) {
    const id = repositoryIds.get(purl);
    signals.set(purl, merge(versions.get(purl), id === undefined ? undefined : repositories.get(id)));
  }
  await collectHistories(found, collection);
}

async function collectHistories(found: readonly PackageSubject[], { options, signals }: Collection): Promise<void> {
  const open = found.filter(({ purl }) => options.isOpen(purl, signals.get(purl)?.evidence ?? []));
  const subjects = new Map(open.map((each) => [historyKey(each), { key: historyKey(each), package: each }]));
  const histories = await askStage("histories", [...subjects.values()], options);
  for (const each of open) {
    const known = histories.get(historyKey(each));
    const before = signals.get(each.purl);
    if (known !== undefined && before !== undefined) signals.set(each.purl, merge(before, known));
  }
}

/** All versions of a package have one history. */
const historyKey = ({ purl }: PackageSubject): string => purl.slice(0, purl.lastIndexOf("@"));

const repositoryFor = (subject: PackageSubject, known: Known | undefined): string | undefined =>
  known?.repository ?? repositoryOf(subject);

const STAGE_IDS: Readonly<Record<Stage, readonly string[]>> = {
  versions: VERSION_SOURCE_IDS,
  repositories: REPOSITORY_SOURCE_IDS,
  histories: HISTORY_SOURCE_IDS,
};

/** What the sources of a stage know, queried in parallel. Without sources, what the cache holds from any. */
async function askStage(
  stage: Stage,
  subjects: readonly Subject[],
  options: CollectOptions,
): Promise<ReadonlyMap<string, Known>> {
  if (subjects.length === 0) return new Map();
  if (options.sources.length === 0) return cachedStage(stage, subjects, options);
  const sources = options.sources.filter((source) => source.stage === stage);
  const answers = await Promise.all(sources.map((source) => askThroughCache(source, subjects, options)));
  return mergeAll(subjects, answers);
}

function cachedStage(
  stage: Stage,
  subjects: readonly Subject[],
  { cache, today, maxAgeDays }: CollectOptions,
): ReadonlyMap<string, Known> {
  const keys = subjects.map(({ key }) => key);
  const isAged = (day: IsoDate): boolean => daysBetween(day, today) > maxAgeDays;
  const answers = STAGE_IDS[stage].map((id) => {
    const cached = cache?.read(id, keys) ?? [];
    return new Map([...cached].map(([key, answer]) => [key, toKnown(answer, isAged(answer.retrievedAt))] as const));
  });
  const known = mergeAll(subjects, answers);
  // Versions have to be answered by somebody; not every package has a repository or an open history.
  if (stage !== "versions") return known;
  return new Map(keys.map((key) => [key, known.get(key) ?? NOT_CACHED]));
}

const NOT_CACHED: Known = { found: false, evidence: [], unanswered: [{ source: "cache", reason: "not-cached" }] };

function mergeAll(
  subjects: readonly Subject[],
  answers: readonly ReadonlyMap<string, Known>[],
): ReadonlyMap<string, Known> {
  const merged = new Map<string, Known>();
  for (const { key } of subjects) {
    const known = answers.flatMap((each) => each.get(key) ?? []);
    if (known.length > 0) merged.set(key, merge(...known));
  }
  return merged;
}

const NOTHING: readonly Unanswered[] = [];

function merge(...known: readonly (Known | undefined)[]): Known {
  const parts = known.filter((each) => each !== undefined);
  const repository = parts.find((each) => each.repository !== undefined)?.repository;
  const unanswered = parts.flatMap((each) => each.unanswered);
  return {
    found: parts.some(({ found }) => found),
    evidence: parts.flatMap(({ evidence }) => evidence),
    unanswered: unanswered.length === 0 ? NOTHING : unanswered,
    ...(repository !== undefined && { repository }),
  };
}
