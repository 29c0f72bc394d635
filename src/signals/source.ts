/** The interface of signal sources. Each source has a file in `sources/`; `sources.ts` lists them. */
import type { Evidence, SignalSourceName, Unanswered } from "../model/index.ts";
import type { IsoDate } from "../text/ids.ts";
import type { PackageSubject } from "../support/subject.ts";
import type { SignalsClient } from "./http.ts";

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
export interface Answer {
  readonly retrievedAt: IsoDate;
  /** Whether the source has an entry for the subject. */
  readonly found: boolean;
  readonly evidence: readonly Evidence[];
  /** Id of the source repository that the package names, see `RepositorySubject`. */
  readonly repository?: string;
}

/** An answer, or a failure (`unanswered`), which applies to this run only and is not cached. */
export type Outcome =
  | { readonly key: string; readonly answer: Answer }
  | { readonly key: string; readonly unanswered: Unanswered };

export interface QueryContext {
  readonly client: SignalsClient;
  /** Current day in UTC. */
  readonly today: IsoDate;
  /** Waits as a service's terms require. Replaced in tests, which do not wait. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** When a source is queried: `versions` first, then their `repositories`, then `histories` of undecided packages. */
export type Stage = "versions" | "repositories" | "histories";

export interface SignalSource {
  /** Name of the source in evidence. */
  readonly name: SignalSourceName;
  /** Identifies the source in the cache. A service with several kinds of answers has one id for each. */
  readonly id: string;
  readonly stage: Stage;
  accepts(subject: Subject): boolean;
  /** Yields one outcome for each subject, in any order. Throws only when the run is cancelled. */
  query(subjects: readonly Subject[], context: QueryContext): AsyncIterable<Outcome>;
}
