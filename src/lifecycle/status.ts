/** The status of a release cycle on a day. */
import type { IsoDate } from "../text/ids.ts";
import type { Doubt, End, ReleaseCycle, Status } from "../model/index.ts";
import { daysBetween, lastDay } from "./days.ts";
import { mayHaveEnded } from "./doubts.ts";

/** A cycle is `approaching` from this many days before its end. The policy has a warning window of its own. */
export const APPROACHING_DAYS = 90;

export interface LifecycleState {
  readonly status: Status;
  /** 0 on the last supported day; null after it, or when no date is known. */
  readonly daysUntilEol: number | null;
  /** 1 on the day after the end; null until then, or when no date is known. */
  readonly daysPastEol: number | null;
}

/**
 * Whether a cycle has long-term support on a day. It may start after the release: Node.js 26 gets it half a year later.
 */
export const isLongTerm = ({ lts, ltsFrom }: ReleaseCycle, asOf: IsoDate): boolean =>
  lts && (ltsFrom === undefined || ltsFrom <= asOf);

/**
 * Whether no end is announced and active support has ended, so that only security fixes are released. A model is
 * deprecated instead.
 */
export const isMaintenanceOnly = ({ eol, eoasFrom, deprecatedFrom }: ReleaseCycle, asOf: IsoDate): boolean =>
  eol.kind === "open" &&
  deprecatedFrom === undefined &&
  eoasFrom !== undefined &&
  lifecycleState(eoasFrom, asOf).status === "eol";

/** Returns the status on a day (UTC), with the days until or since the end. Without an end, a doubt makes it unknown. */
export function lifecycleState(end: End, asOf: IsoDate, doubts: readonly Doubt[] = []): LifecycleState {
  switch (end.kind) {
    case "ended":
      return { status: "eol", daysUntilEol: null, daysPastEol: null };
    case "open":
      return { status: mayHaveEnded(doubts, asOf) ? "unknown" : "active", daysUntilEol: null, daysPastEol: null };
    case "unknown":
      return { status: "unknown", daysUntilEol: null, daysPastEol: null };
    case "dated":
      return stateByDaysLeft(daysBetween(asOf, lastDay(end.date)));
  }
}

function stateByDaysLeft(days: number): LifecycleState {
  if (days < 0) return { status: "eol", daysUntilEol: null, daysPastEol: -days };
  return { status: days <= APPROACHING_DAYS ? "approaching" : "active", daysUntilEol: days, daysPastEol: null };
}
