/** Dates and periods in flags. */
import { addDays, addMonths } from "../lifecycle/days.ts";
import { EolgateError } from "../messages/error.ts";
import { type IsoDate, isIsoDate } from "../text/ids.ts";

/** Maximum period. Longer ones could lead to years of more than four digits. */
const MAX_MONTHS = 1200;

/** `12m` or `2y` as months. */
export function monthsOf(written: string, where: string): number {
  const [, number, unit] = /^\s*(\d{1,4})\s*([my])\s*$/i.exec(written) ?? [];
  const months = Number(number) * (unit?.toLowerCase() === "y" ? 12 : 1);
  if (months >= 1 && months <= MAX_MONTHS) return months;
  throw badSpan(written, where, "Use months or years, for example 12m or 2y.");
}

/** Parses a date, or a period after `from`. */
export function dayOf(written: string, from: IsoDate, where: string): IsoDate {
  const day = written.trim();
  if (isIsoDate(day)) return day;
  const [, days] = /^(\d{1,5})d$/i.exec(day) ?? [];
  if (days !== undefined && Number(days) <= MAX_MONTHS * 30) return addDays(from, Number(days));
  if (/^\d+[my]$/i.test(day)) return addMonths(from, monthsOf(day, where));
  throw badSpan(written, where, "Use a date (YYYY-MM-DD) or a period: 90d, 6m, 1y.");
}

const badSpan = (written: string, where: string, hint: string): EolgateError =>
  EolgateError.of("invalid-value", { problem: `"${written}" is not a period`, advice: hint }).at(where);
