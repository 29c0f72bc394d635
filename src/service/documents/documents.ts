/** The interface for documents in the server: from the bytes of a request to the content of the response. */
import type { Followed } from "../../support/followed.ts";
import type { CycleRef, Report, Support, VerdictValue } from "../../model/index.ts";
import type { UnmatchedComponent } from "../../wire/schemas.ts";
import type { ScoreCap } from "../../api/operations/local.ts";
import type { OperationInput } from "../../api/operations/operations.ts";

export interface DocumentRequest {
  readonly input: OperationInput<"sbom">;
  readonly cap?: ScoreCap;
  /** State the support level of each component; only where `offersSignals`. */
  readonly signals?: boolean;
}

/** The content of a request to POST /v1/sbom/watch. */
export interface WatchContent {
  /** As given in the body, not validated. */
  readonly email: string;
  /** Distinct cycles, highest risk first. */
  readonly cycles: readonly CycleRef[];
  /** The events to report about `packages`. */
  readonly follow: readonly Followed[];
  /** Package URLs, without qualifiers, of public packages without a release cycle; empty if `follow` is. */
  readonly packages: readonly string[];
  readonly unmatched: readonly UnmatchedComponent[];
}

/** A file or a list to check in the browser. */
export interface CheckRequest {
  readonly bytes: Uint8Array;
  /** Name of the file, which decides how it is read; null for a pasted list. */
  readonly file: string | null;
  readonly cap?: ScoreCap;
}

/** The result of a check, for display and download. */
export interface CheckedDocument {
  readonly verdict: VerdictValue;
  readonly exit: Report["exit"];
  /** The content of the HTML report, without the surrounding page. */
  readonly content: string;
  /** The HTML report as one file. */
  readonly report: string;
  /** Distinct cycles for a watch list, highest risk first. */
  readonly cycles: readonly CycleRef[];
  /** The document with lifecycle properties, or the reason why there is none. */
  readonly enriched: Uint8Array | string;
}

export interface Documents {
  /** Whether sources of support levels are configured. */
  readonly offersSignals: boolean;
  /** The response of POST /v1/sbom, as JSON in UTF-8. */
  sbom(question: DocumentRequest): Promise<Uint8Array>;
  /** The document with lifecycle properties. */
  enrich(question: DocumentRequest): Promise<Uint8Array>;
  /** Parses the body of POST /v1/sbom/watch. */
  watch(body: Uint8Array): Promise<WatchContent>;
  /** Assesses a file or a list with the default policy. */
  check(question: CheckRequest): Promise<CheckedDocument>;
  /** The support levels of packages, by package URL; only where `offersSignals`. */
  packages(purls: readonly string[]): Promise<ReadonlyMap<string, Support>>;
  /** Starts a thread in advance for the first large document. */
  warm(): void;
  /** Whether the queue is full. Checked before the body of a request is read. */
  busy(): boolean;
  close(): Promise<void>;
}
