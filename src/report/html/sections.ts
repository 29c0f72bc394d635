/** The sections of the HTML report: one for each document, or one with the release cycles of all documents. */
import type { Finding, Report } from "../../model/index.ts";
import { toFindings } from "../../policy/finding-rows.ts";
import { escapeHtml as text } from "../escape.ts";
import type { ReportOptions } from "../reporter.ts";
import { cycleRows, introducedBy, introducedByAny, type RowSet, type ScanRows } from "../rows.ts";
import { isGroupedByCycle, locationOf } from "../view.ts";
import { isListed, type ComponentContext } from "./components.ts";
import { groups, outOfScopeGroups } from "./groups.ts";

interface HtmlSection {
  readonly title: string;
  readonly rowSet: RowSet;
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
    const rows = [...groups(rowSet, all), ...(details ? outOfScopeGroups(findings, all) : [])];
    return `<section><h2>${title}</h2>\n<div class="rows">\n${rows.join("\n")}\n</div></section>`;
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
