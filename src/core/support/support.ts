/** The support level of one component and the evidence for it. */
import type { IsoDate } from "../ids.ts";
import type { LifecycleDate } from "../model.ts";
import type { Evidence, SignalSourceName } from "./evidence.ts";
import type { SupportLevel, UnknownReason } from "./levels.ts";

export interface Support {
  readonly level: SupportLevel;
  /** The statement that decided comes first. Empty only when the level is unknown. */
  readonly evidence: readonly Evidence[];
  /** Only for `unknown`. */
  readonly reason?: UnknownReason;
  /** From the release cycle, when its source states a day. */
  readonly endOfSupport?: LifecycleDate;
  /** The last release that any source knows of. */
  readonly lastRelease?: IsoDate;
  readonly replacement?: string;
  /** Sources that should have answered and did not. */
  readonly unanswered?: readonly Unanswered[];
}

/** A source that gave no answer for a component. */
export interface Unanswered {
  readonly source: SignalSourceName | "cache";
  readonly reason: "not-cached" | "source-unavailable" | "time-budget";
  /** What happened, in a few words: `HTTP 429`, `no answer within 30 s`. */
  readonly detail?: string;
}

/** What all sources together state about one purl. */
export interface PackageSignals {
  readonly evidence: readonly Evidence[];
  readonly unanswered: readonly Unanswered[];
  /** At least one source knows the package. */
  readonly found: boolean;
}
