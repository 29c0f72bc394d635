/**
 * Days, months and quarters as vendors write them. Nothing is rounded: a month stays a month (its value is its last day),
 * and what is none of them is undefined, for the caller to name.
 */
import { readDate } from "../../../catalogue/stored-values.ts";
import { isIsoDate } from "../../../text/ids.ts";
import type { LifecycleDate } from "../../../model/index.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH_NAMES =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;

const two = (number: number): string => String(number).padStart(2, "0");

const day = (year: number, monthOfYear: number, dayOfMonth: number): LifecycleDate | undefined =>
  isoDate(`${year}-${two(monthOfYear)}-${two(dayOfMonth)}`);

const month = (year: number, monthOfYear: number): LifecycleDate | undefined => isoDate(`${year}-${two(monthOfYear)}`);

/** `2026-10-31`, or `2026-10` for a month. */
export function isoDate(text: string): LifecycleDate | undefined {
  if (isIsoDate(text)) return { value: text, precision: "day" };
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? readDate(text) : undefined;
}

/** The day of a date-time as its own offset writes it: `2026-12-31T00:00:00+00:00`, `2025-10-01 12:00:00 UTC`. */
export function isoInstant(text: string): LifecycleDate | undefined {
  const parts = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}| UTC)?$/.exec(text);
  return parts?.[1] === undefined ? undefined : isoDate(parts[1]);
}

/** `2026/04/23` */
export function slashedDay(text: string): LifecycleDate | undefined {
  const parts = /^(\d{4})\/(\d{2})\/(\d{2})$/.exec(text);
  return parts ? day(Number(parts[1]), Number(parts[2]), Number(parts[3])) : undefined;
}

/** `11/2028` */
export function slashedMonth(text: string): LifecycleDate | undefined {
  const parts = /^(\d{2})\/(\d{4})$/.exec(text);
  return parts ? month(Number(parts[2]), Number(parts[1])) : undefined;
}

/** `9/30/2023` or `09/30/2023`, the month first. */
export function monthFirst(text: string): LifecycleDate | undefined {
  const parts = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  return parts ? day(Number(parts[3]), Number(parts[1]), Number(parts[2])) : undefined;
}

/** The serial number of a day in a workbook, counted from 1899-12-30. */
export function serialDay(text: string): LifecycleDate | undefined {
  if (!/^\d{4,6}$/.test(text)) return undefined;
  return isoDate(new Date(Date.UTC(1899, 11, 30) + Number(text) * 86_400_000).toISOString().slice(0, 10));
}

/**
 * English as people type it: `May 12, 2026`, `12 May 2026`, `18-Mar-2026`, `2026-Jan-13`, `May 23rd, 2024`, `May 2026`,
 * `May, 2026`, and the slip `November, 15 2021`. Words must be months; anything else in the text makes it no date.
 */
export function englishDate(text: string): LifecycleDate | undefined {
  const words = text
    .toLowerCase()
    .split(/[\s,\u00a0-]+/)
    .filter((word) => word !== "");
  const names = words.filter((word) => MONTH_NAMES.test(word));
  const years = words.filter((word) => /^\d{4}$/.test(word));
  const days = words.flatMap((word) => /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1] ?? []);
  const [name, ...furtherNames] = names;
  if (name === undefined || furtherNames.length > 0 || years.length !== 1 || days.length > 1) return undefined;
  if (words.length !== 2 + days.length) return undefined;
  const monthOfYear = MONTHS.indexOf(name.slice(0, 3)) + 1;
  return days[0] === undefined
    ? month(Number(years[0]), monthOfYear)
    : day(Number(years[0]), monthOfYear, Number(days[0]));
}

/** `Q3 2027`, `2027-Q3` or `2027Q3`. */
export function quarterDate(text: string): LifecycleDate | undefined {
  const stored = text.replace(/^(Q\d) (\d{4})$/, "$2-$1").replace(/^(\d{4})Q/, "$1-Q");
  return /^\d{4}-Q[1-4]$/.test(stored) ? readDate(stored) : undefined;
}

/** The month of a day, for sources that print a placeholder day. */
export const asMonth = ({ value }: LifecycleDate): LifecycleDate => readDate(value.slice(0, 7));
