/** Dates of the lifecycle, with their precision. */
import type { IsoDate } from "../ids.ts";

/** A day as a source states it. A month means its last day in arithmetic. */
export interface LifecycleDate {
  readonly value: IsoDate;
  readonly precision: "day" | "month";
}

/**
 * When support ends: on a date; in the past, on a date that no source states; not announced while maintained; or not known.
 */
export type End =
  | { readonly kind: "dated"; readonly date: LifecycleDate }
  | { readonly kind: "ended" }
  | { readonly kind: "open" }
  | { readonly kind: "unknown" };
