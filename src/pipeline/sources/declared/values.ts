/** From a cell to a statement: a date in the notation of the vendor, or a text that is used instead of a date. */
import type { LifecycleDate } from "../../../model/index.ts";
import type { ClaimList } from "../feed/claim-list.ts";
import {
  asMonth,
  englishDate,
  isoDate,
  isoInstant,
  monthFirst,
  quarterDate,
  serialDay,
  slashedDay,
  slashedMonth,
} from "../feed/dates.ts";
import { feedChanged } from "../feed/location.ts";
import type { FeedCell, FeedRow } from "./rows.ts";
import type { FeedValue } from "./schema.ts";

const DATES: Readonly<Record<FeedValue["date"], (text: string) => LifecycleDate | undefined>> = {
  iso: isoDate,
  instant: isoInstant,
  english: englishDate,
  "slashed-day": slashedDay,
  "slashed-month": slashedMonth,
  "month-first": monthFirst,
  "serial-day": serialDay,
};

export const matches = (pattern: string, cell: FeedCell | undefined): boolean =>
  new RegExp(pattern).test(cell?.text ?? "");

/** Adds what a row states of one field. @throws EolgateError `feed-changed` if the text is not known. */
export function addValue(value: FeedValue, row: FeedRow, cycle: string, claims: ClaimList): void {
  if (value.when && !matches(value.when.pattern, row.cell(value.when.column, true))) return;
  const cell = row.cell(value.column, value.optional);
  if (cell === undefined) {
    if (isEnd(value)) addEmpty(value, row, cycle, claims);
    return;
  }
  const exception = value.exceptions?.find(({ pattern }) => matches(pattern, cell))?.means;
  if (exception === undefined) addDate(value, dateOf(value, cell), cycle, claims);
  else addException(value, exception, { cell, cycle, claims });
}

type EndValue = Extract<FeedValue, { readonly field: "eoas" | "eol" | "eoes" }>;
const isEnd = (value: FeedValue): value is EndValue =>
  value.field === "eoas" || value.field === "eol" || value.field === "eoes";

function addEmpty({ field, empty, basis }: EndValue, row: FeedRow, cycle: string, claims: ClaimList): void {
  if (empty === "open") claims.open(field, cycle, basis);
  if (empty === "no-date") claims.note("no-date", row.where, cycle);
}

type Exception = NonNullable<FeedValue["exceptions"]>[number]["means"];

function addException(
  value: FeedValue,
  means: Exception,
  { cell, cycle, claims }: { readonly cell: FeedCell; readonly cycle: string; readonly claims: ClaimList },
): void {
  if (means === "nothing") return;
  if (means !== "open" && means !== "ended") claims.note(means, cell.where, cell.text);
  else if (!isEnd(value)) return;
  else if (means === "open") claims.open(value.field, cycle, value.basis);
  else claims.ended(value.field, cycle);
}

function dateOf(value: FeedValue, cell: FeedCell): LifecycleDate {
  const { strip, about } = value;
  const isAbout = about !== undefined && matches(about, cell);
  const marks = [strip, about].flatMap((pattern) => pattern ?? []);
  const text = marks.reduce((rest, mark) => rest.replaceAll(new RegExp(mark, "g"), "").trim(), cell.text);
  // Reference data keeps some tables with ISO dates, which nothing else can be mistaken for.
  const date = DATES[value.date](text) ?? isoDate(text) ?? quarterDate(text);
  if (!date) throw feedChanged(cell.where, `a date, not ${JSON.stringify(cell.text.slice(0, 60))}`);
  if (isAbout) return { ...asMonth(date), precision: "about" };
  return value.asMonth ? asMonth(date) : date;
}

function addDate(value: FeedValue, date: LifecycleDate, cycle: string, claims: ClaimList): void {
  switch (value.field) {
    case "releaseDate":
    case "notBefore":
      claims.date(value.field, cycle, date);
      return;
    case "eoas":
    case "eol":
    case "eoes":
      claims.end(value.field, cycle, date, value.basis);
      return;
    case "track": {
      const { name, vendor, cost } = value;
      claims.track(cycle, { name, vendor, cost }, date);
    }
  }
}

/** The groups of the pattern in the template's places; undefined if the pattern does not fit. */
export function templated(cell: FeedCell | undefined, pattern: string, template = "$1"): string | undefined {
  const found = cell && new RegExp(pattern).exec(cell.text);
  return found ? template.replaceAll(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? "") : undefined;
}
