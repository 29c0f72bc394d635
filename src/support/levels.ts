/** Support levels: their tables, how components are counted by them, and the days that they depend on. */
import type { Counted, EvaluatedComponent, SupportCounts, SupportLevel, UnknownReason } from "../model/index.ts";
import { SUPPORT_LEVELS } from "../model/support.ts";
import { type IsoDate, asIsoDate } from "../text/ids.ts";
import { addDays, addMonths } from "../lifecycle/days.ts";

/**
 * Reasons for which a source should have answered and did not. A policy that fails on a support level gives no verdict on
 * these.
 */
export const UNASKED: ReadonlySet<UnknownReason> = new Set(["not-cached", "source-unavailable", "time-budget"]);

/** Dates before this year are placeholders for an unknown day (NuGet: 1900 for unlisted versions). */
const FIRST_YEAR = 1990;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The UTC day of an RFC 3339 timestamp; without an offset it is read as UTC. Undefined for anything else. */
export function dayOf(timestamp: unknown): IsoDate | undefined {
  if (typeof timestamp !== "string" || !TIMESTAMP.test(timestamp)) return undefined;
  const text = timestamp.replace(" ", "T");
  const time = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10)) || text.length === 10 ? text : `${text}Z`);
  if (Number.isNaN(time)) return undefined;
  const day = new Date(time).toISOString().slice(0, 10);
  return Number(day.slice(0, 4)) < FIRST_YEAR ? undefined : asIsoDate(day);
}

export function latestDay(timestamps: Iterable<unknown>): IsoDate | undefined {
  let latest: IsoDate | undefined;
  for (const timestamp of timestamps) {
    const day = dayOf(timestamp);
    if (day !== undefined && (latest === undefined || day > latest)) latest = day;
  }
  return latest;
}

/**
 * Months without a release or commit after which a package counts as inactive, unless the policy sets another number.
 */
export const DEFAULT_INACTIVE_MONTHS = 24;

/** Days after which a list of newest versions no longer shows that a package is maintained. */
const LIST_DAYS = 120;

/** The periods that decide a level. */
export interface Periods {
  /** The first day of the inactivity period: activity on it or after it counts. */
  readonly activeSince: IsoDate;
  /** A list of newest versions that was read before this day does not show that a package is maintained. */
  readonly listedSince: IsoDate;
}

/** The periods that end on `asOf`. */
export const periods = (asOf: IsoDate, inactiveMonths: number): Periods => ({
  activeSince: addMonths(asOf, -inactiveMonths),
  listedSince: addDays(asOf, -LIST_DAYS),
});

/** Undefined when no signals were requested. The described software, files and data sets do not count. */
export function supportCounts(evaluatedComponents: Iterable<Counted<EvaluatedComponent>>): SupportCounts | undefined {
  const levels = { ...NONE };
  let total = 0;
  for (const { value, count } of evaluatedComponents) {
    const { support, outcome } = value;
    if (support === undefined || support.reason === "not-a-package" || outcome.outOfScope === true) continue;
    levels[support.level] += count;
    total += count;
  }
  return total === 0 ? undefined : countsOf(levels);
}

/** Adds the counts of two sets of components. */
export function mergeSupportCounts(
  one: SupportCounts | undefined,
  other: SupportCounts | undefined,
): SupportCounts | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const levels = { ...NONE };
  for (const level of SUPPORT_LEVELS) levels[level] = one.levels[level] + other.levels[level];
  return countsOf(levels);
}

function countsOf(levels: SupportCounts["levels"]): SupportCounts {
  const total = SUPPORT_LEVELS.reduce((sum, level) => sum + levels[level], 0);
  const determined = total - levels.unknown;
  return { determined, unknown: levels.unknown, percent: Math.floor((determined * 1000) / total) / 10, levels };
}

const NONE: Readonly<Record<SupportLevel, number>> = {
  supported: 0,
  maintained: 0,
  current: 0,
  superseded: 0,
  outdated: 0,
  inactive: 0,
  "no-longer-maintained": 0,
  "end-of-support": 0,
  unknown: 0,
};
