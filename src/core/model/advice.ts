/** Advice besides the verdict: upgrade targets of a release cycle, and what is new since an earlier report. */
import type { End } from "./dates.ts";
import type { IsoDate } from "../ids.ts";
import type { Finding, RuleOutcome } from "./policy.ts";
import type { CycleRef } from "./resolution.ts";

/** A supported release cycle to move to. */
export interface UpgradeTarget {
  readonly releaseCycle: CycleRef;
  readonly eol: End;
  /** Days from as-of to its end; null when no end is announced. */
  readonly days: number | null;
  readonly lts: boolean;
}

/** Upgrade targets of a cycle. Without any, only `successor` is present. */
export interface Advice {
  /** The cycle of the same family that is supported the longest. */
  readonly longest?: UpgradeTarget;
  /** The nearest cycle above that is supported for at least 12 more months, when it is another one. */
  readonly nearest?: UpgradeTarget;
  /** Nothing lasts: every target ends within 6 months. */
  readonly endsSoon?: true;
  /** What the maintainers name as the replacement. */
  readonly successor?: string;
}

/** What became of a finding since the earlier report, in SARIF's words (2.1.0, 3.27.24). */
export type BaselineState = "new" | "unchanged" | "updated";

/** A comparison of the report with an earlier document or report. */
export interface Comparison {
  /** The earlier document or report, as given. */
  readonly against: string;
  readonly stateOf: (finding: Finding) => BaselineState;
  /** Components that were findings then and are gone now. */
  readonly gone: number;
}

/** What the gate will fail on in the time to come, with what is known today and nothing changed. */
export interface Forecast {
  /** The day of the scan. */
  readonly from: IsoDate;
  /** The last day looked at. */
  readonly until: IsoDate;
  /** By day, then by release cycle. */
  readonly failures: readonly UpcomingFailure[];
}

/** Findings that start to fail together. */
export interface UpcomingFailure {
  /** The first day on which they fail. */
  readonly day: IsoDate;
  /** As the gate will rule on that day; its assessment is of that day too. */
  readonly outcome: RuleOutcome;
  /** What runs out: the standard end, a support track or contract, a waiver, or a score that grows past its limit. */
  readonly cause: "end" | "support" | "waiver" | "score";
  /** Never empty. Their outcomes are those of today. */
  readonly findings: readonly Finding[];
}
