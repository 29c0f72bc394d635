/**
 * GitHub annotations: workflow commands, which the runner reads from a step's output. One for each release cycle, at
 * its first component in the document, because GitHub shows ten of each kind for a step. The verdict comes first.
 */
import type { VerdictValue, Report } from "../model/index.ts";
import { NOTE_TITLES, reportNotes, verdictTone } from "./notes.ts";
import { singleLine, escapeWorkflowData, escapeWorkflowProperty } from "./escape.ts";
import { filePath } from "./locations.ts";
import type { Reporter } from "./reporter.ts";
import { reportRows, type ReportRow, type RowState, type ScanRows } from "./rows.ts";
import { adviceOn, formatCycle, formatRisk, formatNote, formatOutcome, errorLines } from "./labels.ts";
import { formatProvenance } from "../messages/provenance.ts";
import { verdictSentence } from "./verdict-sentence.ts";
import { VERDICT_TITLES } from "./verdict.ts";
import { CONDITIONS } from "../policy/conditions.ts";

type WorkflowCommand = "error" | "warning" | "notice";

const COMMANDS: Readonly<Record<Exclude<RowState, "pass">, WorkflowCommand>> = {
  fail: "error",
  warn: "warning",
  waived: "notice",
};

export const github: Reporter = (report) => {
  const scans = reportRows(report);
  const lines = [
    command(verdictCommand(report), { title: `${report.tool.name} ${VERDICT_TITLES[report.verdict.value]}` }, [
      verdictSentence(
        report,
        scans.flatMap(({ rows }) => rows),
      ),
      `exit ${report.exit.code}: ${report.exit.why}`,
    ]),
    ...reportNotes(report).map(({ group, kind, file, text }) =>
      command(
        kind === "exploited" ? "warning" : "notice",
        { file: filePath(file), title: `${report.tool.name}: ${NOTE_TITLES[group]}` },
        [text],
      ),
    ),
    ...report.failed.map(({ file, error }) =>
      command("error", { file: filePath(file), title: `${report.tool.name} could not read the document` }, [
        ...errorLines(error),
      ]),
    ),
    ...scans.flatMap((scan) => annotations(report, scan)),
  ];
  return `${lines.join("\n")}\n`;
};

/** The annotation for a run that ended without a report, with the error message of the command line. */
export function errorCommand(message: string): string {
  return `${command("error", { title: "eolgate could not give a verdict" }, message.trim().split("\n"))}\n`;
}

const verdictCommand = (report: Report): WorkflowCommand => VERDICT_COMMANDS[verdictTone(report)];
const VERDICT_COMMANDS = { fail: "error", none: "error", warn: "warning", pass: "notice" } as const satisfies Record<
  VerdictValue,
  WorkflowCommand
>;

/** Each line of the message is escaped on its own, so that only the line ends between them remain. */
function command(
  name: WorkflowCommand,
  properties: Readonly<Record<string, string | number>>,
  lines: readonly string[],
): string {
  const words = Object.entries(properties).map(([key, value]) => `${key}=${escapeWorkflowProperty(String(value))}`);
  return `::${name} ${words.join(",")}::${escapeWorkflowData(lines.map(singleLine).join("\n"))}`;
}

function annotations(report: Report, { scan, rows }: ScanRows): readonly string[] {
  return rows.flatMap((row) => {
    const [finding] = row.findings;
    if (row.state === "pass" || finding === undefined) return [];
    const { line, column } = scan.document.position(finding.component.span.start);
    const title = row.assessment
      ? `${formatCycle(row.assessment)}: ${CONDITIONS[row.outcome.condition].title}`
      : CONDITIONS[row.outcome.condition].title;
    return [
      command(COMMANDS[row.state], { file: filePath(scan.file), line, col: column, title }, messageLines(report, row)),
    ];
  });
}

function messageLines(report: Report, row: ReportRow): readonly string[] {
  const { assessment } = row;
  return [
    formatOutcome(row, report.policy.warnDays),
    ...formatNote(row, report.policy),
    ...(assessment ? [`Risk score ${formatRisk(assessment)}; date: ${formatProvenance(assessment.provenance)}`] : []),
    adviceOn(report, row),
  ].filter(Boolean);
}
