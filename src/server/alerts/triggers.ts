/** When a watched release cycle causes an alert, in the order of time. The last threshold that was crossed is sent. */
import type { IsoDate } from "../../core/ids.ts";
import { addDays, addMonths, lastDay } from "../../core/lifecycle/days.ts";
import type { Assessment } from "../../core/model.ts";
import type { CycleTrigger } from "../../store/store.ts";

export type DateTrigger = Exclude<CycleTrigger, "kev">;

/** First day on which each is due, from the last day of support. */
const DUE: readonly { readonly trigger: DateTrigger; readonly from: (end: IsoDate) => IsoDate }[] = [
  { trigger: "12-months", from: (end) => addMonths(end, -12) },
  { trigger: "90-days", from: (end) => addDays(end, -90) },
  { trigger: "60-days", from: (end) => addDays(end, -60) },
  { trigger: "30-days", from: (end) => addDays(end, -30) },
  { trigger: "7-days", from: (end) => addDays(end, -7) },
  { trigger: "passed", from: (end) => addDays(end, 1) },
];

/** An end stated without a day: past it is all that is known, and there is no date that could move. */
export const UNDATED = "";

/** What the triggers of a cycle count from: its last day of support, `UNDATED`, or nothing when no end is announced. */
export function endOf({ eolDate, status }: Assessment): IsoDate | typeof UNDATED | undefined {
  if (eolDate !== null) return lastDay(eolDate);
  return status === "eol" ? UNDATED : undefined;
}

/** The triggers that are due on `day`, the latest last. */
export function dueTriggers(end: IsoDate | typeof UNDATED, day: IsoDate): readonly DateTrigger[] {
  if (end === UNDATED) return ["passed"];
  return DUE.filter(({ from }) => day >= from(end)).map(({ trigger }) => trigger);
}

/** Every trigger with its day, for a preview. */
export function schedule(end: IsoDate): readonly { readonly trigger: DateTrigger; readonly day: IsoDate }[] {
  return DUE.map(({ trigger, from }) => ({ trigger, day: from(end) }));
}
