/**
 * GitLab code quality: findings that fail or warn, with their line in the document. Waived findings are left out,
 * because the format has no such state.
 */
import type { Band, Report } from "../model/index.ts";
import { reportNotes, type ReportNote } from "./notes.ts";
import { escapeJson as escaped, singleLine } from "./escape.ts";
import { filePath, fingerprints, hash } from "./locations.ts";
import type { Reporter } from "./reporter.ts";
import { findingRow, reportRows, type ReportRow, type ScanRows } from "./rows.ts";
import { ruleId } from "./sarif.ts";
import { exploitationNote, adviceOn, formatOutcome } from "./labels.ts";

const SEVERITIES: Readonly<Record<Band, string>> = {
  Critical: "blocker",
  High: "critical",
  Medium: "major",
  Low: "minor",
};

export const gitlab: Reporter = (report) => {
  const issues = [
    ...reportRows(report).flatMap((scan) => scanIssues(report, scan)),
    ...report.failed.map(failedIssue),
    ...reportNotes(report).map(noteIssue),
  ];
  return `${escaped(JSON.stringify(issues, null, 1))}\n`;
};

function scanIssues(report: Report, { scan, rows }: ScanRows) {
  const fingerprint = fingerprints();
  return rows
    .filter(({ state }) => state === "fail" || state === "warn")
    .flatMap((row) =>
      row.findings.map((finding) => ({
        description: singleLine(description(report, findingRow(finding))),
        check_name: `${report.tool.name}/${row.outcome.condition}`,
        fingerprint: fingerprint(finding, `${scan.file}|${ruleId(row)}`),
        severity: severity(row),
        location: {
          path: filePath(scan.file),
          lines: { begin: scan.document.position(finding.component.span.start).line },
        },
      })),
    );
}

function description(report: Report, row: ReportRow): string {
  const { outcome, findings } = row;
  const kev = outcome.condition === "kev" ? [] : exploitationNote(findings, report.policy);
  const words = [formatOutcome(row, report.policy.warnDays), ...kev].join("; ");
  return [words, adviceOn(report, row)].filter(Boolean).join("; ");
}

/** The severity by the risk of the release cycle. A warning is always `minor`. */
function severity({ state, assessment }: ReportRow): string {
  if (state === "warn") return "minor";
  return assessment ? SEVERITIES[assessment.band] : "major";
}

function failedIssue({ file, error }: Report["failed"][number]) {
  return {
    description: singleLine(`${file} could not be read: ${error.message}`),
    check_name: `eolgate/${singleLine(error.code)}`,
    fingerprint: hash(`${file}|${error.code}`),
    severity: "blocker",
    location: { path: filePath(file), lines: { begin: 1 } },
  };
}

function noteIssue({ group, kind, file, text }: ReportNote) {
  return {
    description: singleLine(text),
    check_name: `eolgate/${group}-${kind}`,
    fingerprint: hash(`${file}|${kind}`),
    severity: "info",
    location: { path: filePath(file), lines: { begin: 1 } },
  };
}
