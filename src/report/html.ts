/**
 * One HTML file that works offline and can be printed. It opens on the answer: verdict, counts and what to do; then a row
 * for each release cycle that expands to its components, factors and sources. Timeline, policy and digests are folded.
 * The content security policy of the page allows only its own style and its own script, which filters and sorts.
 */
import type { Report } from "../model/index.ts";
import { escapeHtml as text } from "./escape.ts";
import { notesByTitle } from "./notes.ts";
import { forecastPart } from "./forecast.ts";
import { SCRIPT, SCRIPT_DIGEST, filterForm } from "./html/script.ts";
import { examplesOf, facts, head, sections } from "./html/sections.ts";
import { STYLE, link, scrolling } from "./html/style.ts";
import { actions, folded, formatTitle, pageRule, printPart } from "./html/summary.ts";
import { datedCycles, LEGEND, MOST, timeline } from "./html/timeline.ts";
import { restLine } from "./rest.ts";
import type { Reporter, ReportOptions } from "./reporter.ts";
import { cycleRows, failuresFirst, reportRows, type RowState, type ScanRows } from "./rows.ts";
import { formatSupportCounts } from "../messages/support.ts";
import { evaluatedOf } from "../policy/rows.ts";
import { supportCounts } from "../support/levels.ts";
import { formatNumber, formatPercent } from "../messages/format.ts";
import { formatWaiver } from "./labels.ts";
import { formatShares, VERDICT_TITLES, waiverStates } from "./verdict.ts";

export const html: Reporter = (report, options) => {
  const merged = cycleRows(report, examplesOf(options.details));
  const title = `${VERDICT_TITLES[report.verdict.value]}: ${formatTitle(report, merged)}`;
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${SCRIPT_DIGEST}'">`,
    `<title>${text(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<style>${pageRule(report)}</style>`,
    "</head>",
    "<body>",
    ...content(report, options, ["<main>", "</main>"]),
    `<footer><p>${link("How scores are calculated", report.links.methodology)}</p></footer>`,
    `<script>${SCRIPT}</script>`,
    "</body>",
    "</html>",
    "",
  ]
    .filter((part) => part !== "")
    .join("\n")
    .concat("\n");
};

/** The content of the report only, for a page that includes `STYLE` and `SCRIPT`. */
export const htmlContent: Reporter = (report, options) =>
  content(report, options, ["", ""])
    .filter((part) => part !== "")
    .join("\n");

function content(report: Report, options: ReportOptions, [open, close]: readonly [string, string]): readonly string[] {
  const scans = reportRows(report, examplesOf(options.details)).toSorted(failuresFirst);
  const merged = cycleRows(report, examplesOf(options.details));
  return [
    head(report, formatTitle(report, merged)),
    open,
    tiles(report, scans),
    actions(report, merged),
    filterForm(scans),
    ...sections(report, scans, options),
    ...report.failed.map(failure),
    forecastPart(report),
    waiverPart(report),
    notesPart(report),
    printPart(report, merged, options.details),
    folded("Timeline", picture(report, scans)),
    folded("Policy, catalogue and digests", facts(report, scans), "facts"),
    close,
  ];
}

/** Each with the verb of one component and of several; what passes has the same word for both. */
const TILES: readonly (readonly [RowState, one: string, many: string])[] = [
  ["fail", "fails", "fail"],
  ["warn", "warns", "warn"],
  ["waived", "waived", "waived"],
  ["pass", "supported", "supported"],
];

function supportTile(report: Report): string {
  const counts = supportCounts(evaluatedOf(report.documents));
  const words = counts === undefined ? restLine(report) : formatSupportCounts(counts);
  return words === undefined ? "" : `<li>${text(words)}</li>`;
}

function tiles(report: Report, scans: readonly ScanRows[]): string {
  const { verdict } = report;
  const { assessed, notAssessed, percent } = verdict.coverage;
  const shares = formatShares(verdict.coverage);
  const sums = TILES.map(([state, one, many]) => {
    const sum = scans.reduce((total, { counts }) => total + counts[state], 0);
    const words = sum === 1 ? `component ${one}` : `components ${many}`;
    return `<li><b class="${state}">${formatNumber(sum)}</b> ${words}</li>`;
  });
  return `<ul class="tiles">${sums.join("")}<li><b>${formatPercent(percent)}</b> assessed, ${formatNumber(assessed)} of ${formatNumber(assessed + notAssessed)}</li>${shares && `<li>${shares}</li>`}${supportTile(report)}</ul>`;
}

function picture(report: Report, scans: readonly ScanRows[]): string {
  const assessments = scans.flatMap(({ rows }) => rows.flatMap(({ assessment }) => assessment ?? []));
  const drawn = timeline(assessments, report.asOf);
  if (drawn === "") return "";
  const items = LEGEND.map(
    ([look, words, opacity = "1"]) =>
      `<li><svg viewBox="0 0 26 10" aria-hidden="true"><rect class="${look}" width="26" height="10" rx="3" opacity="${opacity}"/></svg>${words}</li>`,
  );
  const all = datedCycles(assessments).length;
  const more = all > MOST ? `The first ${MOST} of ${formatNumber(all)} release cycles. ` : "";
  return `${scrolling("Timeline", drawn)}\n<ul class="legend">${items.join("")}</ul>\n<p class="soft">${more}The dashed line marks the date of this report.</p>`;
}

function failure({ file, error }: Report["failed"][number]): string {
  const where = error.where === undefined ? "" : ` (${text(error.where)})`;
  return `<section><h2><code>${text(file)}</code></h2><p class="fail"><b>Could not be read:</b> ${text(error.message)}${where}</p>${error.hint === undefined ? "" : `<p>${text(error.hint)}</p>`}</section>`;
}

function waiverPart(report: Report): string {
  const items = waiverStates(report).map(
    ({ state, waiver }) => `<li><code>${text(waiver.target)}</code> ${state}: ${text(formatWaiver(waiver))}</li>`,
  );
  return items.length === 0 ? "" : `<section><h2>Waivers</h2><ul>\n${items.join("\n")}\n</ul></section>`;
}

function notesPart(report: Report): string {
  return notesByTitle(report)
    .map(([title, lines]) => {
      const items = lines.map((line) => `<li>${text(line)}</li>`);
      return `<section><h2>${title}</h2><ul>\n${items.join("\n")}\n</ul></section>`;
    })
    .join("\n");
}
