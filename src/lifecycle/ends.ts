/**
 * Compares the claims of sources about one end: which of them agree, which contradict each other, and which one is
 * effective. The catalogue's compiler and the provenance of an assessment use the same functions.
 */
import { isIsoDate, type IsoDate, type StatementDay } from "../text/ids.ts";
import type { End, LifecycleDate, Claim, ClaimKind } from "../model/index.ts";
import { daysBetween, firstDay, lastDay, sameDate } from "./days.ts";

/** Agreement counts classes of sources, because records copy from each other: any number of them counts once. */
export type SourceClass = "vendor" | "human" | "record";
export const CLAIM_CLASS: Readonly<Record<ClaimKind, SourceClass>> = {
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

/** Days within which a date can be the one that another source states as approximate. */
const ABOUT_DAYS = 31;

const isApproximate = (a: LifecycleDate, b: LifecycleDate): boolean =>
  [a, b].some(({ precision }) => precision === "about") && Math.abs(daysBetween(lastDay(a), lastDay(b))) <= ABOUT_DAYS;

/**
 * Whether two sources cannot both be right. Two dates: unless they are the same, or about the same. A date and a claim
 * without one: only when that claim excludes the date: "ended" read on or before it, or "maintained" read after it.
 */
export function contradicts(a: Claim, b: Claim): boolean {
  if (a.end.kind === "unknown" || b.end.kind === "unknown") return false;
  if (a.end.kind === "dated" && b.end.kind === "dated")
    return !sameDate(a.end.date, b.end.date) && !isApproximate(a.end.date, b.end.date);
  if (a.end.kind === "dated") return excludes(b, a.end.date);
  if (b.end.kind === "dated") return excludes(a, b.end.date);
  return a.end.kind !== b.end.kind;
}

function excludes({ end, retrievedAt }: Claim, date: LifecycleDate): boolean {
  // Of a claim that was read in a month, it is not known on which of its days.
  const day = lastDay(date).slice(0, retrievedAt.length);
  if (end.kind !== "ended") return day < retrievedAt;
  return day > retrievedAt || (day === retrievedAt && isIsoDate(retrievedAt));
}

/** Records by precedence: once upstream records a product, its record is used instead of our own. */
const RECORDS: readonly ClaimKind[] = ["upstream", "custom", "declared"];

/** A vendor's feed takes precedence over a record that was read at most this many days after it. */
const LEAD_DAYS = 14;

/**
 * Returns the claim whose end is effective: an override, else a human check, else the vendor's claim if no record
 * states an end or the vendor takes precedence (`takesPrecedence`), else the record's claim. A vendor's claim that
 * differs from the record and does not take precedence is a mismatch. Quarantined claims are ignored; undefined if no
 * claim is left.
 */
export function effectiveClaim(all: readonly Claim[]): Claim | undefined {
  const claims = all.filter(({ quarantined }) => !quarantined);
  const human = newest(claims, "override") ?? newest(claims, "human-check");
  if (human) return human;
  const record = bestRecord(claims);
  const vendor = newest(claims, "vendor-feed");
  if (record === undefined || vendor === undefined) return record ?? vendor;
  if (takesPrecedence(vendor, record)) return vendor;
  return isRecordPreferred(record, vendor) ? record : vendor;
}

/**
 * Whether a vendor's complete feed was read at most `LEAD_DAYS` before a record, and states another date as a day, or the
 * same as a quarter or as approximate, of which the record made a day.
 */
function takesPrecedence(vendor: Claim, record: Claim): boolean {
  if (!vendor.complete || vendor.end.kind !== "dated" || record.end.kind !== "dated") return false;
  const { precision } = vendor.end.date;
  const isSame = sameEnd(record.end, vendor.end);
  if (isSame ? precision !== "quarter" && precision !== "about" : precision !== "day") return false;
  return daysBetween(firstDay(vendor.retrievedAt), firstDay(record.retrievedAt)) <= LEAD_DAYS;
}

/** The effective end of a release cycle. */
export function effectiveEnd(claims: readonly Claim[]): End {
  return effectiveClaim(claims)?.end ?? { kind: "unknown" };
}

/** A record with a date is preferred; one that states "ended" only where the vendor's claim contradicts it. */
function isRecordPreferred(record: Claim, vendor: Claim): boolean {
  if (record.end.kind === "dated" || vendor.end.kind === "unknown") return true;
  return record.end.kind === "ended" && contradicts(record, vendor);
}

/** Days for which a statement counts as current after it was last seen, unless a policy sets a limit of its own. */
export const STATEMENT_CURRENT_DAYS = 365;

/** The day on which the end of a claim was last seen to be stated, by any source. */
export function lastSeen({ end, retrievedAt }: Claim, others: readonly Claim[]): StatementDay {
  const agreeing = others.filter((other) => sameEnd(other.end, end));
  return agreeing.reduce((latest, other) => (other.retrievedAt > latest ? other.retrievedAt : latest), retrievedAt);
}

/** Whether an end arrived, or is still to come, without a source that was read within that time: plans change. */
export function isLongUnseen(effective: Claim, others: readonly Claim[], asOf: IsoDate): boolean {
  if (effective.end.kind !== "dated") return false;
  const end = lastDay(effective.end.date);
  return daysBetween(firstDay(lastSeen(effective, others)), end < asOf ? end : asOf) > STATEMENT_CURRENT_DAYS;
}

const DETAIL: Readonly<Record<End["kind"], number>> = { dated: 0, ended: 1, open: 2, unknown: 3 };

/** The most specific record; among equals, upstream before our own. */
function bestRecord(claims: readonly Claim[]): Claim | undefined {
  return RECORDS.flatMap((kind) => newest(claims, kind) ?? []).toSorted(
    (a, b) => DETAIL[a.end.kind] - DETAIL[b.end.kind],
  )[0];
}

/** The newest claim of a kind; a claim that states an end is preferred to one that states nothing. */
export function newest(claims: readonly Claim[], kind: ClaimKind): Claim | undefined {
  let best: Claim | undefined;
  for (const claim of claims) if (claim.kind === kind && (best === undefined || newer(claim, best))) best = claim;
  return best;
}

function newer(a: Claim, b: Claim): boolean {
  const byKnown = Number(a.end.kind === "unknown") - Number(b.end.kind === "unknown");
  if (byKnown !== 0) return byKnown < 0;
  if (a.retrievedAt !== b.retrievedAt) return a.retrievedAt > b.retrievedAt;
  // Read on the same day: the more specific one, so that the order of the list does not matter.
  return detailOf(a) === detailOf(b) ? endValue(a) > endValue(b) : detailOf(a) < detailOf(b);
}

/** A day is more specific than a month. */
const detailOf = ({ end }: Claim): number =>
  end.kind === "dated" && end.date.precision !== "day" ? 0.5 : DETAIL[end.kind];

const endValue = ({ end }: Claim): string => (end.kind === "dated" ? end.date.value : "");
