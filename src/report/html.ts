/**
 * One HTML file that works offline and prints: verdict, counts, the timeline, what turns red, each finding with its factors and sources,
 * waivers, what could not be judged. No script; a policy in the page forbids everything but its own style.
 */
import type { Report, Waiver } from "../core/model.ts";
import { escapeHtml as text } from "./escape.ts";
import { forecastPart } from "./forecast/html.ts";
import { findingCard, supportedTable } from "./html/findings.ts";
import { STYLE } from "./html/style.ts";
import { datedCycles, LEGEND, MOST, timeline } from "./html/timeline.ts";
import { link, scrolling } from "./html/parts.ts";
import { formatFailOn } from "./json/frame.ts";
import type { Reporter } from "./reporter.ts";
import { reportRows, type RowState, type ScanRows } from "./rows.ts";
import { formatSupportCounts } from "../core/messages/support.ts";
import { supportCounts } from "../core/support/counts.ts";
import { formatCount, formatNumber, formatPercent } from "../core/messages/format.ts";
import {
  formatCatalogue,
  formatSettings,
  formatContents,
  formatComponentName,
  formatUnresolved,
  formatVerdict,
  VERDICT_TITLES,
  formatWaiver,
} from "./labels.ts";

export const html: Reporter = (report) => {
  const scans = reportRows(report, 20);
  const { value } = report.verdict;
  const title = `${VERDICT_TITLES[value]}: ${formatVerdict(report)}`;
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${text(title)}</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    `<header><p class="soft">${text(`${report.tool.name} ${report.tool.version}`)}, as of <time datetime="${report.asOf}">${report.asOf}</time></p>`,
    `<h1><span class="badge ${value}">${VERDICT_TITLES[value]}</span> ${text(formatVerdict(report))}</h1></header>`,
    "<main>",
    tiles(report, scans),
    picture(report, scans),
    forecastPart(report),
    ...scans.map((scan) => section(report, scan)),
    ...report.failed.map(failure),
    unmatchedPart(scans),
    waiverPart(report),
    "</main>",
    foot(report),
    "</body>",
    "</html>",
    "",
  ]
    .filter((part) => part !== "")
    .join("\n")
    .concat("\n");
};

const TILES: readonly (readonly [RowState, string])[] = [
  ["fail", "fail"],
  ["warn", "warn"],
  ["waived", "waived"],
  ["pass", "supported"],
];

function supportTile({ documents }: Report): string {
  const counts = supportCounts(documents.flatMap(({ findings }) => findings));
  return counts === undefined ? "" : `<li>${text(formatSupportCounts(counts))}</li>`;
}

function tiles(report: Report, scans: readonly ScanRows[]): string {
  const { verdict } = report;
  const { assessed, notAssessed, percent } = verdict.coverage;
  const sums = TILES.map(([state, words]) => {
    const sum = scans.reduce((total, { counts }) => total + counts[state], 0);
    return `<li><b class="${state}">${formatNumber(sum)}</b> ${words}</li>`;
  });
  return `<ul class="tiles">${sums.join("")}<li><b>${formatPercent(percent)}</b> assessed, ${formatNumber(assessed)} of ${formatNumber(assessed + notAssessed)}</li>${supportTile(report)}</ul>`;
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
  return `<h2>Timeline</h2>\n${scrolling("Timeline", drawn)}\n<ul class="legend">${items.join("")}</ul>\n<p class="soft">${more}The dashed line marks the date of this report.</p>`;
}

function section(report: Report, each: ScanRows): string {
  const { scan, rows, contents } = each;
  const open = rows.filter((row) => row.state !== "pass");
  const { format, specVersion } = scan.document;
  return [
    `<section><h2><code>${text(scan.file)}</code></h2>`,
    `<p class="soft">${format} ${text(specVersion)}, ${formatContents(contents)}, <code>${text(scan.digest)}</code></p>`,
    ...open.map((row) => findingCard(report, scan, row)),
    supportedTable(
      report,
      `Supported release cycles of ${scan.file}`,
      rows.filter((row) => row.state === "pass"),
    ),
    "</section>",
  ].join("\n");
}

function failure({ file, error }: Report["failed"][number]): string {
  const where = error.where === undefined ? "" : ` (${text(error.where)})`;
  return `<section><h2><code>${text(file)}</code></h2><p class="fail"><b>Could not be read:</b> ${text(error.message)}${where}</p>${error.hint === undefined ? "" : `<p>${text(error.hint)}</p>`}</section>`;
}

function unmatchedPart(scans: readonly ScanRows[]): string {
  const lines = scans.flatMap(({ scan, unmatched }) =>
    unmatched.map(({ reason, count: n, examples }) => {
      const names = examples.map(({ component }) => `<code>${text(formatComponentName(component))}</code>`).join(", ");
      return `<tr><td><code>${text(scan.file)}</code></td><td>${text(formatUnresolved(reason, n))}</td><td>${names}${n > examples.length ? ", …" : ""}</td></tr>`;
    }),
  );
  if (lines.length === 0) return "";
  return `<section><h2>Not assessed</h2>${scrolling("Not assessed", `<table><thead><tr><th>Document</th><th>Reason</th><th>Components</th></tr></thead><tbody>\n${lines.join("\n")}\n</tbody></table>`)}</section>`;
}

function waiverPart({ verdict: { waivers } }: Report): string {
  const lines = [
    ...waivers.used.map((waiver) => waiverLine("used", waiver)),
    ...waivers.expired.map((waiver) => waiverLine("expired; renew or remove it", waiver)),
    ...waivers.unused.map((waiver) => waiverLine("unused; remove it", waiver)),
  ];
  return lines.length === 0 ? "" : `<section><h2>Waivers</h2><ul>\n${lines.join("\n")}\n</ul></section>`;
}

const waiverLine = (state: string, waiver: Waiver): string =>
  `<li><code>${text(waiver.target)}</code> ${state}: ${text(formatWaiver(waiver))}</li>`;

function foot(report: Report): string {
  const { catalogue, exit, policy, links, comparison } = report;
  const settings = formatSettings(report);
  const rules = [
    ...policy.failOn.map(formatFailOn),
    ...policy.denyLicenses.map((license) => `licence ${license}`),
  ].join(", ");
  return [
    "<footer>",
    `<p>Catalogue: ${text(formatCatalogue(catalogue))}, <code>${text(catalogue.digest)}</code></p>`,
    `<p>Policy: fails on ${text(rules)}; warns ${formatCount(policy.warnDays, "day")} before the end; support ${policy.support}; scope ${policy.scope}</p>`,
    ...(settings === undefined ? [] : [`<p>Settings: ${text(settings)}</p>`]),
    ...(comparison
      ? [`<p>Compared with <code>${text(comparison.against)}</code>: ${formatNumber(comparison.gone)} resolved</p>`]
      : []),
    `<p>Exit ${exit.code}, ${text(exit.name)}: ${text(exit.why)}</p>`,
    `<p>${link("How scores are made", links.methodology)}</p>`,
    "</footer>",
  ].join("\n");
}
