/** Dates of the lifecycle, with their precision. */
import type { IsoDate } from "../text/ids.ts";

/** A date as a source states it. In arithmetic, a month is its last day. */
export interface LifecycleDate {
  readonly value: IsoDate;
  readonly precision: "day" | "month";
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
