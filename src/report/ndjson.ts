/**
 * One JSON object a line: each document's findings and a record of the document, the documents that failed, and a summary
 * of the run. A document's lines depend on nothing but that document, so that they can be written as soon as it is assessed.
 */
import type { DocumentReport, FailedDocument, Finding, Report } from "../core/model.ts";
import { dependencyPaths } from "../core/sbom/graph/paths.ts";
import { dayOf } from "../core/wire/end.ts";
import { type RunTotals, totalsOf, totalSummary } from "../core/wire/totals.ts";
import { escapeJson } from "./escape.ts";
import { findingObject, isFinding, unmatchedObject } from "./json/finding.ts";
import { coverageFields, failedObject, frameObject } from "./json/frame.ts";
import type { Reporter } from "./reporter.ts";

export const ndjson: Reporter = (report) => {
  const findings = report.documents.flatMap((scan) => scan.findings);
  return [
    ...report.documents.map((scan) => documentLines(report, scan)),
    ...report.failed.map(failedLine),
    summaryLine(report, totalsOf(findings, report.policy)),
  ].join("");
};

/** The findings of one document and its own record; each line ends with a line feed. */
export function documentLines(report: Report, scan: DocumentReport): string {
  const paths = dependencyPaths(scan.document);
  const lines: string[] = [];
  for (const finding of scan.findings) {
    if (finding.outcome.outOfScope) continue;
    const record = isFinding(finding)
      ? { record: "finding", file: scan.file, ...findingObject(report, scan, finding, paths), ...lifecycle(finding) }
      : unmatchedRecord(report, scan, finding);
    if (record !== undefined) lines.push(toLine(record));
  }
  return `${lines.join("")}${documentLine(report, scan)}`;
}

/** The release cycle that decided: a line is read alone, so the fields of the JSON report's `results` that queries need are in it. */
function lifecycle({ assessment, outcome }: Finding) {
  const judged = outcome.assessment ?? assessment;
  if (judged === undefined) return {};
  return { status: judged.status, eol_date: dayOf(judged.eolDate), score: judged.score, kev_basis: judged.kevBasis };
}

function unmatchedRecord(report: Report, scan: DocumentReport, finding: Finding) {
  const object = unmatchedObject(report, finding);
  return object === null ? undefined : { record: "unmatched", file: scan.file, ...object };
}

/** The counts of one document under the names that the summary has for all of them. */
function documentLine({ policy }: Report, { file, digest, findings, verdict }: DocumentReport): string {
  const totals = totalsOf(findings, policy);
  return toLine({
    record: "document",
    file,
    digest,
    verdict: verdict.value,
    components: totals.components,
    summary: totalSummary(totals),
    reasons: verdict.reasons,
    coverage: coverageFields(verdict.coverage, totals.support),
  });
}

export const failedLine = (failed: FailedDocument): string => toLine({ record: "failed", ...failedObject(failed) });

/** The last line: what applies to the whole run. */
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
