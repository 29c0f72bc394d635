/** A forecast's turns as sentences, once for the table, Markdown, HTML and the calendar. Nothing here is escaped yet. */
import { daysBetween } from "../../core/lifecycle/days.ts";
import type { Forecast, UpcomingFailure } from "../../core/model.ts";
import { CONDITION_TITLES, formatCount, formatCycle, formatComponentName, formatSpan, formatTrack } from "../labels.ts";

/** `Node.js 20`; a turn always has a line. */
export function failureSubject({ outcome }: UpcomingFailure): string {
  return outcome.assessment ? formatCycle(outcome.assessment) : CONDITION_TITLES[outcome.condition];
}

/** Why it fails from that day on. */
export function failureReason({ cause, outcome, findings: [first] }: UpcomingFailure): string {
  const today = first?.outcome;
  switch (cause) {
    case "waiver":
      return `its waiver ends${today?.waived ? ` (${today.waived.target})` : ""}`;
    case "support":
      return `${today?.track ? formatTrack(today.track) : "its support"} is over`;
    case "score":
      return `its risk score reaches ${outcome.assessment?.score ?? 0}`;
    case "end":
      return CONDITION_TITLES[outcome.condition];
  }
}

/** `app@1.0, tool@2 and 3 more`. */
export function failureComponents({ findings }: UpcomingFailure, most = 3): string {
  const names = findings.slice(0, most).map(({ component }) => formatComponentName(component));
  const rest = findings.length - names.length;
  return rest > 0 ? `${names.join(", ")} and ${rest} more` : names.join(", ");
}

/** `in 45 days`. */
export function failureDistance({ from }: Forecast, { day }: UpcomingFailure): string {
  return `in ${formatSpan(daysBetween(from, day))}`;
}

/** `3 lines turn red until 2027-06-15`. */
export function forecastTitle({ failures, until }: Forecast): string {
  if (failures.length === 0) return `nothing turns red until ${until}`;
  return `${formatCount(failures.length, "line")} ${failures.length === 1 ? "turns" : "turn"} red until ${until}`;
}
