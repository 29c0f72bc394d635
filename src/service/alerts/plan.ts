/**
 * Determines on which days a watched release cycle causes an alert, and which alerts of a list are due on a day. The caller
 * writes the rows and queues the mail in one transaction; a stored row prevents that its alert is sent again.
 */
import { asIsoDate, type IsoDate, cycleKey } from "../../text/ids.ts";
import type { Assessment } from "../../model/index.ts";
import type { AlertRow, AlertTrigger } from "../store/store.ts";
import { addDays, addMonths, lastDay } from "../../lifecycle/days.ts";
import type { NewCveIds } from "./cycles.ts";

export interface DueAlert {
  readonly row: AlertRow;
  readonly assessment: Assessment;
  /** The previously reported end, when the date has moved. */
  readonly movedFrom?: IsoDate;
}

export interface AlertPlan {
  /** All rows to write, including superseded ones. */
  readonly rows: readonly AlertRow[];
  /** The alerts of the mail, in the order of the list. */
  readonly due: readonly DueAlert[];
}

/** A list on a day. */
export interface AlertPlanInput {
  readonly email: string;
  readonly assessments: readonly Assessment[];
  readonly newCveIds: NewCveIds;
  readonly day: IsoDate;
  /** The rows that are already stored. */
  readonly done: readonly AlertRow[];
}

export function planAlerts({ assessments, done, ...input }: AlertPlanInput): AlertPlan {
  const plans = assessments.map((assessment) => {
    const ofCycle = done.filter(({ watched }) => watched === watchedKey(assessment));
    return [planDates(assessment, input, ofCycle), planVulnerabilities(assessment, input, ofCycle)];
  });
  const all = plans.flat();
  return { rows: all.flatMap(({ rows }) => rows), due: all.flatMap(({ due }) => due) };
}

/** The key of a release cycle in alert rows. */
export const watchedKey = ({ releaseCycle }: Pick<Assessment, "releaseCycle">): string => cycleKey(releaseCycle);

/** Reports the latest reached threshold. Earlier ones that were not sent, for example during an outage, are superseded. */
function planDates(
  assessment: Assessment,
  { email, day }: Pick<AlertPlanInput, "email" | "day">,
  done: readonly AlertRow[],
): AlertPlan {
  const end = endOf(assessment);
  if (end === undefined) return NOTHING;
  const reached = dueTriggers(end, day);
  const latest = reached.at(-1);
  const isDone = (trigger: string): boolean => done.some((row) => row.trigger === trigger && row.subject === end);
  const rows = reached
    .filter((trigger) => !isDone(trigger))
    .map((trigger): AlertRow => {
      const state = trigger === latest ? "sent" : "superseded";
      return { email, watched: watchedKey(assessment), trigger, subject: end, state, day };
    });
  const movedFrom = lastReportedEnd(done, end);
  const due = rows
    .filter(({ state }) => state === "sent")
    .map((row): DueAlert => (movedFrom === undefined ? { row, assessment } : { row, assessment, movedFrom }));
  return { rows, due };
}

/** Reports each new vulnerability of the product if the release cycle has ended. */
function planVulnerabilities(
  assessment: Assessment,
  { email, newCveIds, day }: Pick<AlertPlanInput, "email" | "newCveIds" | "day">,
  done: readonly AlertRow[],
): AlertPlan {
  if (assessment.support.status !== "eol") return NOTHING;
  const watched = watchedKey(assessment);
  const rows = (newCveIds.get(assessment.releaseCycle.product) ?? [])
    .filter((cve) => !done.some((row) => row.trigger === "kev" && row.subject === cve))
    .map((cve): AlertRow => ({ email, watched, trigger: "kev", subject: cve, state: "sent", day }));
  return { rows, due: rows.map((row) => ({ row, assessment })) };
}

/** The end date of the newest row of the cycle, if it differs from `end`. */
function lastReportedEnd(done: readonly AlertRow[], end: string): IsoDate | undefined {
  const others = done.filter((row) => row.trigger !== "kev" && row.subject !== "");
  const newest = others.reduce<AlertRow | undefined>((a, b) => (a && a.day >= b.day ? a : b), undefined);
  if (!newest || others.some((row) => row.subject === end && row.day >= newest.day)) return undefined;
  return asIsoDate(newest.subject);
}

const NOTHING: AlertPlan = { rows: [], due: [] };

type DateTrigger = Exclude<AlertTrigger, "kev">;

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
const UNDATED = "";

/** The last day of the support that counts; `UNDATED`; or undefined if no end is announced. */
function endOf({ support: { date, status } }: Assessment): IsoDate | typeof UNDATED | undefined {
  if (date !== null) return lastDay(date);
  return status === "eol" ? UNDATED : undefined;
}

/** The triggers that are reached on `day`, in chronological order. */
function dueTriggers(end: IsoDate | typeof UNDATED, day: IsoDate): readonly DateTrigger[] {
  if (end === UNDATED) return ["passed"];
  return DUE.filter(({ from }) => day >= from(end)).map(({ trigger }) => trigger);
}
