/** Spans of time as people write them: `90d`, `6m`, `1y`. */
import { EolgateError } from "../core/errors.ts";
import type { IsoDate } from "../core/ids.ts";
import { isIsoDate } from "../core/ids.ts";
import { addDays, addMonths } from "../core/lifecycle/days.ts";

/** Longer than any published end; beyond it a day would leave the four digits of a year. */
const MOST_MONTHS = 1200;

/** `12m` or `2y` as months. */
export function monthsOf(written: string, where: string): number {
  const [, number, unit] = /^\s*(\d{1,4})\s*([my])\s*$/i.exec(written) ?? [];
  const months = Number(number) * (unit?.toLowerCase() === "y" ? 12 : 1);
  if (months >= 1 && months <= MOST_MONTHS) return months;
  throw badSpan(written, where, "Use months or years, for example 12m or 2y.");
}

/** A day as such, or a span after `from`. */
export function dayOf(written: string, from: IsoDate, where: string): IsoDate {
  const day = written.trim();
  if (isIsoDate(day)) return day;
  const [, days] = /^(\d{1,5})d$/i.exec(day) ?? [];
  if (days !== undefined && Number(days) <= MOST_MONTHS * 30) return addDays(from, Number(days));
  if (/^\d+[my]$/i.test(day)) return addMonths(from, monthsOf(day, where));
  throw badSpan(written, where, "Use a date (YYYY-MM-DD) or a period: 90d, 6m, 1y.");
}

const badSpan = (written: string, where: string, hint: string): EolgateError =>
  EolgateError.of("bad-span", { value: written, advice: hint }, { where });
