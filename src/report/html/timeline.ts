/** The timeline of release cycles: an SVG with a bar for each, from its release to its end. */
import { dayNumber, lastDay } from "../../lifecycle/days.ts";
import { type IsoDate, cycleKey } from "../../text/ids.ts";
import type { Assessment } from "../../model/index.ts";
import { formatCount } from "../../messages/format.ts";
import { truncate, escapeHtml } from "../escape.ts";
import { formatEnd, formatCycle } from "../labels.ts";

const WIDTH = 960;
const LABELS = 230;
const ROW = 26;
const TOP = 30;
/** The maximum number of cycles in the timeline; the tables list all of them. */
export const MOST = 40;

/** The legend of the colours. */
export const LEGEND: readonly (readonly [look: string, words: string, opacity?: string])[] = [
  ["alive", "supported until its end"],
  ["open", "supported, no end announced"],
  ["near", "ending soon"],
  ["gone", "ended"],
  ["gone", "ended, date not published", ".4"],
];

/** Each cycle once, in the given order. Empty when no cycle has a date to draw. */
export function timeline(assessments: readonly Assessment[], asOf: IsoDate): string {
  const dated = datedCycles(assessments).slice(0, MOST);
  if (dated.length === 0) return "";
  const today = dayNumber(asOf);
  const days = dated.flatMap(({ cycle, support: { date } }) => [
    ...(cycle.releaseDate ? [dayNumber(lastDay(cycle.releaseDate))] : []),
    ...(date ? [dayNumber(lastDay(date))] : []),
  ]);
  const from = Math.min(today - 365, ...days);
  const to = Math.max(today + 365, ...days);
  const x = (day: number): number => Math.round(LABELS + ((day - from) / (to - from)) * (WIDTH - LABELS - 10));
  const height = TOP + dated.length * ROW + 14;
  const title = `Support of ${formatCount(dated.length, "release cycle")} from ${yearOf(from)} to ${yearOf(to)}; today is ${asOf}`;
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">`,
    ...years(from, to, x, height),
    ...dated.map((assessment, index) => bar(assessment, TOP + index * ROW, { from, to, today }, x)),
    `<line class="today" x1="${x(today)}" x2="${x(today)}" y1="${TOP - 8}" y2="${height - 14}"/>`,
    `<text x="${x(today)}" y="${TOP - 12}" text-anchor="middle">${asOf}</text>`,
    "</svg>",
  ].join("\n");
}

/** The assessments with a release date or an end, each cycle once. */
export function datedCycles(assessments: readonly Assessment[]): readonly Assessment[] {
  const dated = assessments.filter(({ support, cycle }) => support.date || cycle.releaseDate);
  return [...new Map(dated.map((each) => [cycleKey(each.releaseCycle), each])).values()];
}

const yearOf = (day: number): number => new Date(day * 86_400_000).getUTCFullYear();

/** A mark at each new year, at most about twelve of them. */
function years(from: number, to: number, x: (day: number) => number, height: number): readonly string[] {
  const first = yearOf(from) + 1;
  const last = yearOf(to);
  const step = Math.max(1, Math.ceil((last - first + 1) / 12));
  const marks = [];
  for (let year = first; year <= last; year += step) {
    const at = x(Date.UTC(year, 0, 1) / 86_400_000);
    marks.push(
      `<line class="grid" x1="${at}" x2="${at}" y1="${TOP - 4}" y2="${height - 14}"/>`,
      `<text class="axis" x="${at}" y="${height - 1}" text-anchor="middle">${year}</text>`,
    );
  }
  return marks;
}

/**
 * The bar of a cycle. Without a release day it starts at the left edge, without an end it is paler and reaches the
 * right edge. The bar of a cycle that ended on an unpublished date is pale and reaches today.
 */
function bar(
  of: Assessment,
  y: number,
  span: { readonly from: number; readonly to: number; readonly today: number },
  x: (day: number) => number,
): string {
  const start = of.cycle.releaseDate ? dayNumber(lastDay(of.cycle.releaseDate)) : span.from;
  const { date, status } = of.support;
  const ended = date === null && status === "eol";
  const end = date ? dayNumber(lastDay(date)) : ended ? span.today : span.to;
  const shape = status === "eol" ? "gone" : status === "approaching" ? "near" : date ? "alive" : "open";
  const { when, distance } = formatEnd(of);
  const width = Math.max(3, x(Math.max(end, start)) - x(start));
  return [
    `<g><title>${escapeHtml(`${formatCycle(of)}: ${when}, ${distance}`)}</title>`,
    `<text x="${LABELS - 10}" y="${y + 15}" text-anchor="end">${escapeHtml(truncate(formatCycle(of), 30))}</text>`,
    `<rect class="${shape}" x="${x(start)}" y="${y + 5}" width="${width}" height="13" rx="3"${ended ? ' opacity=".4"' : ""}/></g>`,
  ].join("");
}
