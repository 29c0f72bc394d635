/** Determines when a watched release cycle causes an alert. */
import type { IsoDate } from "../../text/ids.ts";
import { addDays, addMonths, lastDay } from "../../lifecycle/days.ts";
import type { Assessment } from "../../model/index.ts";
import type { CycleTrigger } from "../store/store.ts";

export type DateTrigger = Exclude<CycleTrigger, "kev">;

/** The first day of each trigger, from the last day of support, in chronological order. */
const DUE: readonly { readonly trigger: DateTrigger; readonly from: (end: IsoDate) => IsoDate }[] = [
  { trigger: "12-months", from: (end) => addMonths(end, -12) },
  { trigger: "90-days", from: (end) => addDays(end, -90) },
  { trigger: "60-days", from: (end) => addDays(end, -60) },
  { trigger: "30-days", from: (end) => addDays(end, -30) },
  { trigger: "7-days", from: (end) => addDays(end, -7) },
  { trigger: "passed", from: (end) => addDays(end, 1) },
];

/** The end of a cycle that has ended, but whose date is not published. */
export const UNDATED = "";

/** The last day of support of a cycle; `UNDATED`; or undefined if no end is announced. */
export function endOf({ eolDate, status }: Assessment): IsoDate | typeof UNDATED | undefined {
  if (eolDate !== null) return lastDay(eolDate);
  return status === "eol" ? UNDATED : undefined;
}

/** The triggers that are reached on `day`, in chronological order. */
export function dueTriggers(end: IsoDate | typeof UNDATED, day: IsoDate): readonly DateTrigger[] {
  if (end === UNDATED) return ["passed"];
  return DUE.filter(({ from }) => day >= from(end)).map(({ trigger }) => trigger);
}

/** All triggers with their days, for a preview. */
export function schedule(end: IsoDate): readonly { readonly trigger: DateTrigger; readonly day: IsoDate }[] {
  return DUE.map(({ trigger, from }) => ({ trigger, day: from(end) }));
}
