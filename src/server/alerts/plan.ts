/**
 * Which alerts a list is due on a day: pure. The runner writes the rows and the mail in one
 * transaction; a row that is there keeps its alert from being sent again.
 */
import { asIsoDate } from "../../core/ids.ts";
import type { IsoDate } from "../../core/ids.ts";
import type { Assessment } from "../../core/model.ts";
import type { AlertRow, CycleTrigger } from "../../store/store.ts";
import { dueTriggers, endOf } from "./triggers.ts";

/** `product` → CVEs that the newest refresh brought. */
export type NewCves = ReadonlyMap<string, readonly string[]>;

/** An alert about a release cycle. */
interface CycleAlertRow extends AlertRow {
  readonly trigger: CycleTrigger;
}

export interface DueAlert {
  readonly row: CycleAlertRow;
  readonly assessment: Assessment;
  /** The previously reported end, when the date has moved. */
  readonly movedFrom?: IsoDate;
}

export interface AlertPlan {
  /** Every row to write, the superseded ones among them. */
  readonly rows: readonly CycleAlertRow[];
  /** The alerts of the mail, in the order of the list. */
  readonly due: readonly DueAlert[];
}

/** One list on one day. */
export interface AlertQuestion {
  readonly email: string;
  readonly assessments: readonly Assessment[];
  readonly landed: NewCves;
  readonly day: IsoDate;
  /** The rows that are written already. */
  readonly done: readonly AlertRow[];
}

export function planAlerts({ assessments, done, ...question }: AlertQuestion): AlertPlan {
  const plans = assessments.map((assessment) => {
    const ofCycle = done.filter(({ watched }) => watched === cycleKey(assessment));
    return [dates(assessment, question, ofCycle), vulnerabilities(assessment, question, ofCycle)];
  });
  const all = plans.flat();
  return { rows: all.flatMap(({ rows }) => rows), due: all.flatMap(({ due }) => due) };
}

/** `slug:cycle`. */
export const cycleKey = ({ releaseCycle }: Pick<Assessment, "releaseCycle">): string =>
  `${releaseCycle.product}:${releaseCycle.cycle}`;

/** The latest crossed threshold is reported; older ones that a standstill skipped are marked superseded. */
function dates(
  assessment: Assessment,
  { email, day }: Pick<AlertQuestion, "email" | "day">,
  done: readonly AlertRow[],
): AlertPlan {
  const end = endOf(assessment);
  if (end === undefined) return NOTHING;
  const reached = dueTriggers(end, day);
  const latest = reached.at(-1);
  const isDone = (trigger: string): boolean => done.some((row) => row.trigger === trigger && row.subject === end);
  const rows = reached
    .filter((trigger) => !isDone(trigger))
    .map((trigger): CycleAlertRow => {
      const state = trigger === latest ? "sent" : "superseded";
      return { email, watched: cycleKey(assessment), trigger, subject: end, state, day };
    });
  const movedFrom = lastReportedEnd(done, end);
  const due = rows
    .filter(({ state }) => state === "sent")
    .map((row): DueAlert => (movedFrom === undefined ? { row, assessment } : { row, assessment, movedFrom }));
  return { rows, due };
}

/** Each vulnerability that the refresh added to the product of an ended release cycle. */
function vulnerabilities(
  assessment: Assessment,
  { email, landed, day }: Pick<AlertQuestion, "email" | "landed" | "day">,
  done: readonly AlertRow[],
): AlertPlan {
  if (assessment.status !== "eol") return NOTHING;
  const watched = cycleKey(assessment);
  const rows = (landed.get(assessment.releaseCycle.product) ?? [])
    .filter((cve) => !done.some((row) => row.trigger === "kev" && row.subject === cve))
    .map((cve): CycleAlertRow => ({ email, watched, trigger: "kev", subject: cve, state: "sent", day }));
  return { rows, due: rows.map((row) => ({ row, assessment })) };
}

/** The end date that the newest row of the cycle was based on, when it differs. */
function lastReportedEnd(done: readonly AlertRow[], end: string): IsoDate | undefined {
  const others = done.filter((row) => row.trigger !== "kev" && row.subject !== "");
  const newest = others.reduce<AlertRow | undefined>((a, b) => (a && a.day >= b.day ? a : b), undefined);
  if (!newest || others.some((row) => row.subject === end && row.day >= newest.day)) return undefined;
  return asIsoDate(newest.subject);
}

const NOTHING: AlertPlan = { rows: [], due: [] };
