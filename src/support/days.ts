/** Parses dates in the answers of package registries. */
import { asIsoDate, type IsoDate } from "../text/ids.ts";
import { addMonths } from "../lifecycle/days.ts";

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

/** The latest of several timestamps. */
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

/** The first day of the inactivity period that ends on `asOf`. */
export const activeSince = (asOf: IsoDate, months: number): IsoDate => addMonths(asOf, -months);
