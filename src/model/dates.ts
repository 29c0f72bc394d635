/** Dates of the lifecycle with their precision, milestones in the life of a release cycle, and which of them the gate takes as the end. */
import type { IsoDate } from "../text/ids.ts";

/** A date as a source states it. In arithmetic, a month or a quarter is its last day. */
export interface LifecycleDate {
  readonly value: IsoDate;
  /** `about`: the source states the month as approximate, expected or tentative. */
  readonly precision: "day" | "month" | "quarter" | "about";
}

/**
 * When support ends. `dated`: on a date; `ended`: on a past date that no source states; `open`: maintained, no end
 * announced; `unknown`: not known.
 */
export type End =
  | { readonly kind: "dated"; readonly date: LifecycleDate }
  | { readonly kind: "ended" }
  | { readonly kind: "open" }
  | { readonly kind: "unknown" };

/** What a day in the life of a release cycle means. `drop-day`: others may stop to support it. */
export const MILESTONE_KINDS = [
  "general-availability",
  "active-support-end",
  "security-fixes-end",
  "technical-support-end",
  "extended-free-end",
  "extended-paid-end",
  "updates-blocked",
  "service-end",
  "recommended-use-end",
  "sale-end",
  "drop-day",
  "not-before",
  "unknown",
] as const;
/** The meaning of a day in the life of a release cycle. */
export type MilestoneKind = (typeof MILESTONE_KINDS)[number];

/** Which field of the product's source is the gate's end, and how that is known. */
export interface GateEnd {
  readonly end: "eol" | "eoas" | "eoes" | "none";
  /**
   * `label`: the source's label states that fixes of vulnerabilities end. `record`: its text does. `vendor`: the vendor's
   * page does. `not-stated`: no source states what the day means; `end` is the careful choice.
   */
  readonly basis: "label" | "record" | "vendor" | "not-stated";
  /** What the source's days mean, where it is not what the names of the fields say. */
  readonly kinds?: Readonly<Partial<Record<"eoas" | "eol" | "eoes", MilestoneKind>>>;
  readonly why?: string;
}
