/**
 * Feeds of the ends of release cycles: an iCalendar file (RFC 5545) and an Atom feed (RFC 4287). Both depend only on
 * the catalogue and on which ends are near, so they change only when these do.
 */
import { addDays, lastDay } from "../lifecycle/days.ts";
import { formatDate } from "../messages/format.ts";
import type { Assessment, LifecycleDate } from "../model/index.ts";
import type { Links } from "../wire/links.ts";
import { calendarDay, calendarText, wrapLine } from "./calendar-lines.ts";
import { escapeXml } from "./escape.ts";
import { hash } from "./fingerprint.ts";
import { formatCycle, formatProvenance } from "./labels.ts";

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

/** The reminder is 30 days before the event. */
const REMINDER = "-P30D";

export function cycleCalendar({ title, updated, ends }: Subscription, links: Links): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//eolgate//eolgate//EN",
    "CALSCALE:GREGORIAN",
    `X-WR-CALNAME:${calendarText(title)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:P1D",
    ...(ends.length === 0 ? emptyEntry(title, updated) : ends.flatMap((each) => event(each, updated, links))),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${wrapLine(line)}\r\n`).join("");
}

/**
 * A calendar must have at least one component (RFC 5545, 3.6); calendar programs do not show this one as an
 * appointment.
 */
function emptyEntry(title: string, updated: string): readonly string[] {
  const timestamp = `DTSTAMP:${calendarDay(updated)}T000000Z`;
  return [
    "BEGIN:VJOURNAL",
    "UID:nothing@eolgate",
    timestamp,
    `SUMMARY:${calendarText(`${title}: none`)}`,
    "END:VJOURNAL",
  ];
}

function event(each: CycleEnd, updated: string, links: Links): readonly string[] {
  const { releaseCycle } = each.assessment;
  const day = lastDay(each.end);
  return [
    "BEGIN:VEVENT",
    // The same cycle keeps its event when the date moves, so that a calendar updates it.
    `UID:${hash(`${releaseCycle.product}:${releaseCycle.cycle}|end`)}@eolgate`,
    `DTSTAMP:${calendarDay(updated)}T000000Z`,
    `DTSTART;VALUE=DATE:${calendarDay(day)}`,
    `DTEND;VALUE=DATE:${calendarDay(addDays(day, 1))}`,
    `SUMMARY:${calendarText(headline(each))}`,
    `DESCRIPTION:${calendarText(explanation(each))}`,
    `URL:${links.scoreCard(releaseCycle)}`,
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `TRIGGER:${REMINDER}`,
    `DESCRIPTION:${calendarText(headline(each))}`,
    "END:VALARM",
    "END:VEVENT",
  ];
}

export function cycleFeed({ title, page, self, updated, ends }: Subscription, links: Links): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${escapeXml(title)}</title>
<id>${escapeXml(self)}</id>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
<updated>${updated}T00:00:00Z</updated>
<author><name>eolgate</name></author>
${ends.map((each) => entry(each, updated, links)).join("\n")}
</feed>
`;
}

/** The id contains the date, so that feed readers show a moved end as a new entry. */
function entry(each: CycleEnd, updated: string, links: Links): string {
  const card = escapeXml(links.scoreCard(each.assessment.releaseCycle));
  const checked = each.assessment.provenance.verifiedAt ?? updated;
  return `<entry>
<title>${escapeXml(headline(each))}</title>
<id>${card}#${lastDay(each.end)}</id>
<link href="${card}"/>
<updated>${checked}T00:00:00Z</updated>
<summary>${escapeXml(explanation(each))}</summary>
</entry>`;
}
