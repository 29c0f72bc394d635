/**
 * One JSON object per line: the findings of each document and a record of the document, the documents that failed, and
 * a summary of the run. The lines of a document depend only on that document, so that they can be written as soon as it
 * is assessed.
 */
import type { DocumentReport, FailedDocument, Finding, Policy, Report } from "../model/index.ts";
import { exploitable } from "../policy/deciding.ts";
import { evaluatedOf, toFindings } from "../policy/rows.ts";
import { dependencyPaths } from "../sbom/graph/paths.ts";
import { dayOf, supportEndFields } from "../wire/lifecycle.ts";
import { type RunTotals, totalsOf, totalSummary } from "../wire/counts.ts";
import { kevEntryObject } from "../wire/score.ts";
import { escapeJson } from "./escape.ts";
import { findingObject, isFinding, unmatchedObject } from "./json/finding.ts";
import { coverageFields, failedObject, frameObject, subjectObject } from "./json/frame.ts";
import { compact } from "../text/values.ts";
import type { Reporter } from "./reporter.ts";

export const ndjson: Reporter = (report) =>
  [
    ...report.documents.map((scan) => documentLines(report, scan)),
    ...report.failed.map(failedLine),
    summaryLine(report, totalsOf(evaluatedOf(report.documents), report.policy)),
  ].join("");

/** The findings of one document and the record of the document; each line ends with a line feed. */
export function documentLines(report: Report, scan: DocumentReport): string {
  const paths = dependencyPaths(scan.document);
  const origin = originOf(scan);
  const lines: string[] = [];
  for (const finding of toFindings(scan.rows)) {
    if (finding.outcome.outOfScope) continue;
    const record = isFinding(finding.component, finding)
      ? {
          record: "finding",
          ...origin,
          ...findingObject(report, scan, finding, paths),
          ...lifecycle(finding, report.policy),
        }
      : unmatchedRecord(report, origin, finding);
    if (record !== undefined) lines.push(toLine(record));
  }
  return `${lines.join("")}${documentLine(report, scan)}`;
}

/**
 * The release cycle that decided: a line is processed on its own, so it contains the fields of `results` in the JSON
 * report that queries need.
 */
function lifecycle(finding: Finding, policy: Policy) {
  const deciding = finding.outcome.assessment ?? finding.assessment;
  if (deciding === undefined) return {};
  const own = exploitable(finding, policy);
  return {
    status: deciding.status,
    eol_date: dayOf(deciding.eolDate),
    ...supportEndFields(deciding.support),
    score: deciding.score,
    kev_basis: own?.kevBasis ?? null,
    kev_entries: own?.kevEntries.map(kevEntryObject) ?? [],
  };
}

/** A line is processed on its own, so each one states which document it is about. */
const originOf = ({ file, subject: { name, version }, labels }: DocumentReport) => ({
  file,
  ...(name !== undefined && { subject: compact({ name, version }) }),
  ...(Object.keys(labels).length > 0 && { labels }),
});

function unmatchedRecord(report: Report, origin: ReturnType<typeof originOf>, finding: Finding) {
  const object = unmatchedObject(report, finding);
  return object === null ? undefined : { record: "unmatched", ...origin, ...object };
}

/** The record of one document, with the field names of the summary. */
function documentLine({ policy }: Report, scan: DocumentReport): string {
  const { file, digest, rows, verdict, subject, labels } = scan;
  const totals = totalsOf(rows.counts(), policy);
  return toLine({
    record: "document",
    file,
    digest: digest(),
    subject: subjectObject(subject),
    labels,
    verdict: verdict.value,
    components: totals.components,
    summary: totalSummary(totals),
    reasons: verdict.reasons,
    coverage: coverageFields(verdict.coverage, totals.support),
  });
}

export const failedLine = (failed: FailedDocument): string => toLine({ record: "failed", ...failedObject(failed) });

export function summaryLine(report: Report, totals: RunTotals): string {
  const { verdict, policy } = report;
  return toLine({
    record: "summary",
    ...frameObject(report),
    components: totals.components,
    summary: totalSummary(totals),
    gate: { verdict: verdict.value, warn_days: policy.warnDays, reasons: verdict.reasons },
    coverage: coverageFields(verdict.coverage, totals.support),
  });
}

const toLine = (record: object): string => `${escapeJson(JSON.stringify(record))}\n`;
