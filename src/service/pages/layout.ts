/**
 * The layout of all pages: head, header with navigation and search, content, footer; and the elements that several pages
 * share. It works without scripts, and no information is given by colour alone.
 */
import { type LinkTarget, type Markup, external, markup, trusted } from "./markup.ts";
import { DOCUMENT_POLICY, PREVIEW_PATH, scriptElement } from "./assets/assets.ts";
import { type Site, type SitePaths, rootOf } from "./site.ts";
import { firstDay } from "../../lifecycle/days.ts";
import type { StatementDay } from "../../text/ids.ts";
import type { Assessment, LifecycleDate, Status } from "../../model/index.ts";
import type { RowState } from "../../report/rows.ts";
import { formatDay } from "../../messages/format.ts";
import { formatCycle, formatEnd } from "../../report/labels.ts";
import { isExploitedWhileSupported } from "../../lifecycle/gate.ts";
import { statusLabel } from "./labels.ts";

export interface FeedLink {
  readonly title: string;
  readonly type: string;
  readonly href: LinkTarget | null;
}

export interface HtmlPage {
  /** Title of the document, without the name of the site. */
  readonly title: string;
  readonly description: string;
  readonly body: Markup;
  /** The entry of the navigation that is highlighted. */
  readonly section?: "products" | "check" | "watch" | "methodology" | "docs" | "keys";
  readonly canonical?: LinkTarget | null;
  /** Not listed by search engines: errors, search results, and pages behind a link in a mail. */
  readonly unlisted?: true;
  readonly feeds?: readonly FeedLink[];
  /** The page contains a search field, so the header has none. */
  readonly searches?: true;
}

export function layout(page: HtmlPage, site: Site): string {
  const { paths, version, asOf, catalogue } = site;
  const { html } = markup`<!doctype html>
<html lang="en">
${head(page, site)}
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><div>
<a class="brand" href="${paths.home}">${MARK} eolgate</a>
<nav aria-label="Main"><ul>
<li>${entry(page, "products", paths.home, "Products")}</li>
${site.interactive && markup`<li>${entry(page, "check", paths.check, "Check")}</li>\n<li>${entry(page, "watch", paths.watchForm, "Watch")}</li>\n`}<li>${entry(page, "methodology", paths.methodology, "Methodology")}</li>
<li>${entry(page, "docs", paths.docs, "API")}</li>
${site.interactive && markup`<li>${entry(page, "keys", paths.keys, "Get a key")}</li>\n`}</ul></nav>
${!page.searches && site.interactive && searchForm(paths, "")}
</div></header>
<main id="content" tabindex="-1">
${page.body}
</main>
<footer class="foot"><div>
<p>Catalogue of ${day(catalogue.metadata.date)}, as of ${day(asOf)} (UTC)</p>
<p>eolgate ${version} · <a href="${paths.openapi}">OpenAPI</a> · <a href="${paths.catalogue}">catalogue</a></p>
</div></footer>
${site.interactive && scriptElement("suggest")}
${scriptElement("copy")}
</body>
</html>
`;
  return html;
}

function head(page: HtmlPage, { paths, links }: Site): Markup {
  const { title, description, canonical, feeds = [] } = page;
  const preview = external(`${rootOf(links)}${PREVIEW_PATH}`);
  return markup`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${DOCUMENT_POLICY}">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
${page.unlisted && markup`<meta name="robots" content="noindex">\n`}<title>${title} · eolgate</title>
${canonical && markup`<link rel="canonical" href="${canonical}">\n`}<meta property="og:site_name" content="eolgate">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
${canonical && markup`<meta property="og:url" content="${canonical}">\n`}${!page.unlisted && markup`<meta property="og:image" content="${preview}">\n<meta name="twitter:card" content="summary_large_image">\n`}${feeds.map(({ title, type, href }) => href && markup`<link rel="alternate" type="${type}" title="${title}" href="${href}">\n`)}<link rel="icon" href="${paths.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${paths.style}">
</head>`;
}

const entry = (page: HtmlPage, section: NonNullable<HtmlPage["section"]>, target: LinkTarget, text: string): Markup =>
  markup`<a href="${target}"${page.section === section && markup` aria-current="true"`}>${text}</a>`;

/** The search field. It has no `autofocus`, because screen readers would skip the heading. */
export const searchForm = ({ home, suggest }: SitePaths, query: string): Markup =>
  markup`<form class="search" role="search" action="${home}" method="get" data-suggest="${suggest.href}"><label class="hidden" for="q">Find a product, version or package URL</label><input id="q" name="q" type="search" maxlength="300" placeholder="node 18, windows 10, pkg:npm/express" value="${query}" autocomplete="off" spellcheck="false"><button type="submit">Find</button></form>`;

/** A labelled region that scrolls horizontally on narrow screens and can be focused with the keyboard. */
export const scrolling = (label: string, inner: Markup): Markup =>
  markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${inner}</div>`;

/** A table with a heading for each row and column. @param rows elements `tr`, whose first cell is a `th` */
export const dataTable = (
  label: string,
  columns: readonly string[],
  rows: readonly Markup[],
  caption = label,
): Markup =>
  scrolling(
    label,
    markup`<table><caption class="hidden">${caption}</caption><thead><tr>${columns.map((title) => markup`<th scope="col">${title}</th>`)}</tr></thead><tbody>\n${rows}</tbody></table>`,
  );

/** Release cycles of several products, with links to their score cards. */
export const cycleTable = ({ paths }: Pick<Site, "paths">, label: string, cycles: readonly Assessment[]): Markup =>
  dataTable(
    label,
    ["Release cycle", "Support", "Status", "Risk of 100"],
    cycles.map(
      (each) =>
        markup`<tr><th scope="row"><a href="${paths.scoreCard(each.releaseCycle)}">${formatCycle(each)}</a></th><td>${ending(each)}</td><td>${statusChip(each)}</td><td>${risk(each)}</td></tr>\n`,
    ),
  );

/** @param ancestors pages above this one. @param current name of this page */
export function breadcrumbs(
  ancestors: readonly (readonly [text: string, target: LinkTarget])[],
  current: string,
): Markup {
  const links = ancestors.map(([text, target]) => markup`<li><a href="${target}">${text}</a></li>`);
  return markup`<nav class="trail" aria-label="Breadcrumb"><ol>${links}<li aria-current="page">${current}</li></ol></nav>`;
}

const MARK = trusted(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path class="alive" d="M4 11h14"/><path class="near" d="M4 21h8"/><path class="gate" d="M25 4v24"/></svg>',
);

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

export const statusChip = (of: Assessment, pill = false): Markup =>
  chip(isExploitedWhileSupported(of) ? "approaching" : of.support.status, statusLabel(of), pill);

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

/** Score, band and a bar: `64 High`. The column heading is "Risk of 100". */
export const risk = ({ score, band }: Assessment): Markup =>
  markup`<span class="risk ${band}"><b>${score}</b> ${band}${bar(score, 100, "mini")}</span>`;

/** A horizontal bar. Widths are attributes, because the content security policy forbids inline styles. */
export const bar = (value: number, max: number, className = ""): Markup =>
  markup`<svg class="${className}" viewBox="0 0 ${max} 1" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="${max}" height="1"/><rect class="got" width="${value}" height="1"/></svg>`;

/** `30 Jun 2028`, or `Jun 2028` or `Q2 2028` if the source states only that. */
export const date = (value: LifecycleDate): Markup =>
  markup`<time datetime="${value.value.slice(0, value.precision === "day" ? 10 : 7)}">${formatDay(value)}</time>`;

/** A day, or the month or the year of a statement where no day is known. */
export const day = (value: StatementDay): Markup =>
  value.length === 4
    ? markup`${value}`
    : date({ value: firstDay(value), precision: value.length === 7 ? "month" : "day" });

/** A definition list. Terms without a value are omitted. */
export function definitionList(
  rows: readonly (readonly [term: string, value: Markup | string | null | undefined])[],
): Markup {
  const present = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return markup`<dl class="facts">${present.map(([term, value]) => markup`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}

export const codes = (texts: readonly string[]): Markup =>
  markup`${texts.map((text) => markup`<code class="list">${text}</code>`)}`;

/** Text to copy. It can be focused with the keyboard, because long lines scroll. */
export function snippet(label: string, text: readonly string[]): Markup {
  const lines = text.map((line, index) => markup`${index > 0 && trusted("\n")}${line}`);
  return markup`<div class="snippet"><pre tabindex="0" role="region" aria-label="${label}"><code>${lines}</code></pre></div>`;
}
