/** Upcoming failures as text, for the table, Markdown, HTML and the calendar. Texts are not escaped. */
import { daysBetween } from "../../lifecycle/days.ts";
import type { Forecast, RuleOutcome, UpcomingFailure } from "../../model/index.ts";
import { CONDITIONS } from "../../policy/conditions.ts";
import { formatCount, formatSpan } from "../../messages/format.ts";
import { formatCycle, formatComponentName, formatTrack } from "../labels.ts";

/** `Node.js 20`; an upcoming failure always has a release cycle. */
export function failureSubject({ outcome }: UpcomingFailure): string {
  return outcome.assessment ? formatCycle(outcome.assessment) : CONDITIONS[outcome.condition].title;
}

/** Why it fails from that day on. */
export function failureReason({ cause, outcome, findings: [first] }: UpcomingFailure): string {
  const track = outcome.assessment?.support.track;
  switch (cause) {
    case "waiver":
      return `its waiver expires${formatTarget(first?.outcome)}`;
    case "support":
      return `${track ? formatTrack(track) : "its support"} ends`;
    case "score":
      return `its risk score reaches ${outcome.assessment?.score ?? 0}`;
    case "end":
      return CONDITIONS[outcome.condition].title;
  }
}

const formatTarget = (outcome: RuleOutcome | undefined): string =>
  outcome?.waived ? ` (${outcome.waived.target})` : "";

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

/** The heading of the forecast. */
export function forecastTitle({ failures, until }: Forecast): string {
  if (failures.length === 0) return `no upcoming failures until ${until}`;
  return `${formatCount(failures.length, "upcoming failure")} until ${until}`;
}
