/**
 * The release cycles of a product as a table, and as bars of a timeline. Positions are percentages of the width, so the
 * timeline fits every screen without scrolling.
 */
import { isLongTerm } from "../../../lifecycle/status.ts";
import { runningTracks } from "../../../lifecycle/support.ts";
import type { Assessment, Product } from "../../../model/index.ts";
import { cycleShortName } from "../../../messages/cycle-names.ts";
import { formatCount, formatDay } from "../../../messages/format.ts";
import { sourceCell } from "../../../messages/provenance.ts";
import { chip, date, day, risk, scrolling } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { statusLabel } from "../labels.ts";
import { endText, isRetiredOnly, paidTrack, supportPhase, supportText, trackText } from "./sources.ts";
import type { Site } from "../site.ts";
import { addDays, addMonths, dayNumber, lastDay } from "../../../lifecycle/days.ts";
import { type IsoDate, asIsoDate } from "../../../text/ids.ts";
import { byText } from "../../../text/values.ts";

interface CycleColumn {
  readonly title: string;
  /** Omitted if it is empty in all rows. */
  readonly optional?: true;
  /** Hidden on narrow screens. The score card and the timeline contain the same information. */
  readonly wide?: true;
  readonly cell: (assessment: Assessment, product: Product) => Markup | string | null | undefined;
}

const COLUMNS: readonly CycleColumn[] = [
  { title: "Status", cell: (assessment, product) => supportChip(product, assessment) },
  {
    title: "Active support",
    optional: true,
    wide: true,
    cell: ({ cycle }) => (cycle.eoasFrom ? endText(cycle.eoasFrom, CELL) : null),
  },
  { title: "Security support", cell: securityCell },
  { title: "Extended support", optional: true, cell: extendedCell },
  { title: "Latest release", optional: true, cell: latestCell },
  { title: "Released", optional: true, cell: ({ cycle }) => cycle.releaseDate && date(cycle.releaseDate) },
  { title: "Risk of 100", cell: (assessment) => risk(assessment) },
  { title: "Source", cell: ({ provenance }) => sourceCell(provenance) },
];

const WIDE = markup` class="wide"`;

export function cycleTable(site: Site, product: Product, assessments: readonly Assessment[]): Markup {
  const label = `Release cycles of ${product.name}`;
  const columns = COLUMNS.filter(
    ({ optional, cell }) => optional !== true || assessments.some((assessment) => Boolean(cell(assessment, product))),
  );
  const rows = assessments.map(
    (assessment) =>
      markup`<tr>${nameCell(site, product, assessment)}${columns.map(({ cell, wide }) => markup`<td${wide && WIDE}>${cell(assessment, product)}</td>`)}</tr>\n`,
  );
  return scrolling(
    label,
    markup`<table class="cycles"><caption class="hidden">${label}, newest first</caption><thead><tr><th scope="col">Release cycle</th>${columns.map(({ title, wide }) => markup`<th scope="col"${wide && WIDE}>${title}</th>`)}</tr></thead><tbody>\n${rows}</tbody></table>`,
  );
}

function nameCell({ paths }: Site, product: Product, { cycle, releaseCycle, asOf }: Assessment): Markup {
  const name = cycleShortName(product.name, cycle);
  const tags = [cycle.codename, isLongTerm(cycle, asOf) ? "LTS" : undefined].filter(
    (tag) => tag !== undefined && !name.includes(tag),
  );
  return markup`<th scope="row"><a href="${paths.scoreCard(releaseCycle)}">${name}</a>${tags.map((tag) => markup` <span class="tag">${tag}</span>`)}</th>`;
}

function latestCell({ cycle: { latest } }: Assessment): Markup | null {
  if (latest === undefined) return null;
  return markup`${latest.name}${latest.date !== undefined && markup` <span class="soft">${day(latest.date)}</span>`}`;
}

/** The status of a release cycle. If only retired versions are recorded, it has the neutral colour. */
export function supportChip(product: Product, assessment: Assessment): Markup {
  const phase = supportPhase(assessment);
  if (phase === "free") return chip("approaching", "Extended (free)");
  if (assessment.support.status === "eol" && isRetiredOnly(product)) return chip("unknown", statusLabel(assessment));
  return chip(assessment.support.status, phase === "security" ? "Security fixes" : statusLabel(assessment));
}

const CELL = { ended: "ended", unknown: "" };
/** The end of standard security support, which is the end of life. */
function securityCell({ cycle, eolDate }: Assessment): Markup | string {
  if (eolDate) return date(eolDate);
  if (cycle.eolNotBefore) return `not before ${formatDay(cycle.eolNotBefore)}`;
  return cycle.eol.kind === "ended" ? "ended, date not published" : endText(cycle.eol, CELL);
}

/** The tracks that run, and the one whose end decided that the cycle has ended. */
function extendedCell({ cycle, asOf, support }: Assessment): Markup | null {
  const running = runningTracks(cycle, asOf).toSorted((a, b) => byText(a.cost, b.cost));
  const tracks = support.track && support.status === "eol" ? [support.track, ...running] : running;
  return tracks.length === 0
    ? null
    : markup`${tracks.map((track) => markup`<span class="track">${trackText(track)}</span>`)}`;
}

/** Minimum and maximum years before and after today. The range depends on the supported cycles. */
const BEFORE = { least: 3, most: 6 };
const AFTER = { least: 2, most: 7 };
const MAX_ROWS = 16;
/** Per cent. */
const FULL = 100;

interface SupportSpan {
  readonly look: "active" | "security" | "open" | "ended" | "free" | "paid";
  readonly from: IsoDate;
  readonly to: IsoDate;
}
interface Period {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

const LEGEND: readonly (readonly [look: SupportSpan["look"], text: string])[] = [
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
  const shown = recent.slice(0, MAX_ROWS);
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

/** The period around today in which cycles with free support begin and end, within the limits. */
function periodOf(assessments: readonly Assessment[], asOf: IsoDate): Period {
  const maintained = assessments.filter(({ support }) => support.status !== "eol");
  const starts = maintained.flatMap(({ cycle }) => (cycle.releaseDate ? [lastDay(cycle.releaseDate)] : []));
  const ends = maintained.flatMap(({ support }) => (support.date ? [lastDay(support.date)] : []));
  const year = (years: number): IsoDate => addMonths(asOf, years * 12);
  const first = starts.toSorted()[0] ?? asOf;
  const last = ends.toSorted().at(-1) ?? asOf;
  return {
    from: clamp(first, year(-BEFORE.most), year(-BEFORE.least)),
    to: clamp(last, year(AFTER.least), year(AFTER.most)),
  };
}

const clamp = (day: IsoDate, least: IsoDate, most: IsoDate): IsoDate => (day < least ? least : day > most ? most : day);

/** The phases of support that overlap the period. */
function spansOf(assessment: Assessment, period: Period): readonly SupportSpan[] {
  const standard = standardSpans(assessment, period);
  const reached = standard.at(-1)?.to ?? assessment.asOf;
  const spans = [...standard, ...trackSpans(assessment, reached, period)];
  return spans.filter(({ from, to }) => to >= period.from && from <= period.to);
}

/** The phases of standard support. Empty if the date of the end or the status is unknown. */
function standardSpans({ cycle, eolDate, status }: Assessment, period: Period): readonly SupportSpan[] {
  const from = cycle.releaseDate ? lastDay(cycle.releaseDate) : period.from;
  if (status === "eol") return eolDate ? [{ look: "ended", from, to: lastDay(eolDate) }] : [];
  if (status === "unknown") return [];
  if (eolDate === null) return [{ look: "open", from, to: period.to }];
  const to = lastDay(eolDate);
  const activeUntil = clamp(cycle.eoasFrom?.kind === "dated" ? lastDay(cycle.eoasFrom.date) : to, from, to);
  const phases: readonly SupportSpan[] = [
    { look: "active", from, to: activeUntil },
    { look: "security", from: activeUntil, to },
  ];
  return phases.filter((phase) => phase.from < phase.to);
}

/** The free track and then the paid one, as far as they extend the support beyond `reached`. */
function trackSpans(assessment: Assessment, reached: IsoDate, period: Period): readonly SupportSpan[] {
  const spans: SupportSpan[] = [];
  let day = reached;
  const free = assessment.support.track ?? undefined;
  for (const [look, track] of [["free", free] as const, ["paid", paidTrack(assessment)] as const]) {
    const until = track === undefined ? day : track.end === null ? period.to : lastDay(track.end);
    if (until > day) spans.push({ look, from: addDays(day, 1), to: until });
    if (until > day) day = until;
  }
  return spans;
}

/** The horizontal position of a day, in per cent of the width. */
function position(day: IsoDate, { from, to }: Period): number {
  const share = (dayNumber(day) - dayNumber(from)) / (dayNumber(to) - dayNumber(from));
  return Math.round(Math.min(1, Math.max(0, share)) * FULL * 100) / 100;
}

function row(product: Product, assessment: Assessment, period: Period, asOf: IsoDate): Markup {
  const name = cycleShortName(product.name, assessment.cycle);
  const rects = spansOf(assessment, period).map(({ look, from, to }) => {
    const start = position(from, period);
    const width = Math.max(0.6, position(to, period) - start);
    return markup`<rect class="${`span-${look}`}" x="${`${start}%`}" width="${`${width.toFixed(2)}%`}" y="3" height="12" rx="3"/>`;
  });
  const today = `${position(asOf, period)}%`;
  return markup`<li><span class="name">${name}</span><svg class="bar-row" role="img" aria-label="${`${name}: ${supportText(assessment)}`}">${rects}<line class="today" x1="${today}" x2="${today}" y1="0" y2="18"/></svg></li>\n`;
}

function axis(period: Period, asOf: IsoDate): Markup {
  const first = Number(period.from.slice(0, 4)) + 1;
  const last = Number(period.to.slice(0, 4));
  const today = position(asOf, period);
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index).map((year) => {
    const x = position(asIsoDate(`${year}-01-01`), period);
    // The label would overlap that of today.
    const isNear = Math.abs(x - today) < 7;
    return markup`<line class="tick" x1="${`${x}%`}" x2="${`${x}%`}" y1="16" y2="22"/>${!isNear && markup`<text class="${year % 2 === 0 ? "year" : "year odd"}" x="${`${x}%`}" y="12" text-anchor="middle">${year}</text>`}`;
  });
  return markup`<svg class="axis" aria-hidden="true">${years}<text class="now" x="${`${today}%`}" y="12" text-anchor="middle">today</text><line class="today" x1="${`${today}%`}" x2="${`${today}%`}" y1="15" y2="22"/></svg>`;
}
