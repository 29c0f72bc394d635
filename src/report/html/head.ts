/** The head of the HTML report: the verdict, with its documents, policy and catalogue. */
import { formatCount, formatNumber } from "../../messages/format.ts";
import type { DocumentReport, Report } from "../../model/index.ts";
import { escapeHtml as text } from "../escape.ts";
import { formatFailOn } from "../json/frame.ts";
import {
  formatCatalogue,
  formatAbsent,
  formatContents,
  formatSettings,
  formatVerdict,
  VERDICT_TITLES,
} from "../labels.ts";
import type { ScanRows } from "../rows.ts";

/** A longer list of documents is collapsed. */
const LISTED = 5;

export function head(report: Report, scans: readonly ScanRows[]): string {
  const { value } = report.verdict;
  const title = report.verdict.value === "none" ? text(report.exit.why) : text(formatVerdict(report));
  return `<header><p class="soft">${text(`${report.tool.name} ${report.tool.version}`)}, as of <time datetime="${report.asOf}">${report.asOf}</time></p>
<h1><span class="badge ${value}">${VERDICT_TITLES[value]}</span> ${title}</h1>
${facts(report, scans)}</header>`;
}

function facts(report: Report, scans: readonly ScanRows[]): string {
  const { catalogue, exit, comparison } = report;
  const rows: readonly (readonly [string, string])[] = [
    [scans.length === 1 ? "Document" : "Documents", documents(scans)],
    ["Policy", text(formatPolicy(report))],
    ["Configuration", text(configuration(report))],
    ["Catalogue", `${text(formatCatalogue(catalogue))} <code class="digest">${text(catalogue.digest)}</code>`],
    ...(comparison === undefined
      ? []
      : [
          [
            "Compared with",
            `<code>${text(comparison.against)}</code>: ${formatNumber(comparison.gone)} resolved`,
          ] as const,
        ]),
    ["Exit code", `${exit.code}, ${text(exit.name)}: ${text(exit.why)}`],
  ];
  const items = rows.map(([term, words]) => `<div><dt>${term}</dt><dd>${words}</dd></div>`);
  return `<dl class="about">\n${items.join("\n")}\n</dl>`;
}

function documents(scans: readonly ScanRows[]): string {
  if (scans.length === 0) return "none could be read";
  const lines = scans.map(
    ({ scan, contents }) => `${documentWords(scan)}, ${formatContents(contents)}${formatAbsent(scan.document)}`,
  );
  if (lines.length === 1) return lines.join("");
  const list = `<ul>${lines.map((line) => `<li>${line}</li>`).join("\n")}</ul>`;
  if (lines.length <= LISTED) return list;
  return `<details><summary>${formatCount(lines.length, "document")}</summary>${list}</details>`;
}

const documentWords = ({ file, digest, document: { format, specVersion } }: DocumentReport): string =>
  `<code>${text(file)}</code> <code class="digest">${text(digest())}</code> ${format} ${text(specVersion)}`;

function formatPolicy({ policy }: Report): string {
  const rules = [...policy.failOn.map(formatFailOn), ...policy.denyLicense.map((license) => `licence ${license}`)].join(
    ", ",
  );
  return `fails on ${rules}; warns ${formatCount(policy.warnDays, "day")} before the end; support ${policy.support}; scope ${policy.scope}`;
}

function configuration(report: Report): string {
  const { settings } = report;
  return formatSettings(report) ?? (settings === undefined ? "set by the program" : "no configuration file");
}
