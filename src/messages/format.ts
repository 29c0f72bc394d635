/** Formats numbers, dates and periods as text, the same in every locale and time zone. */
import type { GateEnd } from "../model/dates.ts";
import type { AffectingKev, LifecycleDate, SupportTrack } from "../model/index.ts";

/** `12345` → `12,345`, whatever the machine's locale. */
export function formatNumber(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 component`, `3,000 components`, `2 licences`; pass the plural where it does not end in s. */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}

/** `2026-08-31`; `2026-08`, `2026-Q3` or `~2026-08` if the source states only a month, a quarter or about a month. */
export function formatDate({ value, precision }: LifecycleDate): string {
  if (precision === "day") return value;
  if (precision === "quarter") return `${value.slice(0, 4)}-${quarterOf(value)}`;
  return `${precision === "about" ? "~" : ""}${value.slice(0, 7)}`;
}

const quarterOf = (day: string): string => `Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `30 Jun 2028`, `Jun 2028`, `Q2 2028` or `about Jun 2028`, as the source states it. */
export function formatDay({ value, precision }: LifecycleDate): string {
  if (precision === "quarter") return `${quarterOf(value)} ${value.slice(0, 4)}`;
  const month = `${MONTHS[Number(value.slice(5, 7)) - 1] ?? ""} ${value.slice(0, 4)}`;
  return `${{ day: `${Number(value.slice(8, 10))} `, month: "", about: "about " }[precision]}${month}`;
}

/** `12 days`, `1 day`, `14 months`, `3 years`: the longer the span, the larger the unit. */
export function formatSpan(days: number): string {
  if (days < 120) return formatCount(days, "day");
  if (days < 730) return formatCount(Math.floor(days / 30.4375), "month");
  return formatCount(Math.floor(days / 365.25), "year");
}

/** `Debian LTS`, `extended support by Amazon`: a support track with its vendor. */
export const formatTrackName = ({ name, vendor }: Pick<SupportTrack, "name" | "vendor">): string =>
  name.includes(vendor) ? name : `${name} by ${vendor}`;

/** `8.0 %`; 0 and 100 have no decimals. */
export function formatPercent(percent: number): string {
  return `${percent === 100 || percent === 0 ? percent : percent.toFixed(1)} %`;
}

/** The number of names that a list shows. */
const LISTED = 8;

/** `a, b, c, …`; empty for no names. */
export function formatList(names: readonly string[]): string {
  return `${names.slice(0, LISTED).join(", ")}${names.length > LISTED ? ", …" : ""}`;
}

/** More entries, and more ranges of one, are only counted. */
const MOST = 3;

/** `CVE-2025-55182 (used in ransomware campaigns, affects 19.0.0, 19.2.0, fixed in 19.2.1)`. */
export function formatKev(entries: readonly AffectingKev[] = []): string {
  const distinct = [...new Map(entries.map((each) => [each.cve, each])).values()];
  if (distinct.length === 0) return "the entry is not known";
  const more = distinct.length > MOST ? [`and ${formatNumber(distinct.length - MOST)} more`] : [];
  return [...distinct.slice(0, MOST).map(formatEntry), ...more].join(", ");
}

function formatEntry({ cve, ransomware, affected, fixedIn }: AffectingKev): string {
  const ranges = affected.split(", ");
  const more = ranges.length > MOST ? ` and ${formatNumber(ranges.length - MOST)} more` : "";
  const facts = [
    ransomware ? "used in ransomware campaigns" : "",
    affected === "" ? "" : `affects ${ranges.slice(0, MOST).join(", ")}${more}`,
    fixedIn === null ? "" : `fixed in ${fixedIn}`,
  ].filter(Boolean);
  return facts.length === 0 ? cve : `${cve} (${facts.join("; ")})`;
}

const GATE_BASIS = {
  label: "its label names fixes of vulnerabilities",
  record: "the text of the record states it",
  vendor: "the page of the vendor states it",
  "not-stated": "no source states what the day means",
} as const;

/** Which of the record's days is the end that the gate takes, and how that is known; an own record has no `GateEnd`. */
export function formatGateEnd(gate: GateEnd | undefined): string {
  if (gate === undefined) return "own record: its end is the end of security fixes";
  const field = gate.end === "none" ? "no field of the record" : `the field ${gate.end} of the record`;
  return `${field}; ${GATE_BASIS[gate.basis]}${gate.why === undefined ? "" : `: ${gate.why}`}`;
}
