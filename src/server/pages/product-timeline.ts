/**
 * Support of the release cycles around today, as bars that fit every width: positions are shares of the width, so nothing
 * has to be scrolled and today is always in the picture.
 */
import { addDays, addMonths, dayNumber, lastDay } from "../../core/lifecycle/days.ts";
import { asIsoDate, type IsoDate } from "../../core/ids.ts";
import type { Assessment, Product } from "../../core/model.ts";
import { cycleShortName } from "../../core/messages/cycle-names.ts";
import { formatCount } from "../../core/messages/format.ts";
import { markup, type Markup } from "./markup.ts";
import { freeTrack, paidTrack, supportText } from "./product-support.ts";

/** Years before and after today: at least, and at most, where a supported cycle reaches further. */
const BEFORE = { least: 3, most: 6 };
const AFTER = { least: 2, most: 7 };
const MOST_ROWS = 16;
const FULL = 100;

interface Span {
  readonly look: "active" | "security" | "open" | "ended" | "free" | "paid";
  readonly from: IsoDate;
  readonly to: IsoDate;
}
interface Period {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

const LEGEND: readonly (readonly [look: Span["look"], text: string])[] = [
  ["active", "active support"],
  ["security", "security support"],
  ["open", "supported, no end announced"],
  ["free", "extended, free"],
  ["paid", "extended, paid"],
  ["ended", "ended"],
];

export function productTimeline(product: Product, assessments: readonly Assessment[], asOf: IsoDate): Markup | null {
  const drawable = assessments.filter(({ cycle, eolDate }) => eolDate !== null || cycle.releaseDate !== undefined);
  const period = periodOf(drawable, asOf);
  const recent = drawable.filter((each) => spansOf(each, period).length > 0);
  const shown = recent.slice(0, MOST_ROWS);
  if (shown.length === 0) return null;
  const looks = new Set(shown.flatMap((each) => spansOf(each, period).map(({ look }) => look)));
  const legend = LEGEND.filter(([look]) => looks.has(look)).map(
    ([look, text]) =>
      markup`<li><svg viewBox="0 0 26 10" aria-hidden="true"><rect class="${`span-${look}`}" width="26" height="10" rx="3"/></svg>${text}</li>`,
  );
  const left = assessments.length - shown.length;
  return markup`<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
<div class="timeline">${axis(period, asOf)}<ul>${shown.map((each) => row(product, each, period, asOf))}</ul></div>
<ul class="legend">${legend}</ul>
${left > 0 && markup`<p class="soft">${formatCount(left, "further release cycle")} ${left === 1 ? "is" : "are"} in the table.</p>`}</section>`;
}

/** Full years around today that show what is supported. */
function periodOf(assessments: readonly Assessment[], asOf: IsoDate): Period {
  const alive = assessments.filter((each) => each.status !== "eol" || freeTrack(each) !== undefined);
  const starts = alive.flatMap(({ cycle }) => (cycle.releaseDate ? [lastDay(cycle.releaseDate)] : []));
  const ends = alive.flatMap((each) => {
    const end = freeTrack(each)?.end ?? each.eolDate;
    return end ? [lastDay(end)] : [];
  });
  const year = (years: number): IsoDate => addMonths(asOf, years * 12);
  const first = starts.toSorted()[0] ?? asOf;
  const last = ends.toSorted().at(-1) ?? asOf;
  return {
    from: clamp(first, year(-BEFORE.most), year(-BEFORE.least)),
    to: clamp(last, year(AFTER.least), year(AFTER.most)),
  };
}

const clamp = (day: IsoDate, least: IsoDate, most: IsoDate): IsoDate => (day < least ? least : day > most ? most : day);

/** The phases of support that lie within the period. */
function spansOf(of: Assessment, period: Period): readonly Span[] {
  const standard = standardSpans(of, period);
  const reached = standard.at(-1)?.to ?? of.asOf;
  const spans = [...standard, ...trackSpans(of, reached, period)];
  return spans.filter(({ from, to }) => to >= period.from && from <= period.to);
}

/** Of a cycle that ended on an unknown day there is nothing to draw. */
function standardSpans({ cycle, eolDate, status }: Assessment, period: Period): readonly Span[] {
  const from = cycle.releaseDate ? lastDay(cycle.releaseDate) : period.from;
  if (status === "eol") return eolDate ? [{ look: "ended", from, to: lastDay(eolDate) }] : [];
  if (status === "unknown") return [];
  if (eolDate === null) return [{ look: "open", from, to: period.to }];
  const to = lastDay(eolDate);
  const turn = clamp(cycle.eoasFrom?.kind === "dated" ? lastDay(cycle.eoasFrom.date) : to, from, to);
  const phases: readonly Span[] = [
    { look: "active", from, to: turn },
    { look: "security", from: turn, to },
  ];
  return phases.filter((phase) => phase.from < phase.to);
}

/** What the free track, then the paid one, adds to what is reached. */
function trackSpans(of: Assessment, reached: IsoDate, period: Period): readonly Span[] {
  const spans: Span[] = [];
  let day = reached;
  for (const [look, track] of [["free", freeTrack(of)] as const, ["paid", paidTrack(of)] as const]) {
    const until = track === undefined ? day : track.end === null ? period.to : lastDay(track.end);
    if (until > day) spans.push({ look, from: addDays(day, 1), to: until });
    if (until > day) day = until;
  }
  return spans;
}

/** Where a day lies, as a share of the width. */
function at(day: IsoDate, { from, to }: Period): number {
  const share = (dayNumber(day) - dayNumber(from)) / (dayNumber(to) - dayNumber(from));
  return Math.round(Math.min(1, Math.max(0, share)) * FULL * 100) / 100;
}

function row(product: Product, of: Assessment, period: Period, asOf: IsoDate): Markup {
  const name = cycleShortName(product.name, of.cycle);
  const rects = spansOf(of, period).map(({ look, from, to }) => {
    const start = at(from, period);
    const width = Math.max(0.6, at(to, period) - start);
    return markup`<rect class="${`span-${look}`}" x="${`${start}%`}" width="${`${width.toFixed(2)}%`}" y="3" height="12" rx="3"/>`;
  });
  const today = `${at(asOf, period)}%`;
  return markup`<li><span class="name">${name}</span><svg class="bar-row" role="img" aria-label="${`${name}: ${supportText(of)}`}">${rects}<line class="today" x1="${today}" x2="${today}" y1="0" y2="18"/></svg></li>\n`;
}

function axis(period: Period, asOf: IsoDate): Markup {
  const first = Number(period.from.slice(0, 4)) + 1;
  const last = Number(period.to.slice(0, 4));
  const today = at(asOf, period);
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index).map((year) => {
    const place = at(asIsoDate(`${year}-01-01`), period);
    // A label under another one cannot be read.
    const isNear = Math.abs(place - today) < 7;
    return markup`<line class="tick" x1="${`${place}%`}" x2="${`${place}%`}" y1="16" y2="22"/>${!isNear && markup`<text class="${year % 2 === 0 ? "year" : "year odd"}" x="${`${place}%`}" y="12" text-anchor="middle">${year}</text>`}`;
  });
  return markup`<svg class="axis" aria-hidden="true">${years}<text class="now" x="${`${today}%`}" y="12" text-anchor="middle">today</text><line class="today" x1="${`${today}%`}" x2="${`${today}%`}" y1="15" y2="22"/></svg>`;
}
