/** The interface of every signal source. One file for each source is in `sources/`; `sources.ts` is their table. */
import type { Evidence, SignalSourceName, Unanswered } from "../core/model.ts";
import type { IsoDate } from "../core/ids.ts";
import type { PackageSubject } from "../core/support/subject.ts";
import type { SignalsClient } from "./http.ts";

/** A source repository: `github.com/owner/name`, lower case. */
export interface RepositorySubject {
  readonly id: string;
}

/**
 * A query to a source: one version of a package, a package with all its versions, or a repository. `key`
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
  /** False: the source does not know the subject. */
  readonly found: boolean;
  readonly evidence: readonly Evidence[];
  /** The repository that the package names as its source. */
  readonly repository?: string;
}

/** A failure applies to the subject in this run and is never cached. */
export type Outcome =
  | { readonly key: string; readonly answer: Answer }
  | { readonly key: string; readonly unanswered: Unanswered };

export interface AskContext {
  readonly client: SignalsClient;
  /** The UTC day of asking. */
  readonly today: IsoDate;
  /** Waits that a service's terms ask for; tests do not wait. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Which part of a run asks the source: versions first, then their repositories, then packages that are still open. */
export type Stage = "versions" | "repositories" | "histories";

export interface SignalSource {
  /** Names the source in evidence. */
  readonly name: SignalSourceName;
  /** Names its answers in the cache: a service that answers two questions has two entries. */
  readonly id: string;
  readonly stage: Stage;
  accepts(subject: Subject): boolean;
  /** One outcome for each subject, in any order, as they come. Throws only when the run is cancelled. */
  ask(subjects: readonly Subject[], context: AskContext): AsyncIterable<Outcome>;
}
