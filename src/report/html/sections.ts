/** The sections of the HTML report: one for each document, or one with the release cycles of all documents. */
import type { DocumentReport, Finding, Report } from "../../model/index.ts";
import { toFindings } from "../../policy/rows.ts";
import { escapeHtml as text } from "../escape.ts";
import type { ReportOptions } from "../reporter.ts";
import { indirectRows, isIndirectHint } from "../indirect.ts";
import { type CycleRows, type RowSet, type ScanRows, cycleRows, introducedBy, introducedByAny } from "../rows.ts";
import { isGroupedByCycle, locationOf } from "../view.ts";
import { type ComponentContext, indirectGroup, groups, isListed, outOfScopeGroups } from "./groups.ts";
import { formatCount, formatNumber } from "../../messages/format.ts";
import { formatFailOn } from "../json/frame.ts";
import { formatAbsent, formatContents } from "../labels.ts";
import { verdictTone } from "../notes.ts";
import { VERDICT_TITLES, formatCatalogue, formatSettings } from "../verdict.ts";

interface HtmlSection {
  readonly title: string;
  readonly rowSet: ScanRows | CycleRows;
  readonly findings: readonly Finding[];
  readonly context: ComponentContext;
}

/** The number of unassessed components that are named for each reason. */
export const examplesOf = (details: boolean): number => (details ? Number.MAX_SAFE_INTEGER : 20);

export function sections(report: Report, scans: readonly ScanRows[], options: ReportOptions): readonly string[] {
  const { details } = options;
  const found = isGroupedByCycle(report, options)
    ? [allDocuments(report, details)]
    : scans.map((scan) => ofDocument(scan, details));
  return found.map(({ title, rowSet, findings, context }) => {
    const all = { ...context, report };
    const indirect = details ? undefined : indirectRows(report, rowSet);
    const rows = [
      ...groups(details ? rowSet : { ...rowSet, rows: rowSet.rows.filter((row) => !isIndirectHint(row)) }, all),
      ...(indirect ? [indirectGroup(indirect)] : []),
      ...(details ? outOfScopeGroups(findings, all) : []),
    ];
    return `<section><h2 class="rows-title">${title}</h2>\n<div class="rows">\n${rows.join("\n")}\n</div></section>`;
  });
}

function ofDocument(each: ScanRows, details: boolean): HtmlSection {
  const { scan } = each;
  const paths = introducedBy(scan, listed(each, details));
  return {
    title: `<code>${text(scan.file)}</code>`,
    rowSet: each,
    findings: toFindings(scan.rows),
    context: { details, introducedBy: (finding) => paths.get(finding) ?? [], location: () => "" },
  };
}

function allDocuments(report: Report, details: boolean): HtmlSection {
  const merged = cycleRows(report, examplesOf(details));
  const paths = introducedByAny(merged, listed(merged, details));
  return {
    title: "Release cycles",
    rowSet: merged,
    findings: report.documents.flatMap(({ rows }) => toFindings(rows)),
    context: {
      details,
      introducedBy: (finding) => paths.get(finding) ?? [],
      location: (finding) => locationOf(finding, merged.documentOf(finding)),
    },
  };
}

/** The findings that are listed one by one; dependency paths are looked up only for these. */
function listed({ rows, unmatched }: RowSet, details: boolean): readonly Finding[] {
  return [
    ...rows.flatMap(({ findings }) => (isListed(findings, details) ? findings : [])),
    ...(details ? unmatched.flatMap(({ examples }) => examples) : []),
  ];
}

/** A longer list of documents is collapsed. */
const LISTED = 5;

export const head = (report: Report, title: string): string =>
  `<header><p class="soft">${text(`${report.tool.name} ${report.tool.version}`)}, as of <time datetime="${report.asOf}">${report.asOf}</time></p>
<h1><span class="badge ${verdictTone(report)}">${VERDICT_TITLES[report.verdict.value]}</span> ${text(title)}</h1></header>`;

export function facts(report: Report, scans: readonly ScanRows[]): string {
  const { catalogue, exit, comparison } = report;
  const rows: readonly (readonly [string, string])[] = [
    [scans.length === 1 ? "Document" : "Documents", documents(scans)],
    ["Policy", text(formatPolicy(report))],
    ["Configuration", text(configuration(report))],
    ["Catalogue", `${text(formatCatalogue(report))} <code class="digest">${text(catalogue.digest)}</code>`],
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
