/** A forecast's turns as sentences, once for the table, Markdown, HTML and the calendar. Nothing here is escaped yet. */
import { daysBetween } from "../../core/lifecycle/days.ts";
import type { Forecast, Turn } from "../../core/model.ts";
import { CONDITION_TITLES, counted, lineWords, nameWords, spanWords, trackWords } from "../words.ts";

/** `Node.js 20`; a turn always has a line. */
export function turnSubject({ ruling }: Turn): string {
  return ruling.assessment ? lineWords(ruling.assessment) : CONDITION_TITLES[ruling.condition];
}

/** Why it fails from that day on. */
export function turnReason({ cause, ruling, findings: [first] }: Turn): string {
  const today = first?.ruling;
  switch (cause) {
    case "waiver":
      return `its waiver ends${today?.waived ? ` (${today.waived.target})` : ""}`;
    case "support":
      return `${today?.track ? trackWords(today.track) : "its support"} is over`;
    case "score":
      return `its risk score reaches ${ruling.assessment?.score ?? 0}`;
    case "end":
      return CONDITION_TITLES[ruling.condition];
  }
}

/** `app@1.0, tool@2 and 3 more`. */
export function turnComponents({ findings }: Turn, most = 3): string {
  const names = findings.slice(0, most).map(({ component }) => nameWords(component));
  const rest = findings.length - names.length;
  return rest > 0 ? `${names.join(", ")} and ${rest} more` : names.join(", ");
}

/** `in 45 days`. */
export function turnDistance({ from }: Forecast, { day }: Turn): string {
  return `in ${spanWords(daysBetween(from, day))}`;
}

/** `3 lines turn red until 2027-06-15`. */
export function forecastTitle({ turns, until }: Forecast): string {
  if (turns.length === 0) return `nothing turns red until ${until}`;
  return `${counted(turns.length, "line")} ${turns.length === 1 ? "turns" : "turn"} red until ${until}`;
}
