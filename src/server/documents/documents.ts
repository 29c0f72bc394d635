/** What the server does with documents: answers that are ready to leave, from bytes as they came. */
import type { CycleRef } from "../../core/model.ts";
import type { UnmatchedComponent } from "../../core/wire/schemas.ts";
import type { ScoreCap } from "../../api/local.ts";
import type { Input } from "../../api/operations.ts";

export interface DocumentQuestion {
  readonly input: Input<"sbom">;
  readonly cap?: ScoreCap;
}

/** What the body of POST /v1/sbom/watch asks for. */
export interface WatchQuestion {
  /** As it stands in the body, not checked. */
  readonly email: string;
  /** Once a line, riskiest first. */
  readonly cycles: readonly CycleRef[];
  readonly unmatched: readonly UnmatchedComponent[];
}

export interface Documents {
  /** The answer of POST /v1/sbom as JSON text. */
  sbom(question: DocumentQuestion): Promise<string>;
  /** The document itself with lifecycle facts in it. */
  enrich(question: DocumentQuestion): Promise<Uint8Array>;
  /** `{email, sbom}`, read. */
  watch(body: Uint8Array): Promise<WatchQuestion>;
  /** Starts a thread before the first big document asks for one. */
  warm(): void;
  /** Whether one more would have to wait too long: known before its body is read. */
  busy(): boolean;
  close(): Promise<void>;
}
