/**
 * The report for people at a terminal, worst first. Each document gets its counts and a table of what fails, warns or is
 * waived; what is fine is counted, and listed with `details`. The verdict stands last, where the eye is.
 */
import type { Report } from "../core/model.ts";
import { escapeTerminal } from "./escape.ts";
import { forecastRows } from "./forecast/terminal.ts";
import type { Reporter, ReportOptions } from "./reporter.ts";
import { findingRow, reportRows, type ReportRow, type RowState, type ScanRows } from "./rows.ts";
import { footer } from "./terminal/footer.ts";
import { grid } from "./terminal/grid.ts";
import { type Paint, paint } from "./terminal/paint.ts";
import { formatNumber } from "../core/messages/format.ts";
import { REASON_LABELS } from "../core/messages/reasons.ts";
import { formatContents, formatEnd, formatCycle, formatComponentName } from "./labels.ts";

const NARROWEST = 60;
const WIDEST = 140;

export const table: Reporter = (report, options) => {
  const palette = paint(options.terminal);
  const width = Math.min(Math.max(options.terminal.width, NARROWEST), WIDEST);
  const scans = reportRows(report, options.details ? Number.MAX_SAFE_INTEGER : undefined);
  const parts = [
    header(report, width, palette),
    ...scans.map((scan) => section(report, scan, options, width, palette)),
    ...report.failed.map((each) => failure(each, palette)),
    ...(report.forecast ? [forecastRows(report.forecast, width, palette)] : []),
    footer(report, scans, width, palette),
  ];
  return `\n${parts.join("\n\n")}\n\n`;
};

function header({ tool, asOf }: Report, width: number, palette: Paint): string {
  const left = `${tool.name} ${tool.version}`;
  const right = `as of ${asOf}`;
  const space = " ".repeat(Math.max(2, width - 4 - left.length - right.length));
  return `  ${palette.bold(left)}${space}${palette.dim(right)}`;
}

function section(report: Report, each: ScanRows, options: ReportOptions, width: number, palette: Paint): string {
  const listed = options.details
    ? each.rows.flatMap(({ findings }) => findings.map((finding) => findingRow(finding)))
    : each.rows.filter((row) => row.state !== "pass");
  return [
    title(each, palette),
    tally(each, palette),
    ...(listed.length > 0 ? ["", grid(report, each.scan, listed, width, palette)] : []),
    ...(options.details ? unmatchedList(each, palette) : nextToEnd(each, palette)),
  ].join("\n");
}

function title({ scan: { file, document }, contents }: ScanRows, palette: Paint): string {
  const { format, specVersion } = document;
  const facts = `${format} ${escapeTerminal(specVersion)}, ${formatContents(contents)}`;
  return `  ${palette.bold(escapeTerminal(file))}  ${palette.dim(facts)}`;
}

const TALLY: readonly (readonly [RowState, string])[] = [
  ["fail", "fail"],
  ["warn", "warn"],
  ["waived", "waived"],
  ["pass", "supported"],
];

/** `✖ 3 fail  ▲ 2 warn  ✔ 37 supported  · 1,108 not tracked`: components, not rows. */
function tally({ counts, unmatched, leftOut }: ScanRows, palette: Paint): string {
  const without = unmatched.reduce((sum, each) => sum + each.count, 0);
  const parts = TALLY.filter(([state]) => counts[state] > 0 || state === "pass").map(
    ([state, words]) => `${palette.glyph(state)} ${formatNumber(counts[state])} ${words}`,
  );
  const others = [
    ...(without > 0 ? [`${formatNumber(without)} not tracked`] : []),
    ...(leftOut > 0 ? [`${formatNumber(leftOut)} out of scope`] : []),
  ].map((words) => palette.dim(`· ${words}`));
  return `  ${[...parts, ...others].join("   ")}`;
}

/** Of what is fine, the line that ends first: what a green report is good for. */
function nextToEnd({ rows }: ScanRows, palette: Paint): readonly string[] {
  const ending = rows
    .flatMap(({ state, assessment }) =>
      state === "pass" && assessment && assessment.daysUntilEol !== null ? [assessment] : [],
    )
    .reduce<ReportRow["assessment"]>(
      (soonest, each) => (soonest && (soonest.daysUntilEol ?? 0) <= (each.daysUntilEol ?? 0) ? soonest : each),
      undefined,
    );
  if (ending === undefined) return [];
  const { when, distance } = formatEnd(ending);
  return ["", `  ${palette.dim(`next end of life: ${escapeTerminal(formatCycle(ending))}, ${when}, ${distance}`)}`];
}

function unmatchedList({ unmatched }: ScanRows, palette: Paint): readonly string[] {
  return unmatched.flatMap(({ reason, count: n, examples }) => [
    "",
    `  ${palette.bold(REASON_LABELS[reason])} ${palette.dim(`(${reason}, ${formatNumber(n)})`)}`,
    ...examples.map(
      ({ component }) =>
        `    ${escapeTerminal(formatComponentName(component))}${component.purls[0] === undefined ? "" : palette.dim(`  ${escapeTerminal(component.purls[0])}`)}`,
    ),
  ]);
}

function failure({ file, error }: Report["failed"][number], palette: Paint): string {
  const where = error.where === undefined ? "" : ` (${escapeTerminal(error.where)})`;
  return [
    `  ${palette.bold(escapeTerminal(file))}  ${palette.state("fail", "could not be read")}`,
    `  ${palette.glyph("fail")} ${escapeTerminal(error.message)}${where}`,
    ...(error.hint === undefined ? [] : [`    ${palette.dim(escapeTerminal(error.hint))}`]),
  ].join("\n");
}
