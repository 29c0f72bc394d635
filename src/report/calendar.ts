/**
 * iCalendar files (RFC 5545) of the forecast and of the ends of release cycles, and an Atom feed (RFC 4287) of the same
 * ends. Calendar and feed of the ends depend only on the catalogue and on which ends are near, so they change only when
 * these do.
 */
import { addDays, firstDay, lastDay } from "../lifecycle/days.ts";
import { formatDate } from "../messages/format.ts";
import { type IsoDate, cycleKey } from "../text/ids.ts";
import type { Assessment, LifecycleDate, UpcomingFailure } from "../model/index.ts";
import type { Links } from "../wire/links.ts";
import { reportNotes } from "./notes.ts";
import { escapeXml, safeUrl, singleLine } from "./escape.ts";
import { failureComponents, failureReason, failureSubject, forecastTitle } from "./forecast.ts";
import { formatCycle } from "./labels.ts";
import { formatProvenance } from "../messages/provenance.ts";
import { hash } from "./locations.ts";
import type { Reporter } from "./reporter.ts";

/** One whole-day event for each release cycle that starts to fail. */
export const calendar: Reporter = (report) => {
  const { tool, asOf, forecast, links } = report;
  const notes = reportNotes(report).map(({ text }) => text);
  const eventId = eventIds();
  return calendarFile({
    head: [
      `PRODID:-//eolgate//eolgate ${escapeValue(tool.version)}//EN`,
      "CALSCALE:GREGORIAN",
      ...notes.map((text) => `X-WR-CALDESC:${escapeValue(text)}`),
    ],
    name: "End-of-life dates",
    day: asOf,
    none: forecast ? forecastTitle(forecast) : "no forecast",
    events: (forecast?.failures ?? []).map((failure) => {
      const releaseCycle = failure.outcome.assessment?.releaseCycle;
      return {
        id: eventId(failure),
        day: failure.day,
        subject: `${failureSubject(failure)}: ${failureReason(failure)}`,
        description: `The gate fails from this day. Components: ${failureComponents(failure, 20)}`,
        url: releaseCycle === undefined ? null : safeUrl(links.scoreCard(releaseCycle)),
      };
    }),
  });
};

/** Ids depend on the cycle, the condition and the cause, so that a calendar updates the event when the date moves. */
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

interface CalendarData {
  /** The properties after the version. */
  readonly head: readonly string[];
  readonly name: string;
  /** The day on which the data was current. */
  readonly day: string;
  /** Summary of the entry of a calendar without events. */
  readonly none: string;
  readonly events: readonly CalendarEvent[];
}

interface CalendarEvent {
  readonly id: string;
  readonly day: IsoDate;
  readonly subject: string;
  readonly description: string;
  readonly url: string | null;
}

function calendarFile({ head, name, day, none, events }: CalendarData): string {
  const timestamp = `DTSTAMP:${basicDay(day)}T000000Z`;
  // A calendar must have at least one component (RFC 5545, 3.6); calendar programs do not show a journal entry as an
  // appointment.
  const nothing = ["BEGIN:VJOURNAL", "UID:nothing@eolgate", timestamp, `SUMMARY:${escapeValue(none)}`, "END:VJOURNAL"];
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    ...head,
    `X-WR-CALNAME:${escapeValue(name)}`,
    ...(events.length === 0 ? nothing : events.flatMap((each) => eventLines(each, timestamp))),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${wrapLine(line)}\r\n`).join("");
}

/** The reminder is 30 days before the event. */
const REMINDER = "-P30D";

const eventLines = ({ id, day, subject, description, url }: CalendarEvent, timestamp: string): readonly string[] => [
  "BEGIN:VEVENT",
  `UID:${id}@eolgate`,
  timestamp,
  `DTSTART;VALUE=DATE:${basicDay(day)}`,
  `DTEND;VALUE=DATE:${basicDay(addDays(day, 1))}`,
  `SUMMARY:${escapeValue(subject)}`,
  `DESCRIPTION:${escapeValue(description)}`,
  ...(url === null ? [] : [`URL:${url}`]),
  "TRANSP:TRANSPARENT",
  "BEGIN:VALARM",
  "ACTION:DISPLAY",
  `TRIGGER:${REMINDER}`,
  `DESCRIPTION:${escapeValue(subject)}`,
  "END:VALARM",
  "END:VEVENT",
];

/** `20261122` */
const basicDay = (day: string): string => day.replaceAll("-", "");

/** A text value (RFC 5545, 3.3.11); control characters, including line breaks, are made visible. */
const escapeValue = (text: string): string => singleLine(text).replaceAll(/[\\;,]/g, "\\$&");

/** Folds a line at 75 octets (RFC 5545, 3.1) without splitting a character. */
function wrapLine(line: string): string {
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (octets + size > 75) {
      parts.push(part);
      // The space that marks a continuation counts.
      [part, octets] = ["", 1];
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join("\r\n ");
}

export interface Subscription {
  readonly title: string;
  /** Address of the page that the feed belongs to. */
  readonly page: string;
  /** Address of the feed itself. */
  readonly self: string;
  /** Day of the catalogue. */
  readonly updated: string;
  readonly ends: readonly CycleEnd[];
}

export interface CycleEnd {
  readonly assessment: Assessment;
  readonly end: LifecycleDate;
}

/** The dated ends of the support that counts, at most `past` days before and `ahead` days after the day of the assessments, the earliest first. */
export function nearEnds(
  assessments: readonly Assessment[],
  { past, ahead }: { readonly past: number; readonly ahead: number },
): readonly CycleEnd[] {
  return assessments
    .flatMap((assessment) => {
      const { date, daysPastEol, daysUntilEol } = assessment.support;
      const isNear = (daysPastEol ?? 0) <= past && (daysUntilEol ?? 0) <= ahead;
      return date !== null && isNear ? [{ assessment, end: date }] : [];
    })
    .toSorted((one, other) => (lastDay(one.end) < lastDay(other.end) ? -1 : 1));
}

const headline = ({ assessment, end }: CycleEnd): string => {
  const { track } = assessment.support;
  return `${formatCycle(assessment)}: end of ${track === null ? "life" : track.name} ${formatDate(end)}`;
};

const explanation = ({ assessment }: CycleEnd): string =>
  `Date ${formatProvenance(assessment.provenance)}. Latest release: ${assessment.cycle.latest?.name ?? "not recorded"}.`;

export function cycleCalendar({ title, updated, ends }: Subscription, links: Links): string {
  return calendarFile({
    head: ["PRODID:-//eolgate//eolgate//EN", "CALSCALE:GREGORIAN", "REFRESH-INTERVAL;VALUE=DURATION:P1D"],
    name: title,
    day: updated,
    none: `${title}: none`,
    events: ends.map((each) => ({
      // The same cycle keeps its event when the date moves, so that a calendar updates it.
      id: hash(`${cycleKey(each.assessment.releaseCycle)}|end`),
      day: lastDay(each.end),
      subject: headline(each),
      description: explanation(each),
      url: links.scoreCard(each.assessment.releaseCycle),
    })),
  });
}

export function cycleFeed({ title, page, self, updated, ends }: Subscription, links: Links): string {
  const days = ends.map((each) => checkedOn(each, updated)).toSorted();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${escapeXml(title)}</title>
<id>${escapeXml(self)}</id>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
<updated>${days.at(-1) ?? updated}T00:00:00Z</updated>
<author><name>eolgate</name></author>
${ends.map((each) => entry(each, updated, links)).join("\n")}
</feed>
`;
}

/** The day on which the source of the end was read; without one, the day of the catalogue. */
const checkedOn = ({ assessment: { provenance } }: CycleEnd, updated: string): string =>
  provenance.verifiedAt === null ? updated : firstDay(provenance.verifiedAt);

/** The id contains the date, so that feed readers show a moved end as a new entry. */
function entry(each: CycleEnd, updated: string, links: Links): string {
  const card = escapeXml(links.scoreCard(each.assessment.releaseCycle));
  return `<entry>
<title>${escapeXml(headline(each))}</title>
<id>${card}#${lastDay(each.end)}</id>
<link href="${card}"/>
<updated>${checkedOn(each, updated)}T00:00:00Z</updated>
<summary>${escapeXml(explanation(each))}</summary>
</entry>`;
}
