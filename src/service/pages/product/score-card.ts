/** The score card of a release cycle: score with its factors, end of life with its sources, upgrade targets. */
import { isExploitedWhileSupported } from "../../../lifecycle/gate.ts";
import { isLongTerm } from "../../../lifecycle/status.ts";
import type { Advice, Assessment, UpgradeTarget, Product, Severity } from "../../../model/index.ts";
import { MOST_POINTS } from "../../../lifecycle/score.ts";
import type { Requested } from "../../../wire/score.ts";
import { cycleFullName, cycleShortName } from "../../../messages/cycle-names.ts";
import { formatCount, formatDay, formatSpan } from "../../../messages/format.ts";
import { formatEnd, formatCycle } from "../../../report/labels.ts";
import {
  bar,
  breadcrumbs,
  date,
  day,
  definitionList,
  endText,
  ending,
  layout,
  snippet,
  statusChip,
} from "../layout.ts";
import { external, markup, type Markup } from "../markup.ts";
import { exploitedPanel, provenancePanel, claimTable, tracksPanel } from "./sources.ts";
import { type Site, badgeSnippet, calendarLink } from "../site.ts";
import { watchResultForm } from "../account.ts";
import { categoryLabel, KEV_TEXTS, MATCHED_TEXTS, SURFACE_TEXTS } from "../labels.ts";

export interface ScoreCard {
  readonly product: Product;
  readonly assessment: Assessment;
  /** The requested version, if it is not the name of the cycle. */
  readonly requested?: Requested;
  readonly advice?: Advice;
  /** What a check with the default policy decides about the requested version. */
  readonly verdict?: Severity;
  /** Other cycles that the name of this cycle may mean as a version. */
  readonly others: readonly string[];
}

export function scoreCardPage(site: Site, card: ScoreCard): string {
  const { paths, links } = site;
  const { product, assessment } = card;
  const { score, band, status, releaseCycle } = assessment;
  const label = formatCycle(assessment);
  const when = endText(assessment);
  const { distance } = formatEnd(assessment);
  return layout(
    {
      title: `${label}: ${when}, risk ${score} of 100`,
      description: `${label} ${when}, ${distance}. EOL Risk Score ${score} of 100 (${band}), with every source of the date.`,
      section: "products",
      canonical: external(links.scoreCard(releaseCycle)),
      body: markup`${breadcrumbs(
        [
          ["Products", paths.home],
          [categoryLabel(product.category), paths.category(product.category)],
          [product.name, paths.product(product.slug)],
        ],
        cycleShortName(product.name, assessment.cycle),
      )}
<h1>${label}${isLongTerm(assessment.cycle, assessment.asOf) && markup` <span class="tag">LTS</span>`}</h1>
<p>${statusChip(assessment, true)} <b>${ending(assessment)}</b> <span class="soft">as of ${day(assessment.asOf)}</span></p>
${card.verdict && markup`<p>${VERDICTS[card.verdict]}${isExploitedWhileSupported(assessment) && " It is known to be exploited."}</p>`}
${matchNote(card)}
${ambiguityNote(site, card)}
<div class="columns wide">
<div class="stack">${scorePanel(site, card)}
${advicePanel(site, card)}
${datePanel(assessment)}</div>
<div class="stack">${factorPanel(card)}
${provenancePanel(assessment)}</div>
</div>
${claimTable(assessment)}
${tracksPanel(assessment)}
${exploitedPanel(site, product, { max: EXPLOITED, cycle: releaseCycle.cycle })}
${status !== "unknown" && usePanel(site, card)}`,
    },
    site,
  );
}

const VERDICTS: Readonly<Record<Severity, Markup>> = {
  fail: markup`<b>A check fails</b> on it with the default policy.`,
  warn: markup`<b>A check warns</b> about it with the default policy.`,
  pass: markup`<b>A check passes</b> with it, by the default policy.`,
};

/** Number of known exploited vulnerabilities on the card; the product's page lists all. */
const EXPLOITED = 10;

const capitalize = (text: string): string => text.replace(/^./u, (letter) => letter.toUpperCase());

function matchNote({ requested, assessment }: ScoreCard): Markup | null {
  if (requested === undefined) return null;
  return markup`<p class="note"><b>${requested.version}</b> belongs to release cycle <b>${cycleShortName(assessment.productName, assessment.cycle)}</b>: ${MATCHED_TEXTS[requested.matchedBy]}</p>`;
}

/** A note if the text may mean other cycles as a version: "Windows Server 2012" may be 2012 R2. */
function ambiguityNote({ paths }: Site, { others, product, assessment }: ScoreCard): Markup | null {
  if (others.length === 0) return null;
  const links = others.map(
    (cycle, index) =>
      markup`${index > 0 && ", "}<a href="${paths.scoreCard({ product: product.slug, cycle })}">${nameOf(product, cycle)}</a>`,
  );
  const { cycle } = assessment.releaseCycle;
  return markup`<p class="note warn">This is the release cycle <b>${nameOf(product, cycle)}</b> itself. ${product.name} ${cycle} may also mean: ${links}.</p>`;
}

/** The label of a release cycle, short or full. */
function nameOf(product: Product, name: string, full = false): string {
  const cycle = product.cycles.find((each) => each.name === name) ?? { name };
  return full ? cycleFullName(product.name, cycle) : cycleShortName(product.name, cycle);
}

function scorePanel({ paths }: Site, { assessment }: ScoreCard): Markup {
  const { score, band } = assessment;
  return markup`<section class="panel ${band}" aria-labelledby="score"><h2 id="score">EOL Risk Score</h2>
<div class="score"><svg viewBox="0 0 100 100" role="img" aria-label="${`Score ${score} of 100`}"><circle class="ring" cx="50" cy="50" r="44"/><circle class="value" cx="50" cy="50" r="44" pathLength="100" stroke-dasharray="${score} 100" transform="rotate(-90 50 50)"/><text x="50" y="58" text-anchor="middle">${score}</text><text class="of" x="50" y="74" text-anchor="middle">of 100</text></svg>
<p><b>${band} risk</b></p></div>
<p class="soft">0 is the least risk, 100 the most. <a href="${paths.methodology}">How scores are calculated</a></p></section>`;
}

function factorPanel(card: ScoreCard): Markup {
  const { factors, band } = card.assessment;
  const rows: readonly (readonly [key: keyof typeof factors, title: string, why: string])[] = [
    ["eolRecency", "Recency of the end", recencyText(card.assessment)],
    [
      "attackSurface",
      "Attack surface",
      `Class ${card.product.attackSurface}: ${SURFACE_TEXTS[card.product.attackSurface].replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())}.`,
    ],
    ["cisaKevExposure", "Known exploitation", exploitedText(card)],
    ["extendedSupport", "No extended support", supportPointsText(card.assessment)],
  ];
  const items = rows.map(
    ([key, title, why]) =>
      markup`<li><div class="head"><span>${title}</span><span class="points">${factors[key]} <small>of ${MOST_POINTS[key]}</small></span></div>${bar(factors[key], MOST_POINTS[key])}<p>${why}</p></li>\n`,
  );
  return markup`<section class="panel ${band}" aria-labelledby="factors"><h2 id="factors">Risk factors</h2><ul class="factors">\n${items}</ul></section>`;
}

function recencyText(assessment: Assessment): string {
  const { when, distance } = formatEnd(assessment);
  const subject = assessment.support.track === null ? "Support" : "Standard support";
  if (assessment.daysPastEol !== null) return `${subject} ended ${formatCount(assessment.daysPastEol, "day")} ago.`;
  if (assessment.daysUntilEol !== null)
    return `${subject} ends ${assessment.daysUntilEol === 0 ? "today" : `in ${formatCount(assessment.daysUntilEol, "day")}`}.`;
  return `${capitalize(when)}, ${distance}.`;
}

function exploitedText({ product, assessment: { kevBasis } }: ScoreCard): string {
  if (kevBasis === null) return "No entry of CISA's catalogue of exploited vulnerabilities names it.";
  return `${formatCount(product.kev?.entries.length ?? 0, "entry", "entries")} of CISA's catalogue: ${KEV_TEXTS[kevBasis]}.`;
}

function supportPointsText({ factors, extendedSupport: { available, vendor, until } }: Assessment): string {
  if (factors.extendedSupport > 0) return "Ended or ending soon, and no extended support is known.";
  if (!available) return "Counts only shortly before and after the end.";
  return `Extended support is available${vendor === null ? "" : ` from ${vendor}`}${until === null ? "" : ` until ${formatDay(until)}`}.`;
}

function datePanel({ cycle, eolDate, support }: Assessment): Markup {
  const { releaseDate, eoasFrom, eoesFrom, eolNotBefore, latest } = cycle;
  const latestText =
    latest && markup`<b>${latest.name}</b>${latest.date !== undefined && markup` of ${day(latest.date)}`}`;
  return markup`<section class="panel" aria-labelledby="dates"><h2 id="dates">Dates</h2>${definitionList([
    ["Released", releaseDate && date(releaseDate)],
    ["Latest release", latestText],
    ["Active support until", eoasFrom?.kind === "dated" ? date(eoasFrom.date) : null],
    ["End of life", eolDate ? markup`<b>${date(eolDate)}</b>` : ENDS[cycle.eol.kind]],
    countedTrack(support),
    ["Not before", eolNotBefore && date(eolNotBefore)],
    ["Extended support until", eoesFrom?.kind === "dated" ? date(eoesFrom.date) : null],
  ])}</section>`;
}

/** The support track that counts instead of standard support. */
const countedTrack = ({ date: end, track }: Assessment["support"]) =>
  ["Supported until", track && end && markup`<b>${date(end)}</b>, ${track.name}`] as const;

const ENDS = {
  dated: "",
  ended: "ended; date not published",
  open: "not announced",
  unknown: "unknown",
} as const;

function advicePanel(site: Site, { advice, product, assessment }: ScoreCard): Markup | null {
  if (assessment.support.status === "active" && advice === undefined) return null;
  const title = assessment.support.status === "active" ? "Newer release cycles" : "Upgrade to";
  const steps = advice === undefined ? [] : adviceSteps(site, product, advice);
  return markup`<section class="panel" aria-labelledby="advice"><h2 id="advice">${title}</h2>${
    steps.length > 0
      ? markup`<ul class="advice-list">${steps}</ul>`
      : markup`<p>No newer release cycle of ${product.name} is known to be supported.</p>`
  }</section>`;
}

const adviceSteps = (
  site: Site,
  product: Product,
  { longest, nearest, orNewer, successor }: Advice,
): readonly Markup[] => [
  ...(longest ? [upgradeItem(site, product, longest, "Longest support")] : []),
  ...(nearest ? [upgradeItem(site, product, nearest, "Nearest with a year of support")] : []),
  ...(orNewer
    ? [markup`<li><b>${nameOf(product, orNewer.cycle, true)}</b> or newer: a later release was due</li>`]
    : []),
  ...(successor === undefined ? [] : [markup`<li>Replacement named by its maintainers: <b>${successor}</b></li>`]),
];

function upgradeItem(
  site: Site,
  product: Product,
  { releaseCycle, eol, days, lts }: UpgradeTarget,
  why: string,
): Markup {
  const until = eol.kind === "dated" ? markup`supported until ${date(eol.date)}` : markup`no end announced`;
  return markup`<li><span class="soft">${why}</span><br><a href="${site.paths.scoreCard(releaseCycle)}"><b>${nameOf(product, releaseCycle.cycle, true)}</b></a>${lts && markup` <span class="tag">LTS</span>`}<br>${until}${days !== null && ` (${formatSpan(days)})`}</li>`;
}

function usePanel(site: Site, { assessment }: ScoreCard): Markup {
  const { links } = site;
  const { product, cycle } = assessment.releaseCycle;
  return markup`<section class="screen" aria-labelledby="use"><h2 id="use">Use it</h2>
<p>In CI:</p>
${snippet("Command", [`eolgate score ${product} ${cycle}`])}
<p>${calendarLink(site, product)} with the ends of ${assessment.productName}.</p>
<p>As a badge in a README:</p>
${snippet("Badge in Markdown", [badgeSnippet(links, assessment)])}</section>
${site.interactive && watchResultForm(site, [assessment.releaseCycle])}`;
}
