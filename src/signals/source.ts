/** The interface of signal sources, and what they share. Each source has a file in `sources/`; `sources.ts` lists them. */
import { compact } from "../text/values.ts";
import type { Evidence, SignalSourceName, Unanswered } from "../model/index.ts";
import { messageText } from "../support/evidence.ts";
import type { PackageSubject } from "../support/subject.ts";
import type { IsoDate } from "../text/ids.ts";
import type { SignalsClient, SignalsResponse } from "./http.ts";

/** A source repository: `github.com/owner/name`, lower case. */
export interface RepositorySubject {
  readonly id: string;
}

/**
 * What a source is queried about: one version of a package, a package with all its versions, or a repository. `key`
 * identifies it in the cache.
 */
export interface Subject {
  readonly key: string;
  readonly package?: PackageSubject;
  readonly repository?: RepositorySubject;
}

/** What one source states about one subject on one day. */
export interface SignalAnswer {
  readonly retrievedAt: IsoDate;
  /** Whether the source has an entry for the subject. */
  readonly found: boolean;
  readonly evidence: readonly Evidence[];
  /** Id of the source repository that the package names, see `RepositorySubject`. */
  readonly repository?: string;
}

/** An answer, or a failure (`unanswered`), which applies to this run only and is not cached. */
export type SourceOutcome =
  | { readonly key: string; readonly answer: SignalAnswer }
  | { readonly key: string; readonly unanswered: Unanswered };

export interface QueryContext {
  readonly client: SignalsClient;
  /** Current day in UTC. */
  readonly today: IsoDate;
}

/** When a source is queried: `versions` first, then their `repositories`, then `histories` of undecided packages. */
export type Stage = "versions" | "repositories" | "histories";

export interface SignalSource {
  readonly name: SignalSourceName;
  /** Identifies the source in the cache. A service with several kinds of answers has one id for each. */
  readonly id: string;
  readonly stage: Stage;
  accepts(subject: Subject): boolean;
  /** Yields one outcome for each subject, in any order. Throws only when the run is cancelled. */
  query(subjects: readonly Subject[], context: QueryContext): AsyncIterable<SourceOutcome>;
}

/** Evidence without the fields that all entries of one source share. Fields that are undefined are left out. */
export interface StatedEvidence extends Pick<Evidence, "statement" | "url"> {
  readonly date?: IsoDate | undefined;
  readonly replacement?: string | undefined;
  readonly message?: string | undefined;
}

/** What a source states about a subject that it has. Statements that are undefined are left out. */
export interface Reading {
  readonly stated: readonly (StatedEvidence | undefined)[];
  readonly repository?: string | undefined;
}

/** The answer of a source that has the subject, or of one that does not. */
export function answered(
  key: string,
  source: SignalSourceName,
  reading: Reading | undefined,
  { today }: QueryContext,
): SourceOutcome {
  const { stated = [], repository } = reading ?? {};
  const evidence = stated.flatMap((each) =>
    each === undefined ? [] : [{ source, retrievedAt: today, ...compact(each) }],
  );
  return { key, answer: compact({ found: reading !== undefined, evidence, retrievedAt: today, repository }) };
}

export const lastRelease = (url: string, date: IsoDate | undefined): StatedEvidence | undefined =>
  date && { statement: "last-release", url, date };

type SourceFailure = Extract<SignalsResponse, { readonly kind: "failed" }>;

export const unanswered = (
  key: string,
  source: SignalSourceName,
  { reason, detail }: Omit<SourceFailure, "kind">,
): SourceOutcome => ({
  key,
  unanswered: { source, reason, detail },
});

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
export const byPackage = (subjects: readonly Subject[]): readonly (readonly Subject[])[] => [
  ...Map.groupBy(subjects, (subject) => `${subject.package?.type}/${subject.package?.path}`).values(),
];

const STATUSES = new Map<string, StatedEvidence["statement"]>([
  ["archived", "project-archived"],
  ["deprecated", "project-deprecated"],
  ["quarantined", "project-quarantined"],
]);

export function projectStatus(
  stated: { readonly status?: string; readonly reason?: string } | undefined,
  url: string,
): StatedEvidence | undefined {
  const statement = STATUSES.get(stated?.status?.toLowerCase() ?? "");
  if (statement === undefined) return undefined;
  return { statement, url, message: messageText(stated?.reason) };
}

/** `read`: the registry has the package. `readingOf` returns what it states about one version; undefined if it has none. */
export type PackageResponse =
  | { readonly kind: "read"; readonly readingOf: (version: string) => Reading | undefined }
  | Exclude<SignalsResponse, { readonly kind: "body" }>;

export interface Registry {
  readonly name: SignalSourceName;
  /** Purl type. */
  readonly type: string;
  /** @param path name of the package as in its purl. @param versions the versions that the result is used for */
  fetchPackage(path: string, versions: readonly string[], context: QueryContext): Promise<PackageResponse>;
}

/** Packages that are queried at the same time. */
const CONCURRENCY = 8;

export function registrySource(registry: Registry): SignalSource {
  const { name, type } = registry;
  return {
    name,
    id: name,
    stage: "versions",
    accepts: (subject) => subject.package?.type === type,
    async *query(subjects, context) {
      const queryGroup = (group: readonly Subject[]) => queryPackage(registry, group, context);
      for await (const outcomes of concurrently(byPackage(subjects), CONCURRENCY, queryGroup)) yield* outcomes;
    },
  };
}

async function queryPackage(
  { name, fetchPackage }: Registry,
  group: readonly Subject[],
  context: QueryContext,
): Promise<readonly SourceOutcome[]> {
  const packages = group.flatMap(({ package: subject }) => subject ?? []);
  const path = packages[0]?.path ?? "";
  const response = await fetchPackage(
    path,
    packages.map(({ version }) => version),
    context,
  );
  return group.map(({ key, package: subject }) => {
    if (response.kind === "failed") return unanswered(key, name, response);
    return answered(
      key,
      name,
      response.kind === "read" ? response.readingOf(subject?.version ?? "") : undefined,
      context,
    );
  });
}
