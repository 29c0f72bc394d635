/**
 * The forecast as a calendar to subscribe to: one whole-day event for each release cycle that starts to fail (RFC
 * 5545).
 */
import { addDays } from "../core/lifecycle/days.ts";
import type { Report, UpcomingFailure } from "../core/model.ts";
import { calendarDay as basic, calendarText as escaped, wrapLine as wrapped } from "./calendar-lines.ts";
import { safeUrl } from "./escape.ts";
import { hash } from "./fingerprint.ts";
import { forecastTitle, failureComponents, failureReason, failureSubject } from "./forecast/labels.ts";
import type { Reporter } from "./reporter.ts";

export const calendar: Reporter = (report) => {
  const turns = report.forecast?.failures ?? [];
  const uid = uids();
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//eolgate//eolgate ${escaped(report.tool.version)}//EN`,
    "CALSCALE:GREGORIAN",
    "X-WR-CALNAME:End-of-life dates",
    ...(turns.length > 0 ? turns.flatMap((turn) => event(turn, uid, report)) : nothing(report)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${wrapped(line)}\r\n`).join("");
};

/** A calendar has at least one component (RFC 5545, 3.6); this one no calendar shows among the appointments. */
function nothing({ asOf, forecast }: Report): readonly string[] {
  return [
    "BEGIN:VJOURNAL",
    "UID:nothing@eolgate",
    `DTSTAMP:${basic(asOf)}T000000Z`,
    `SUMMARY:${escaped(forecast ? forecastTitle(forecast) : "no forecast")}`,
    "END:VJOURNAL",
  ];
}

/** A reminder a month ahead: time to move. */
const REMINDER = "-P30D";

function event(
  turn: UpcomingFailure,
  uid: (turn: UpcomingFailure) => string,
  { asOf, links }: Report,
): readonly string[] {
  const releaseCycle = turn.outcome.assessment?.releaseCycle;
  const card = releaseCycle === undefined ? null : safeUrl(links.scoreCard(releaseCycle));
  const subject = `${failureSubject(turn)}: ${failureReason(turn)}`;
  return [
    "BEGIN:VEVENT",
    `UID:${uid(turn)}@eolgate`,
    `DTSTAMP:${basic(asOf)}T000000Z`,
    `DTSTART;VALUE=DATE:${basic(turn.day)}`,
    `DTEND;VALUE=DATE:${basic(addDays(turn.day, 1))}`,
    `SUMMARY:${escaped(subject)}`,
    `DESCRIPTION:${escaped(`The gate fails from this day. Components: ${failureComponents(turn, 20)}`)}`,
    ...(card === null ? [] : [`URL:${card}`]),
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `TRIGGER:${REMINDER}`,
    `DESCRIPTION:${escaped(subject)}`,
    "END:VALARM",
    "END:VEVENT",
  ];
}

/**
 * The same cycle, condition and cause keep their event id when the date moves, so that a calendar updates the event.
 */
function uids(): (turn: UpcomingFailure) => string {
  const seen = new Map<string, number>();
  return ({ outcome, cause }) => {
    const releaseCycle = outcome.assessment?.releaseCycle;
    const key = `${releaseCycle?.product}:${releaseCycle?.cycle}|${outcome.condition}|${cause}`;
    const earlier = seen.get(key) ?? 0;
    seen.set(key, earlier + 1);
    return hash(`${key}|${earlier}`);
  };
}
