/**
 * Arithmetic on UTC calendar days: the only module that handles months, leap days and time zones. It reads no clock;
 * callers pass the day.
 */
import { asIsoDate, type IsoDate, type StatementDay } from "../text/ids.ts";
import { formatDate } from "../messages/format.ts";
import type { LifecycleDate } from "../model/index.ts";

const MS_PER_DAY = 86_400_000;

/** Days since 1970-01-01. */
export function dayNumber(date: IsoDate): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / MS_PER_DAY;
}

function fromDayNumber(day: number): IsoDate {
  return asIsoDate(new Date(day * MS_PER_DAY).toISOString().slice(0, 10));
}

/** Days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: IsoDate, to: IsoDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** The day `days` after `date`; before it when `days` is negative. */
export function addDays(date: IsoDate, days: number): IsoDate {
  return fromDayNumber(dayNumber(date) + days);
}

/** The same day of a later or earlier month, or the last day of a shorter month: 31 January + 1 → 28 February. */
export function addMonths(date: IsoDate, months: number): IsoDate {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7)) - 1 + months;
  const day = Number(date.slice(8, 10));
  return fromDayNumber(Math.min(Date.UTC(year, month, day), Date.UTC(year, month + 1, 0)) / MS_PER_DAY);
}

/** The day for arithmetic: of a date that is less precise, the last day of the month, or of the last month of the quarter. */
export function lastDay({ value, precision }: LifecycleDate): IsoDate {
  if (precision === "day") return value;
  const month = Number(value.slice(5, 7));
  const last = precision === "quarter" ? Math.ceil(month / 3) * 3 : month;
  return fromDayNumber(Date.UTC(Number(value.slice(0, 4)), last, 0) / MS_PER_DAY);
}

/** The earliest day of a statement of which only the month or the year is known: it never looks younger than it is. */
export const firstDay = (day: StatementDay): IsoDate => asIsoDate(`${day}-01-01`.slice(0, 10));

/** How much of the day of a statement is known. */
export const knownPart = (day: StatementDay): "day" | "month" | "year" =>
  day.length === 10 ? "day" : day.length === 7 ? "month" : "year";

const COARSENESS: readonly LifecycleDate["precision"][] = ["day", "month", "about", "quarter"];

/** Whether two sources state the same date, at the coarser precision of the two. Dates that differ by one day are different. */
export function sameDate(a: LifecycleDate, b: LifecycleDate): boolean {
  const { precision } = COARSENESS.indexOf(a.precision) > COARSENESS.indexOf(b.precision) ? a : b;
  return formatDate({ ...a, precision }) === formatDate({ ...b, precision });
}
