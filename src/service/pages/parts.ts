/** Elements that several pages share: status, risk, definition list, bar. No information is given by colour alone. */
import type { IsoDate } from "../../text/ids.ts";
import type { Assessment, LifecycleDate, Status } from "../../model/index.ts";
import type { RowState } from "../../report/rows.ts";
import { formatDate, formatDay } from "../../messages/format.ts";
import { formatEnd } from "../../report/labels.ts";
import { markup, trusted, type Markup } from "./markup.ts";
import { statusLabel } from "./labels.ts";

/** The report's colours for each status. */
const COLOUR: Readonly<Record<Status, RowState | "unknown">> = {
  active: "pass",
  approaching: "warn",
  eol: "fail",
  unknown: "unknown",
};

/** Icons of the statuses: a tick, a clock, a cross, a question mark. */
const SHAPE: Readonly<Record<Status, Markup>> = {
  active: shape('<path d="M2.5 8.5 6.5 12.5 13.5 4"/>'),
  approaching: shape('<circle cx="8" cy="8" r="6.2"/><path d="M8 4.5V8.3L10.6 9.8"/>'),
  eol: shape('<path d="M3.5 3.5 12.5 12.5M12.5 3.5 3.5 12.5"/>'),
  unknown: shape('<path d="M5 5.6a3 3 0 1 1 4.4 2.7C8.4 8.9 8 9.4 8 10.3M8 13.4v.1"/>'),
};

function shape(paths: string): Markup {
  return trusted(`<svg viewBox="0 0 16 16" aria-hidden="true">${paths}</svg>`);
}

export const statusChip = (assessment: Assessment, pill = false): Markup =>
  chip(assessment.support.status, statusLabel(assessment), pill);

/** A status with an icon and a custom text. */
export const chip = (status: Status, text: string, pill = false): Markup =>
  markup`<span class="chip ${COLOUR[status]}${pill && " pill"}">${SHAPE[status]} ${text}</span>`;

/** The end as plain text, for titles: `ends 28 Nov 2026`, `ended`, `supported`. */
export function endText(assessment: Assessment): string {
  const { date: end } = assessment.support;
  return end === null ? formatEnd(assessment).when : `${endWords(assessment)} ${formatDay(end)}`;
}

/** `ends`, `ended`, `Debian LTS ends`. */
export const endWords = (assessment: Assessment): string => `${trackWords(assessment)}${endVerb(assessment)}`;

const trackWords = ({ support: { track } }: Assessment): string => (track === null ? "" : `${track.name} `);
const endVerb = ({ support: { status } }: Assessment): string => (status === "eol" ? "ended" : "ends");

/** The end for display next to a chip, whose text is not repeated: `ends 28 Nov 2026, in 6 days`. */
export function ending(assessment: Assessment): Markup {
  const { when, distance } = formatEnd(assessment);
  const { date: end } = assessment.support;
  // The name of a track may be long, so that it may break.
  if (end !== null)
    return markup`${trackWords(assessment)}<span class="whole">${endVerb(assessment)} ${date(end)}</span>, ${distance}`;
  if (when === "supported" || when === "unknown") return markup`${distance}`;
  return markup`<span class="whole">${when}</span>, ${distance}`;
}

/** Score, grade and a bar: `64 D`. The column heading is "Risk of 100". */
export const risk = ({ score, grade, band }: Assessment): Markup =>
  markup`<span class="risk ${band}"><b>${score}</b> ${grade}${bar(score, 100, "mini")}</span>`;

/** A horizontal bar. Widths are attributes, because the content security policy forbids inline styles. */
export const bar = (value: number, max: number, className = ""): Markup =>
  markup`<svg class="${className}" viewBox="0 0 ${max} 1" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="${max}" height="1"/><rect class="got" width="${value}" height="1"/></svg>`;

/** `30 Jun 2028`, or `Jun 2028` if the source states only the month. */
export const date = (value: LifecycleDate): Markup =>
  markup`<time datetime="${formatDate(value)}">${formatDay(value)}</time>`;

export const day = (value: IsoDate): Markup => date({ value, precision: "day" });

/** A definition list. Terms without a value are omitted. */
export function definitionList(
  rows: readonly (readonly [term: string, value: Markup | string | null | undefined])[],
): Markup {
  const present = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return markup`<dl class="facts">${present.map(([term, value]) => markup`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}

/** A list of texts as code. */
export const codes = (texts: readonly string[]): Markup =>
  markup`${texts.map((text) => markup`<code class="list">${text}</code>`)}`;

/** Text to copy. It can be focused with the keyboard, because long lines scroll. */
export function snippet(label: string, text: readonly string[]): Markup {
  const lines = text.map((line, index) => markup`${index > 0 && trusted("\n")}${line}`);
  return markup`<div class="snippet"><pre tabindex="0" role="region" aria-label="${label}"><code>${lines}</code></pre></div>`;
}
