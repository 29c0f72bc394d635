/** What the server does with documents: answers that are ready to leave, from bytes as they came. */
import type { Followed } from "../../core/support/followed.ts";
import type { CycleRef, Report, Support, VerdictValue } from "../../core/model.ts";
import type { UnmatchedComponent } from "../../core/wire/schemas.ts";
import type { ScoreCap } from "../../api/local.ts";
import type { Input } from "../../api/operations.ts";

export interface DocumentQuestion {
  readonly input: Input<"sbom">;
  readonly cap?: ScoreCap;
  /** State the support level of each component; only where `offersSignals`. */
  readonly signals?: boolean;
}

/** What the body of POST /v1/sbom/watch asks for. */
export interface WatchQuestion {
  /** As given in the body, not validated. */
  readonly email: string;
  /** Each cycle once, riskiest first. */
  readonly cycles: readonly CycleRef[];
  /** What to follow about `packages`. */
  readonly follow: readonly Followed[];
  /** Bare package URLs of public packages that no release cycle decides; empty when nothing about them is followed. */
  readonly packages: readonly string[];
  readonly unmatched: readonly UnmatchedComponent[];
}

/** A file or a list that somebody wants assessed in the browser. */
export interface CheckQuestion {
  readonly bytes: Uint8Array;
  /** Name of the file, which decides how it is read; null for a pasted list. */
  readonly file: string | null;
  readonly cap?: ScoreCap;
}

/** The result of a check, ready to be shown and downloaded. */
export interface CheckedDocument {
  readonly verdict: VerdictValue;
  readonly exit: Report["exit"];
  /** The HTML report without the page around it. */
  readonly content: string;
  /** The HTML report as one file. */
  readonly report: string;
  /** For a watch list: each once, riskiest first. */
  readonly cycles: readonly CycleRef[];
  /** The document with lifecycle properties, or the reason why there is none. */
  readonly enriched: Uint8Array | string;
}

export interface Documents {
  /** Whether support levels can be asked for. */
  readonly offersSignals: boolean;
  /** The answer of POST /v1/sbom as JSON in UTF-8. */
  sbom(question: DocumentQuestion): Promise<Uint8Array>;
  /** The document itself with lifecycle facts in it. */
  enrich(question: DocumentQuestion): Promise<Uint8Array>;
  /** `{email, sbom}`, read. */
  watch(body: Uint8Array): Promise<WatchQuestion>;
  /** Assesses a file or a list with the default policy. */
  check(question: CheckQuestion): Promise<CheckedDocument>;
  /** The support levels of packages, by package URL; only where `offersSignals`. */
  packages(purls: readonly string[]): Promise<ReadonlyMap<string, Support>>;
  /** Starts a thread before the first big document asks for one. */
  warm(): void;
  /** Whether one more would have to wait too long: known before its body is read. */
  busy(): boolean;
  close(): Promise<void>;
}
