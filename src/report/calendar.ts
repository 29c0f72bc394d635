/** The forecast as a calendar to subscribe to: one whole-day event for each line that turns red (RFC 5545). */
import { addDays } from "../core/lifecycle/days.ts";
import type { Report, Turn } from "../core/model.ts";
import { plain } from "./escape.ts";
import { hash } from "./fingerprint.ts";
import { turnComponents, turnReason, turnSubject } from "./forecast/words.ts";
import type { Reporter } from "./reporters.ts";

export const calendar: Reporter = (report) => {
  const turns = report.forecast?.turns ?? [];
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//eolgate//eolgate ${escaped(report.tool.version)}//EN`,
    "CALSCALE:GREGORIAN",
    "X-WR-CALNAME:Ends of life",
    ...turns.flatMap((turn) => event(turn, report)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
};

/** A reminder a month ahead: time to move. */
const REMINDER = "-P30D";

function event(turn: Turn, { asOf, links }: Report): readonly string[] {
  const line = turn.ruling.assessment?.line;
  const subject = `${turnSubject(turn)}: ${turnReason(turn)}`;
  return [
    "BEGIN:VEVENT",
    // The same line, reason and cause keep their event when the day moves, so that calendars update it.
    `UID:${hash(`${line?.product}:${line?.cycle}|${turn.ruling.condition}|${turn.cause}|${turnComponents(turn, 1)}`)}@eolgate`,
    `DTSTAMP:${basic(asOf)}T000000Z`,
    `DTSTART;VALUE=DATE:${basic(turn.day)}`,
    `DTEND;VALUE=DATE:${basic(addDays(turn.day, 1))}`,
    `SUMMARY:${escaped(subject)}`,
    `DESCRIPTION:${escaped(`The gate fails from this day on. Components: ${turnComponents(turn, 20)}`)}`,
    ...(line === undefined ? [] : [`URL:${links.scoreCard(line).replaceAll(/[^\x21-\x7e]/g, encodeURIComponent)}`]),
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `TRIGGER:${REMINDER}`,
    `DESCRIPTION:${escaped(subject)}`,
    "END:VALARM",
    "END:VEVENT",
  ];
}

const basic = (day: string): string => day.replaceAll("-", "");

/** A text value (RFC 5545, 3.3.11); controls, also line breaks, are shown and not obeyed. */
function escaped(text: string): string {
  return plain(text).replaceAll(/[\\;,]/g, "\\$&");
}

/** No line longer than 75 octets (RFC 5545, 3.1); a character is never cut in two. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character);
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

function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}
