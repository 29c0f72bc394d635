/** The methodology page. Every figure on it comes from the tables that compute the scores. */
import { BANDS, GRADES, METHOD, MOST_POINTS, SCORE_VERSION } from "../../../lifecycle/score.ts";
import { FEED_CURRENT_DAYS } from "../../../lifecycle/provenance.ts";
import { APPROACHING_DAYS } from "../../../lifecycle/status.ts";
import type { ScoreFactors } from "../../../model/index.ts";
import { formatCount, formatNumber } from "../../../messages/format.ts";
import { keysOf } from "../../../text/values.ts";
import { definitionList, layout, dataTable } from "../layout.ts";
import { external, markup, type Markup } from "../markup.ts";
import type { ProductListing } from "../search/search.ts";
import type { Site } from "../site.ts";
import { CONFIDENCE_TEXTS, KEV_TEXTS, PROVENANCE_STATUS_TEXTS, SOURCE_TEXTS, SURFACE_TEXTS } from "../labels.ts";

type PointsRow = readonly [condition: string, points: number];

export const methodologyPage = (site: Site, listing: ProductListing): string =>
  layout(
    {
      title: "How scores are calculated",
      description:
        "How the EOL Risk Score is calculated: four factors with their points, grades, bands, and the sources of dates.",
      section: "methodology",
      canonical: external(site.links.methodology),
      body: markup`<h1>How scores are calculated</h1>
<p class="lead">The EOL Risk Score of a release cycle is a whole number from 0 (least risk) to 100: the sum of four factors. It depends only on the catalogue and the date, so all clients get the same score.</p>
<p class="soft">Method ${SCORE_VERSION}. The version changes whenever the same data would get a different score.</p>
<div class="columns pair">${FACTORS.map((factor) => factorPanel(factor, listing))}</div>
${names()}
${statuses()}
${sources()}`,
    },
    site,
  );

interface Factor {
  readonly key: keyof ScoreFactors;
  readonly title: string;
  readonly lead: string;
  readonly rows: (listing: ProductListing) => readonly PointsRow[];
}

const FACTORS: readonly Factor[] = [
  {
    key: "eolRecency",
    title: "Recency of the end",
    lead: "How long ago the release cycle ended, or how soon it ends. Days are UTC calendar days; if a source states only a month, its last day is used.",
    rows: recencyRows,
  },
  {
    key: "attackSurface",
    title: "Attack surface",
    lead: "The kind of product, by category and tag, with exceptions in the catalogue.",
    rows: surfaceRows,
  },
  {
    key: "cisaKevExposure",
    title: "Known exploitation",
    lead: "Whether CISA's catalogue of known exploited vulnerabilities names the product, and how closely.",
    rows: exploitedRows,
  },
  {
    key: "extendedSupport",
    title: "No extended support",
    lead: "Whether support after the standard end is available from the maintainers or a vendor, free or paid.",
    rows: supportRows,
  },
];

function factorPanel({ key, title, lead, rows }: Factor, listing: ProductListing): Markup {
  const most = MOST_POINTS[key];
  const lines = rows(listing).map(
    ([condition, points]) => markup`<tr><th scope="row">${condition}</th><td class="number">${points}</td></tr>\n`,
  );
  return markup`<section class="panel" aria-labelledby="${key}"><h2 id="${key}">${title} <span class="tag">up to ${most}</span></h2>
<p>${lead}</p>
<table class="plain"><caption class="hidden">Points for ${title}</caption><thead><tr><th scope="col">When</th><th scope="col" class="number">Points</th></tr></thead><tbody>\n${lines}</tbody></table></section>`;
}

/** The points before and after the end, in chronological order. */
function recencyRows(): readonly PointsRow[] {
  const { until, past, pastUnknownDay } = METHOD;
  const before = until.map(([from, points], index): PointsRow => {
    const above = until[index - 1]?.[0];
    return [
      above === undefined ? `${from} days or more before the end` : `${from} to ${above - 1} days before`,
      points,
    ];
  });
  const after = past.map(([to, points], index): PointsRow => {
    const from = (past[index - 1]?.[0] ?? 0) + 1;
    return [to === Infinity ? `more than ${from - 1} days past the end` : `${from} to ${to} days past`, points];
  });
  return [["no end announced", 0], ...before, ...after, ["ended, date not published", pastUnknownDay]];
}

function surfaceRows(listing: ProductListing): readonly PointsRow[] {
  return keysOf(METHOD.surface).map((name) => {
    const products = listing.products.filter(({ product }) => product.attackSurface === name).length;
    return [`${SURFACE_TEXTS[name]} (${name}; ${formatCount(products, "product")})`, METHOD.surface[name]];
  });
}

function exploitedRows(): readonly PointsRow[] {
  const bases = keysOf(METHOD.kev).map((basis): PointsRow => [`${KEV_TEXTS[basis]} (${basis})`, METHOD.kev[basis]]);
  return [...bases, ["no entry names it", 0]];
}

function supportRows(): readonly PointsRow[] {
  return [
    [
      `ended, or ending within ${APPROACHING_DAYS} days, and no extended support is available`,
      METHOD.noExtendedSupport,
    ],
    ["otherwise", 0],
  ];
}

function names(): Markup {
  const grades = GRADES.map(([to, grade, label], index) => [grade, `${from(GRADES, index)} to ${to}`, label] as const);
  const bands = BANDS.map(([to, band], index) => [band, `${from(BANDS, index)} to ${to}`] as const);
  return markup`<h2>Grades and bands</h2>
<p>Both divide the same score: the grade into five steps, the band into four. Pages and reports show the score with the name of the band. The grade is in the API and in formats for programs, as <code>grade</code> with <code>grade_label</code>. Its words are not those of the bands: a score of 55 is grade C, “elevated risk”, in the band High.</p>
<div class="columns"><section class="panel" aria-labelledby="grades"><h3 id="grades">Grades</h3><table><caption class="hidden">Grades</caption><thead><tr><th scope="col">Grade</th><th scope="col">Score</th><th scope="col">Meaning</th></tr></thead><tbody>${grades.map(([grade, span, label]) => markup`<tr><th scope="row">${grade}</th><td>${span}</td><td>${label}</td></tr>\n`)}</tbody></table></section>
<section class="panel" aria-labelledby="bands"><h3 id="bands">Bands</h3><table><caption class="hidden">Bands</caption><thead><tr><th scope="col">Band</th><th scope="col">Score</th></tr></thead><tbody>${bands.map(([band, span]) => markup`<tr class="${band}"><th scope="row" class="band">${band}</th><td>${span}</td></tr>\n`)}</tbody></table></section></div>`;
}

const from = (rows: readonly (readonly [upTo: number, ...unknown[]])[], index: number): number =>
  index === 0 ? 0 : (rows[index - 1]?.[0] ?? 0) + 1;

const statuses = (): Markup => markup`<h2>Status</h2>
${definitionList([
  ["Ended", "From the day after the end of life, or if its sources state that it has ended."],
  ["Ending soon", `From ${APPROACHING_DAYS} days before the end until the day of the end.`],
  ["Supported", "Otherwise, if the release cycle is maintained, even if no end is announced."],
  ["Unknown", "If no source states it. Unknown is never shown as supported or ended."],
])}
<p>Status and score are based on the standard end of life. Extended support is shown separately.</p>`;

const sources = (): Markup => markup`<h2>Where dates come from</h2>
<p>Every date is stored with the claim of each source, its address, and the day on which it was checked. For each release cycle, a documented correction takes precedence, then a human check, then the record, then the vendor if the record has no date. If the vendor and the record state different dates, this is a discrepancy: both are shown, and the confidence is low.</p>
<p>A vendor's claim counts as current for ${FEED_CURRENT_DAYS} days after it was checked. Records that copy each other count as one source: agreement is the number of kinds of sources (vendor, human, record) that state the effective date, so it is at most 3.</p>
${glossary("Source", SOURCE_TEXTS)}
${glossary("Status of a date", PROVENANCE_STATUS_TEXTS)}
${glossary("Confidence", CONFIDENCE_TEXTS)}`;

function glossary(title: string, meanings: Readonly<Record<string, string>>): Markup {
  const rows = Object.entries(meanings).map(
    ([term, meaning]) => markup`<tr><th scope="row"><code>${term}</code></th><td>${meaning}</td></tr>\n`,
  );
  return markup`<h3 class="term">${title}</h3>${dataTable(title, ["Value", "Meaning"], rows, `${title}: ${formatNumber(rows.length)} values`)}`;
}
