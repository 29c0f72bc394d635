/** Small parts that several pages share: a status, a risk, a list of facts, a bar. Never by colour alone. */
import type { IsoDate } from "../../core/ids.ts";
import type { Assessment, LifecycleDate, Status } from "../../core/model.ts";
import type { RowState } from "../../report/rows.ts";
import { formatDate, formatDay } from "../../core/messages/format.ts";
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

/** A tick, a clock, a cross, a question mark: the status is shown by shape and text too. */
const SHAPE: Readonly<Record<Status, Markup>> = {
  active: shape('<path d="M2.5 8.5 6.5 12.5 13.5 4"/>'),
  approaching: shape('<circle cx="8" cy="8" r="6.2"/><path d="M8 4.5V8.3L10.6 9.8"/>'),
  eol: shape('<path d="M3.5 3.5 12.5 12.5M12.5 3.5 3.5 12.5"/>'),
  unknown: shape('<path d="M5 5.6a3 3 0 1 1 4.4 2.7C8.4 8.9 8 9.4 8 10.3M8 13.4v.1"/>'),
};

function shape(paths: string): Markup {
  return trusted(`<svg viewBox="0 0 16 16" aria-hidden="true">${paths}</svg>`);
}

export const statusChip = (of: Assessment, pill = false): Markup => chip(of.status, statusLabel(of), pill);

/** A status by shape and colour with other text than its usual label. */
export function chip(status: Status, text: string, pill = false): Markup {
  return markup`<span class="chip ${COLOUR[status]}${pill && " pill"}">${SHAPE[status]} ${text}</span>`;
}

/** `ends 28 Nov 2026`, `ended`, `supported`: without markup, for titles. */
export function endWords(of: Assessment): string {
  const { eolDate, status } = of;
  return eolDate === null ? formatEnd(of).when : `${status === "eol" ? "ended" : "ends"} ${formatDay(eolDate)}`;
}

/** When support ends, next to a chip: `ends 28 Nov 2026, in 6 days`; what the chip already shows is not repeated. */
export function ending(of: Assessment): Markup {
  const { when, distance } = formatEnd(of);
  const { eolDate, status } = of;
  if (eolDate !== null)
    return markup`<span class="whole">${status === "eol" ? "ended" : "ends"} ${date(eolDate)}</span>, ${distance}`;
  if (when === "supported" || when === "unknown") return markup`${distance}`;
  return markup`<span class="whole">${when}</span>, ${distance}`;
}

/** `64 D` with a bar behind it; the column heading is "of 100". */
export function risk({ score, grade, band }: Assessment): Markup {
  return markup`<span class="risk ${band}"><b>${score}</b> ${grade}${bar(score, 100, "mini")}</span>`;
}

/** A horizontal bar; the figure is next to it. Widths are attributes, because the policy forbids inline style. */
export function bar(value: number, most: number, look = ""): Markup {
  return markup`<svg class="${look}" viewBox="0 0 ${most} 1" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="${most}" height="1"/><rect class="got" width="${value}" height="1"/></svg>`;
}

/** `30 Jun 2028`, or `Jun 2028` when the source states no day. */
export function date(of: LifecycleDate): Markup {
  return markup`<time datetime="${formatDate(of)}">${formatDay(of)}</time>`;
}

export const day = (of: IsoDate): Markup => date({ value: of, precision: "day" });

/** Terms and what is known of them; a term without an answer is left out. */
export function definitionList(
  rows: readonly (readonly [term: string, answer: Markup | string | null | undefined])[],
): Markup {
  const known = rows.filter(([, answer]) => answer !== null && answer !== undefined && answer !== "");
  return markup`<dl class="facts">${known.map(([term, answer]) => markup`<dt>${term}</dt><dd>${answer}</dd>`)}</dl>`;
}

/** Words one after another, as code. */
export function codes(words: readonly string[]): Markup {
  return markup`${words.map((word) => markup`<code class="list">${word}</code>`)}`;
}

/** Something to copy. Reachable by keyboard, because a long line scrolls. */
export function snippet(label: string, text: readonly string[]): Markup {
  const lines = text.map((line, index) => markup`${index > 0 && trusted("\n")}${line}`);
  return markup`<div class="snippet"><pre tabindex="0" role="region" aria-label="${label}"><code>${lines}</code></pre></div>`;
}
