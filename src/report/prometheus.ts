/**
 * Prometheus text for a pushgateway or a textfile collector: the figures of the check, then the series of each release
 * cycle.
 */
import type { Report } from "../model/index.ts";
import { dayNumber } from "../lifecycle/days.ts";
import { exploitedBy } from "../policy/deciding.ts";
import { metrics } from "../wire/metrics.ts";
import { escapeLabel } from "./escape.ts";
import { formatComponentName } from "./labels.ts";
import type { Reporter } from "./reporter.ts";
import { reportRows, type RowState, type ScanRows } from "./rows.ts";

export const prometheus: Reporter = (report) => {
  const scans = reportRows(report);
  const assessments = scans.flatMap((scan) => scan.rows.flatMap((row) => row.assessment ?? []));
  return [
    ...gateLines(report, scans),
    metrics(
      assessments.map((assessment) => ({ kind: "answer", assessment })),
      "prometheus",
    ),
  ].join("\n");
};

const VERDICTS = { pass: 0, warn: 1, fail: 2, none: 3 } as const;
const STATES: readonly RowState[] = ["fail", "warn", "waived", "pass"];

function gateLines(report: Report, scans: readonly ScanRows[]): readonly string[] {
  return [
    ...family(
      "eolgate_verdict",
      "Verdict of the gate: 0 pass, 1 warn, 2 fail",
      scans.map(({ scan }) => [{ document: scan.file }, VERDICTS[scan.verdict.value]]),
    ),
    ...family("eolgate_exit_code", "Exit code of the check", [[{}, report.exit.code]]),
    ...family(
      "eolgate_components",
      "Components by outcome",
      scans.flatMap(({ scan, counts }) =>
        STATES.map((state): Series => [{ document: scan.file, state }, counts[state]]),
      ),
    ),
    ...family(
      "eolgate_unmatched_components",
      "Components that are not tracked, by reason",
      scans.flatMap(({ scan, unmatched }) =>
        unmatched.map(({ reason, count }): Series => [{ document: scan.file, reason }, count]),
      ),
    ),
    ...family(
      "eolgate_coverage_ratio",
      "Share of the components that were assessed",
      scans.map(({ scan }) => [{ document: scan.file }, scan.verdict.coverage.percent / 100]),
    ),
    ...family(
      "eolgate_document_failed",
      "1 for each document that could not be read",
      report.failed.map(({ file, error }) => [{ document: file, code: error.code }, 1]),
    ),
    ...family(
      "eolgate_known_exploited",
      "1 for each known exploited vulnerability of a version",
      exploited(report, scans),
    ),
    ...family("eolgate_catalogue_age_days", "Age of the catalogue", [[{}, report.catalogue.ageDays]]),
    ...family("eolgate_as_of_timestamp_seconds", "The date of the assessment", [[{}, dayNumber(report.asOf) * 86_400]]),
  ];
}

/** One series for each entry that affects a component of the document. */
function exploited({ policy }: Report, scans: readonly ScanRows[]): readonly Series[] {
  const labels = scans.flatMap(({ scan, rows }) =>
    rows
      .flatMap(({ findings }) => findings)
      .flatMap((finding) =>
        exploitedBy(finding, policy).map(({ cve, ransomware, affected, fixedIn }) => ({
          document: scan.file,
          component: formatComponentName(finding.component),
          cve,
          ransomware: String(ransomware),
          affected,
          fixed_in: fixedIn ?? "",
        })),
      ),
  );
  // A document may list a component twice; a series may not occur twice.
  return [...new Map(labels.map((each): [string, Series] => [labelSet(each), [each, 1]])).values()];
}

type Series = readonly [labels: Readonly<Record<string, string>>, value: number];

function family(name: string, help: string, series: readonly Series[]): readonly string[] {
  if (series.length === 0) return [];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...series.map(([labels, value]) => `${name}${labelSet(labels)} ${value}`),
  ];
}

function labelSet(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
