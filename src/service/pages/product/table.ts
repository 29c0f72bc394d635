/** The table of the release cycles of a product. */
import { isLongTerm } from "../../../lifecycle/status.ts";
import { runningTracks } from "../../../lifecycle/support.ts";
import type { Assessment, End, Product } from "../../../model/index.ts";
import { cycleShortName } from "../../../messages/cycle-names.ts";
import { formatDay } from "../../../messages/format.ts";
import { sourceCell } from "../../../report/labels.ts";
import { scrolling } from "../layout.ts";
import { markup, type Markup } from "../markup.ts";
import { chip, date, day, risk } from "../parts.ts";
import { statusLabel } from "../labels.ts";
import { isRetiredOnly, supportPhase, trackText } from "./support.ts";
import type { Site } from "../site.ts";

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
    cell: ({ cycle }) => (cycle.eoasFrom ? endText(cycle.eoasFrom) : null),
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

function endText(end: End): Markup | string {
  switch (end.kind) {
    case "dated":
      return date(end.date);
    case "ended":
      return "ended";
    case "open":
      return "no end announced";
    case "unknown":
      return "";
  }
}

/** The end of standard security support, which is the end of life. */
function securityCell({ cycle, eolDate }: Assessment): Markup | string {
  if (eolDate) return date(eolDate);
  if (cycle.eolNotBefore) return `not before ${formatDay(cycle.eolNotBefore)}`;
  return cycle.eol.kind === "ended" ? "ended, date not published" : endText(cycle.eol);
}

function extendedCell({ cycle, asOf }: Assessment): Markup | null {
  const tracks = runningTracks(cycle, asOf).toSorted((a, b) => (a.cost < b.cost ? -1 : a.cost > b.cost ? 1 : 0));
  return tracks.length === 0
    ? null
    : markup`${tracks.map((track) => markup`<span class="track">${trackText(track)}</span>`)}`;
}
