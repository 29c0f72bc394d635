/**
 * Estimates when the next release of a product was due, from the intervals between its recorded releases. The estimate
 * only suggests that somebody looks for a new release.
 */
import type { IsoDate } from "../text/ids.ts";
import type { ReleaseCycle } from "../model/index.ts";
import { addDays, daysBetween } from "./days.ts";

/** The number of newest intervals that must be of similar length. */
const INTERVALS = 4;
/** How much longer than the median an interval may be. */
const TOLERANCE = 1.35;
/** Cycles that appear within this many days (editions, flavours) belong to one release. */
const SAME_RELEASE_DAYS = 7;

/**
 * Returns the day by which a release cycle after the newest recorded one was due: the newest release plus the median
 * interval and the tolerance. Undefined if the releases are irregular: fewer than five with a day, or an interval that
 * differs from the median by more than the tolerance.
 */
export function expectedRelease(cycles: readonly ReleaseCycle[]): IsoDate | undefined {
  const days = releaseDays(cycles).slice(0, INTERVALS + 1);
  const [newest] = days;
  if (newest === undefined || days.length <= INTERVALS) return undefined;
  const intervals = days.slice(1).map((day, index) => daysBetween(day, days[index] ?? day));
  const sorted = intervals.toSorted((a, b) => a - b);
  const median = sorted[INTERVALS / 2] ?? 0;
  const isRegular = sorted.every((each) => each <= median * TOLERANCE && each * TOLERANCE >= median);
  return isRegular ? addDays(newest, Math.round(median * TOLERANCE)) : undefined;
}

/** The days of the releases that are dated to the day, newest first, editions of one release once. */
function releaseDays(cycles: readonly ReleaseCycle[]): readonly IsoDate[] {
  const dated = cycles.flatMap(({ releaseDate }) => (releaseDate?.precision === "day" ? [releaseDate.value] : []));
  const kept: IsoDate[] = [];
  for (const day of dated.toSorted().toReversed()) {
    const last = kept.at(-1);
    if (last === undefined || daysBetween(day, last) > SAME_RELEASE_DAYS) kept.push(day);
  }
  return kept;
}
