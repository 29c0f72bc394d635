/**
 * JUnit XML for test views: a suite for each document, a case for each release cycle. A failure fails, a waived finding
 * is skipped, a warning passes with its message as output, and a document that could not be read is an error. A document
 * in which nothing could be assessed is an error only where its gate has no verdict for this reason. A gate without a
 * verdict for another reason is a suite of its own with an error. Elements and attributes are those of the schema that
 * Jenkins uses (junit-10.xsd), which has no count of skipped cases at the root.
 */
import type { Report, DocumentReport } from "../model/index.ts";
import { reportNotes } from "./notes.ts";
import { singleLine, escapeXml } from "./escape.ts";
import type { Reporter } from "./reporter.ts";
import { pointerOf } from "./locations.ts";
import { reportRows, type ReportRow, type ScanRows } from "./rows.ts";
import {
  exploitationNote,
  adviceOn,
  formatComponent,
  formatComponentName,
  formatCycle,
  formatRisk,
  formatOutcome,
  formatWaiver,
  errorLines,
} from "./labels.ts";
import { formatProvenance } from "../messages/provenance.ts";
import { formatUnresolved } from "./verdict.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { formatCount } from "../messages/format.ts";

export const junit: Reporter = (report) => {
  const scans = reportRows(report);
  const unassessed = unassessedDocuments(report);
  const suites = [
    ...scans.map((scan) => suite(report, scan, unassessed)),
    ...report.failed.map(({ file, error }) =>
      errorSuite(file, "read", { message: error.message, type: error.code }, errorLines(error)),
    ),
  ];
  const rows = scans.flatMap((scan) => scan.rows);
  const errors = [...unassessed.values()].filter((kind) => kind === "error").length + report.failed.length;
  // Test views would show a gate without a verdict as passed.
  const isGateError = errors === 0 && !VERDICTS.has(report.exit.name);
  if (isGateError) suites.push(errorSuite("gate", "verdict", { message: report.exit.why, type: report.exit.name }));
  const counts = attributes({
    name: report.tool.name,
    tests: rows.length + unassessed.size + report.failed.length + (isGateError ? 1 : 0),
    failures: rows.filter(({ state }) => state === "fail").length,
    errors: errors + (isGateError ? 1 : 0),
    time: 0,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts}>\n${suites.join("\n")}\n</testsuites>\n`;
};

/** The names of exits that are verdicts. */
const VERDICTS: ReadonlySet<string> = new Set(["pass", "warn", "fail"]);

type Unassessed = ReadonlyMap<DocumentReport, "error" | "skipped">;

/**
 * The documents in which nothing was assessed. Test views show a suite without failures as passed, so one that is a gate
 * of its own is an error; a file of a folder is skipped where other files of the folder were assessed.
 */
function unassessedDocuments({ documents, exit }: Report): Unassessed {
  const [empty, others] = [true, false].map((isEmpty) => documents.filter((each) => isUnassessed(each) === isEmpty));
  const assessed = new Set((others ?? []).flatMap(({ partOf }) => partOf ?? []));
  const isPassed = exit.name !== "fail" && VERDICTS.has(exit.name);
  return new Map(
    empty?.map((each) => [each, isPassed || assessed.has(each.partOf ?? "") ? "skipped" : "error"] as const),
  );
}

const isUnassessed = ({ verdict: { value, coverage } }: DocumentReport): boolean =>
  value === "none" || (value === "pass" && coverage.assessed === 0 && coverage.notAssessed > 0);

/** Attributes in the order given; values are truncated, because some tools store them in a database column. */
function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(singleLine(String(value)))}"`)
    .join("");
}

function suite(report: Report, { scan, rows, unmatched, counts }: ScanRows, unassessed: Unassessed): string {
  const noVerdict = unassessed.get(scan);
  const head = attributes({
    name: scan.file,
    tests: rows.length + (noVerdict ? 1 : 0),
    failures: rows.filter(({ state }) => state === "fail").length,
    errors: noVerdict === "error" ? 1 : 0,
    skipped: rows.filter(({ state }) => state === "waived").length + (noVerdict === "skipped" ? 1 : 0),
    time: 0,
  });
  const properties = {
    verdict: scan.verdict.value,
    "as-of": report.asOf,
    catalogue: report.catalogue.date,
    "components-supported": counts.pass,
    "coverage-percent": scan.verdict.coverage.percent,
    ...Object.fromEntries(reportNotes(report).map((line, index) => [`${line.group}-${index + 1}`, line.text])),
    ...Object.fromEntries(unmatched.map(({ reason, count }) => [`unmatched-${reason}`, count])),
  };
  const lines = Object.entries(properties).map(([name, value]) => `   <property${attributes({ name, value })}/>`);
  return [
    ` <testsuite${head}>`,
    "  <properties>",
    ...lines,
    "  </properties>",
    ...rows.map((row) => testcase(report, scan.file, row)),
    ...(noVerdict ? [verdictCase(report, scan, noVerdict)] : []),
    ...(unmatched.length === 0
      ? []
      : [
          `  <system-out>${xmlLines(unmatched.map(({ reason, count }) => formatUnresolved(reason, count)))}</system-out>`,
        ]),
    " </testsuite>",
  ].join("\n");
}

function testcase(report: Report, file: string, row: ReportRow): string {
  const { state, assessment, outcome } = row;
  const line = assessment ? formatCycle(assessment) : CONDITIONS[outcome.condition].title;
  const head = attributes({ name: `${line}: ${formatComponent(row)}`, classname: file, time: 0 });
  const message = formatOutcome(row, report.policy.warnDays);
  const body = xmlLines([message, ...detailLines(report, row)]);
  switch (state) {
    case "fail":
      return `  <testcase${head}>\n   <failure${attributes({ message, type: outcome.condition })}>${body}</failure>\n  </testcase>`;
    case "waived":
      return `  <testcase${head}>\n   <skipped${attributes({ message: outcome.waived ? formatWaiver(outcome.waived) : message })}/>\n  </testcase>`;
    case "warn":
      return `  <testcase${head}>\n   <system-out>${body}</system-out>\n  </testcase>`;
    case "pass":
      return `  <testcase${head}/>`;
  }
}

const xmlLines = (lines: readonly string[]): string => lines.map((line) => escapeXml(singleLine(line))).join("\n");

/** Maximum number of components that are named for a release cycle. */
const MAX_NAMES = 20;

function detailLines(report: Report, row: ReportRow): readonly string[] {
  const { assessment, findings } = row;
  const advice = adviceOn(report, row);
  const names = findings
    .slice(0, MAX_NAMES)
    .map(
      ({ component }) => `- ${formatComponentName(component)} at ${pointerOf(component) ?? "a path too long to print"}`,
    );
  return [
    ...exploitationNote(findings, report.policy),
    ...(advice === "" ? [] : [`Advice: ${advice}`]),
    ...(assessment
      ? [
          `Risk score ${formatRisk(assessment)}`,
          `Date: ${formatProvenance(assessment.provenance)}${assessment.provenance.url === null ? "" : `, ${assessment.provenance.url}`}`,
        ]
      : []),
    ...names,
    ...(findings.length > MAX_NAMES ? [`and ${formatCount(findings.length - MAX_NAMES, "more component")}`] : []),
  ];
}

function verdictCase({ exit }: Report, { file }: DocumentReport, kind: "error" | "skipped"): string {
  const outcome =
    kind === "error"
      ? `error${attributes({ message: exit.why, type: "unassessed" })}`
      : `skipped${attributes({ message: "nothing in this file could be assessed" })}`;
  return `  <testcase${attributes({ name: "verdict", classname: file, time: 0 })}>\n   <${outcome}/>\n  </testcase>`;
}

function errorSuite(
  name: string,
  step: string,
  error: { readonly message: string; readonly type: string },
  lines: readonly string[] = [],
): string {
  const head = attributes({ name, tests: 1, failures: 0, errors: 1, skipped: 0, time: 0 });
  const testcase = attributes({ name: step, classname: name, time: 0 });
  return ` <testsuite${head}>\n  <testcase${testcase}>\n   <error${attributes(error)}>${xmlLines(lines)}</error>\n  </testcase>\n </testsuite>`;
}
