/** What a list would send and when, if the catalogue stayed as it is: `eolgate watch preview`. */
import type { IsoDate } from "../../core/ids.ts";
import type { Assessment, Catalogue } from "../../core/model.ts";
import type { WatchedCycle } from "../../store/store.ts";
import { assessCycles } from "./cycles.ts";
import { cycleKey } from "./plan.ts";
import { dueTriggers, endOf, schedule, UNDATED } from "./triggers.ts";
import type { DateTrigger } from "./triggers.ts";

export interface PreviewAlert {
  readonly day: IsoDate;
  readonly cycle: string;
  readonly trigger: DateTrigger;
  /** Empty where the end is stated without a day. */
  readonly end: string;
}

export interface Preview {
  readonly asOf: IsoDate;
  /** Listed in the welcome mail: the latest threshold that each cycle has crossed. */
  readonly welcome: readonly PreviewAlert[];
  /** Alerts to come, by day. */
  readonly upcoming: readonly PreviewAlert[];
  /** Cycles without an announced end: nothing is due until one is announced. */
  readonly silent: readonly string[];
  /** Ended release cycles: each vulnerability newly known to be exploited is reported at once. */
  readonly exposed: readonly string[];
}

export function previewAlerts(catalogue: Catalogue, releaseCycles: readonly WatchedCycle[], asOf: IsoDate): Preview {
  const assessments = assessCycles(catalogue, releaseCycles, asOf);
  const upcoming = assessments.flatMap((assessment) => coming(assessment, asOf));
  return {
    asOf,
    welcome: assessments.flatMap((assessment) => latest(assessment, asOf)),
    upcoming: upcoming.sort((a, b) => compare(a.day, b.day) || compare(a.cycle, b.cycle)),
    silent: assessments.filter((assessment) => endOf(assessment) === undefined).map(cycleKey),
    exposed: assessments.filter(({ status }) => status === "eol").map(cycleKey),
  };
}

function latest(assessment: Assessment, day: IsoDate): readonly PreviewAlert[] {
  const end = endOf(assessment);
  const trigger = end === undefined ? undefined : dueTriggers(end, day).at(-1);
  return end === undefined || trigger === undefined ? [] : [{ day, cycle: cycleKey(assessment), trigger, end }];
}

function coming(assessment: Assessment, asOf: IsoDate): readonly PreviewAlert[] {
  const end = endOf(assessment);
  if (end === undefined || end === UNDATED) return [];
  const cycle = cycleKey(assessment);
  return schedule(end)
    .filter(({ day }) => day > asOf)
    .map(({ day, trigger }) => ({ day, cycle, trigger, end }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
