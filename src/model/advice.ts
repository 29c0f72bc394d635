/** Advice besides the verdict: upgrade targets of a release cycle, and what is new since an earlier report. */
import type { End } from "./dates.ts";
import type { IsoDate } from "../text/ids.ts";
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
  /** Every target ends within 6 months. */
  readonly endsSoon?: true;
  /** What the maintainers name as the replacement. */
  readonly successor?: string;
}

/** How a finding compares with the earlier report, in SARIF's terms (2.1.0, 3.27.24). */
export type BaselineState = "new" | "unchanged" | "updated";

/** A comparison of the report with an earlier document or report. */
export interface Comparison {
  /** The earlier document or report, as given. */
  readonly against: string;
  readonly stateOf: (finding: Finding) => BaselineState;
  /** How many active findings of the earlier report are no longer active. */
  readonly gone: number;
}

/** The failures to expect in a coming period, from today's data and with an unchanged document. */
export interface Forecast {
  /** The day of the scan. */
  readonly from: IsoDate;
  /** The last day of the period. */
  readonly until: IsoDate;
  /** By day, then by release cycle. */
  readonly failures: readonly UpcomingFailure[];
}

/** Findings that start to fail together. */
export interface UpcomingFailure {
  /** The first day on which they fail. */
  readonly day: IsoDate;
  /** The outcome on that day, with the assessment of that day. */
  readonly outcome: RuleOutcome;
  /**
   * What causes it: the standard end, the end of a support track or contract, the expiry of a waiver, or a score above
   * its limit.
   */
  readonly cause: "end" | "support" | "waiver" | "score";
  /** Never empty. Their outcomes are those of today. */
  readonly findings: readonly Finding[];
}
