/** When the next release of a product was due, estimated from the intervals of its recorded releases. It only asks for a look. */
import type { IsoDate } from "../ids.ts";
import type { ReleaseCycle } from "../model.ts";
import { addDays, daysBetween } from "./days.ts";

/** So many of the newest intervals have to be alike. */
const INTERVALS = 4;
/** How much longer than the median an interval may be. */
const TOLERANCE = 1.35;
/** Cycles of one release (editions, flavours) appear within days. */
const SAME_RELEASE = 7;

/**
 * The day on which a release cycle after the newest recorded one was due: the newest release plus the median interval.
 * Undefined without a regular rhythm: fewer than five dated releases, or intervals that differ by more than a third.
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
    if (last === undefined || daysBetween(day, last) > SAME_RELEASE) kept.push(day);
  }
  return kept;
}
