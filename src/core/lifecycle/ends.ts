/**
 * Compares the claims of sources on one end: which agree, which contradict, which is effective. The catalogue's
 * compiler and the provenance of an assessment use the same function.
 */
import type { IsoDate } from "../ids.ts";
import type { End, LifecycleDate, Claim, ClaimKind } from "../model.ts";
import { daysBetween, lastDay, sameDate } from "./days.ts";

/** Classes are counted for agreement: however many records repeat each other, they are one class. */
export type SourceClass = "vendor" | "human" | "record";
export const STATEMENT_CLASS: Readonly<Record<ClaimKind, SourceClass>> = {
  "vendor-feed": "vendor",
  override: "human",
  "human-check": "human",
  upstream: "record",
  custom: "record",
  declared: "record",
};

/** Whether both claims state the same end: the same date (at the coarser precision), or the same absence of one. */
export function sameEnd(a: End, b: End): boolean {
  if (a.kind === "dated" && b.kind === "dated") return sameDate(a.date, b.date);
  return a.kind === b.kind;
}

/**
 * Whether two sources cannot both be right. Two dates: unless they are the same. A date and a claim without one: only
 * when that claim, on the day it was read, excludes the date ("ended" read before it, "maintained" read after it);
 * otherwise the source without a date does not contradict.
 */
export function contradicts(a: Claim, b: Claim): boolean {
  if (a.end.kind === "unknown" || b.end.kind === "unknown") return false;
  if (a.end.kind === "dated" && b.end.kind === "dated") return !sameDate(a.end.date, b.end.date);
  if (a.end.kind === "dated") return excludes(b, a.end.date);
  if (b.end.kind === "dated") return excludes(a, b.end.date);
  return a.end.kind !== b.end.kind;
}

function excludes({ end, retrievedAt }: Claim, date: LifecycleDate): boolean {
  const day: IsoDate = lastDay(date);
  return end.kind === "ended" ? day >= retrievedAt : day < retrievedAt;
}

/** Records in the order of their precedence: a product that upstream takes up gives way to upstream. */
const RECORDS: readonly ClaimKind[] = ["upstream", "custom", "declared"];

/** A vendor's feed takes precedence over a record that was read at most this many days after it. */
const LEAD_DAYS = 14;

/**
 * The claim whose end is effective: an override, else a human check, else the vendor's where the record is silent or the
 * vendor's whole feed is at least as recent, else the record's. In the other cases a vendor that differs from the record
 * is a mismatch, and the record's end stays. Undefined only for an empty list.
 */
export function effectiveClaim(all: readonly Claim[]): Claim | undefined {
  const statements = all.filter(({ quarantined }) => !quarantined);
  const human = newest(statements, "override") ?? newest(statements, "human-check");
  if (human) return human;
  const record = formattedRecord(statements);
  const vendor = newest(statements, "vendor-feed");
  if (record === undefined || vendor === undefined) return record ?? vendor;
  if (leads(vendor, record)) return vendor;
  return isPreferred(record, vendor) ? record : vendor;
}

/** A whole feed that states a day, read no more than two weeks before the record that states another one. */
function leads(vendor: Claim, record: Claim): boolean {
  if (!vendor.complete || vendor.end.kind !== "dated" || vendor.end.date.precision !== "day") return false;
  if (record.end.kind !== "dated" || sameEnd(record.end, vendor.end)) return false;
  return daysBetween(vendor.retrievedAt, record.retrievedAt) <= LEAD_DAYS;
}

/** The effective end of a release cycle. */
export function effectiveEnd(statements: readonly Claim[]): End {
  return effectiveClaim(statements)?.end ?? { kind: "unknown" };
}

/** A record with a date is used; one that states "ended" is used unless the vendor states a past date. */
function isPreferred(record: Claim, vendor: Claim): boolean {
  if (record.end.kind === "dated" || vendor.end.kind === "unknown") return true;
  return record.end.kind === "ended" && contradicts(record, vendor);
}

const DETAIL: Readonly<Record<End["kind"], number>> = { dated: 0, ended: 1, open: 2, unknown: 3 };

/** The most specific record; among equals, upstream before our own. */
function formattedRecord(statements: readonly Claim[]): Claim | undefined {
  return RECORDS.flatMap((kind) => newest(statements, kind) ?? []).toSorted(
    (a, b) => DETAIL[a.end.kind] - DETAIL[b.end.kind],
  )[0];
}

/** The newest claim of a kind; a claim without a statement gives way to one with a statement. */
function newest(statements: readonly Claim[], kind: ClaimKind): Claim | undefined {
  let best: Claim | undefined;
  for (const statement of statements) {
    if (statement.kind !== kind) continue;
    if (best === undefined || newer(statement, best)) best = statement;
  }
  return best;
}

function newer(a: Claim, b: Claim): boolean {
  const silence = Number(a.end.kind === "unknown") - Number(b.end.kind === "unknown");
  if (silence !== 0) return silence < 0;
  if (a.retrievedAt !== b.retrievedAt) return a.retrievedAt > b.retrievedAt;
  // Of the same day: the more specific one, so that the order of the list does not matter.
  return DETAIL[a.end.kind] === DETAIL[b.end.kind] ? dayOf(a) > dayOf(b) : DETAIL[a.end.kind] < DETAIL[b.end.kind];
}

const dayOf = ({ end }: Claim): string => (end.kind === "dated" ? end.date.value : "");
