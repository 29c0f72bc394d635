/** The forecast as an iCalendar file (RFC 5545): one whole-day event for each release cycle that starts to fail. */
import { addDays } from "../lifecycle/days.ts";
import type { Report, UpcomingFailure } from "../model/index.ts";
import { calendarDay as basic, calendarText as escaped, wrapLine as wrapped } from "./calendar-lines.ts";
import { safeUrl } from "./escape.ts";
import { hash } from "./fingerprint.ts";
import { forecastTitle, failureComponents, failureReason, failureSubject } from "./forecast/labels.ts";
import type { Reporter } from "./reporter.ts";

export const calendar: Reporter = (report) => {
  const failures = report.forecast?.failures ?? [];
  const eventId = eventIds();
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//eolgate//eolgate ${escaped(report.tool.version)}//EN`,
    "CALSCALE:GREGORIAN",
    "X-WR-CALNAME:End-of-life dates",
    ...(failures.length > 0 ? failures.flatMap((failure) => event(failure, eventId, report)) : emptyEntry(report)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${wrapped(line)}\r\n`).join("");
};

/**
 * A calendar must have at least one component (RFC 5545, 3.6); calendar programs do not show this one as an
 * appointment.
 */
function emptyEntry({ asOf, forecast }: Report): readonly string[] {
  return [
    "BEGIN:VJOURNAL",
    "UID:nothing@eolgate",
    `DTSTAMP:${basic(asOf)}T000000Z`,
    `SUMMARY:${escaped(forecast ? forecastTitle(forecast) : "no forecast")}`,
    "END:VJOURNAL",
  ];
}

/** The reminder is 30 days before the event. */
const REMINDER = "-P30D";

function event(
  failure: UpcomingFailure,
  eventId: (failure: UpcomingFailure) => string,
  { asOf, links }: Report,
): readonly string[] {
  const releaseCycle = failure.outcome.assessment?.releaseCycle;
  const card = releaseCycle === undefined ? null : safeUrl(links.scoreCard(releaseCycle));
  const subject = `${failureSubject(failure)}: ${failureReason(failure)}`;
  return [
    "BEGIN:VEVENT",
    `UID:${eventId(failure)}@eolgate`,
    `DTSTAMP:${basic(asOf)}T000000Z`,
    `DTSTART;VALUE=DATE:${basic(failure.day)}`,
    `DTEND;VALUE=DATE:${basic(addDays(failure.day, 1))}`,
    `SUMMARY:${escaped(subject)}`,
    `DESCRIPTION:${escaped(`The gate fails from this day. Components: ${failureComponents(failure, 20)}`)}`,
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
 * Creates event ids. They depend on the cycle, the condition and the cause, so that a calendar updates the event when
 * the date moves.
 */
function eventIds(): (failure: UpcomingFailure) => string {
  const seen = new Map<string, number>();
  return ({ outcome, cause }) => {
    const releaseCycle = outcome.assessment?.releaseCycle;
    const key = `${releaseCycle?.product}:${releaseCycle?.cycle}|${outcome.condition}|${cause}`;
    const earlier = seen.get(key) ?? 0;
    seen.set(key, earlier + 1);
    return hash(`${key}|${earlier}`);
  };
}
