/** `eolgate watch preview`: the alerts of a list and their days, if the catalogue does not change. */
import type { IsoDate } from "../../text/ids.ts";
import type { Assessment, Catalogue } from "../../model/index.ts";
import type { WatchedCycle } from "../store/store.ts";
import { assessCycles } from "./cycles.ts";
import { cycleKey } from "./plan.ts";
import { dueTriggers, endOf, schedule, UNDATED } from "./triggers.ts";
import type { DateTrigger } from "./triggers.ts";

export interface PreviewAlert {
  readonly day: IsoDate;
  readonly cycle: string;
  readonly trigger: DateTrigger;
  /** Empty if the date of the end is not published. */
  readonly end: string;
}

export interface Preview {
  readonly asOf: IsoDate;
  /** The latest threshold that each cycle has reached, which the welcome mail contains. */
  readonly welcome: readonly PreviewAlert[];
  /** Future alerts, sorted by day. */
  readonly upcoming: readonly PreviewAlert[];
  /** Cycles without an announced end, which cause no alert until one is announced. */
  readonly silent: readonly string[];
  /** Ended release cycles, for which each newly exploited vulnerability causes an alert. */
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
