/** Values and lines of iCalendar files (RFC 5545). */
import { singleLine } from "./escape.ts";

/** `20261122` */
export const calendarDay = (day: string): string => day.replaceAll("-", "");

/** A text value (RFC 5545, 3.3.11); control characters, including line breaks, are made visible. */
export function calendarText(text: string): string {
  return singleLine(text).replaceAll(/[\\;,]/g, "\\$&");
}

/** Folds a line at 75 octets (RFC 5545, 3.1) without splitting a character. */
export function wrapLine(line: string): string {
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
