/**
 * The report for a terminal, worst first. Each document gets its counts and a table of the findings that fail, warn or
 * are waived; the others are counted, and listed with `details`. The verdict is at the end, next to the prompt.
 */
import type { Finding, Report } from "../model/index.ts";
import { escapeTerminal } from "./escape.ts";
import { forecastRows } from "./forecast.ts";
import type { Reporter, ReportOptions } from "./reporter.ts";
import {
  cycleRows,
  type CycleRows,
  findingRow,
  firstFinding,
  introducedBy,
  introducedByAny,
  reportRows,
  type ReportRow,
  type RowSet,
  type RowState,
  type ScanRows,
} from "./rows.ts";
import { isGroupedByCycle, type ListedRows, listedRows, rowLocations } from "./view.ts";
import { footer, headline } from "./terminal/footer.ts";
import { grid } from "./terminal/grid.ts";
import type { RowOrigin } from "./terminal/cells.ts";
import { type Paint, paint } from "./terminal/paint.ts";
import { formatCount, formatNumber } from "../messages/format.ts";
import { LEVEL_LABELS, REASON_LABELS } from "../messages/support.ts";
import { formatAbsent, formatContents, formatEnd, formatCycle, formatComponentName } from "./labels.ts";

const NARROWEST = 60;
const WIDEST = 140;

export const table: Reporter = (report, options) => {
  const palette = paint(options.terminal);
  const width = Math.min(Math.max(options.terminal.width, NARROWEST), WIDEST);
  const examples = options.details ? Number.MAX_SAFE_INTEGER : undefined;
  if (options.view?.quiet === true) return `\n${headline(report, width, palette).join("\n")}\n\n`;
  const frame = { report, options, width, palette };
  const merged = isGroupedByCycle(report, options) ? cycleRows(report, examples) : undefined;
  const single = merged ? [] : reportRows(report, examples);
  const parts = [
    header(report, width, palette),
    ...(merged ? [mergedSection(frame, merged)] : single.map((each) => section(frame, each))),
    ...report.failed.map((each) => failure(each, palette)),
    ...(report.forecast ? [forecastRows(report.forecast, width, palette)] : []),
    footer(report, merged ? [merged] : single, { width, palette, isVerbose: options.details === true }),
  ];
  return `\n${parts.join("\n\n")}\n\n`;
};

function header({ tool, asOf }: Report, width: number, palette: Paint): string {
  const left = `${tool.name} ${tool.version}`;
  const right = `as of ${asOf}`;
  const space = " ".repeat(Math.max(2, width - 4 - left.length - right.length));
  return `  ${palette.bold(left)}${space}${palette.dim(right)}`;
}

interface Frame {
  readonly report: Report;
  readonly options: ReportOptions;
  readonly width: number;
  readonly palette: Paint;
}

function section(frame: Frame, each: ScanRows): string {
  const rows = listed(frame, each);
  const paths = introducedBy(each.scan, rows.rows.map(firstFinding));
  const origin = (row: ReportRow): RowOrigin => ({ path: paths.get(firstFinding(row)) ?? [] });
  return sectionText(frame, { head: title(each, frame.palette), counted: each, listed: rows, origin });
}

/** One table for all documents; each row lists the locations of its components. */
function mergedSection(frame: Frame, each: CycleRows): string {
  const { report, options, palette } = frame;
  const rows = listed(frame, each);
  const paths = introducedByAny(each, rows.rows.map(firstFinding));
  const names = (report.folders ?? []).map(({ folder }) => escapeTerminal(folder)).join(", ");
  const files = formatCount(each.documents.length, "file");
  const head = `  ${palette.bold(names === "" ? files : names)}  ${palette.dim(`${names === "" ? "" : `${files}, `}${formatContents(each.contents)}`)}`;
  const origin = (row: ReportRow): RowOrigin => {
    const { shown, more } = rowLocations(row, each, options.view);
    const location = `${shown.map(escapeTerminal).join(", ")}${more === 0 ? "" : ` … ${formatNumber(more)} more`}`;
    return { path: paths.get(firstFinding(row)) ?? [], location };
  };
  return sectionText(frame, { head, counted: each, listed: rows, origin });
}

/** With `details` a row for each finding; otherwise the rows that fail, warn or are waived, as the view selects. */
function listed({ options }: Frame, { rows }: RowSet): ListedRows {
  const all = options.details ? rows.flatMap(({ findings }) => findings.map((finding) => findingRow(finding))) : rows;
  return options.details && options.view?.only === undefined ? { rows: all, more: 0 } : listedRows(all, options.view);
}

interface TableSection {
  readonly head: string;
  readonly counted: RowSet;
  readonly listed: ListedRows;
  readonly origin: (row: ReportRow) => RowOrigin;
}

function sectionText(
  { report, options, width, palette }: Frame,
  { head, counted, listed, origin }: TableSection,
): string {
  const { rows, more } = listed;
  const left = more === 0 ? [] : [`  ${palette.dim(`… ${formatCount(more, "more row")}`)}`];
  return [
    head,
    tally(counted, palette),
    ...(rows.length > 0 ? ["", grid({ report, width, paint: palette }, rows, origin), ...left] : []),
    ...(options.details ? unmatchedList(counted, palette) : nextToEnd(counted, palette)),
  ].join("\n");
}

function title({ scan: { file, document }, contents }: ScanRows, palette: Paint): string {
  const { format, specVersion } = document;
  const facts = `${format} ${escapeTerminal(specVersion)}, ${formatContents(contents)}${formatAbsent(document)}`;
  return `  ${palette.bold(escapeTerminal(file))}  ${palette.dim(facts)}`;
}

const TALLY: readonly (readonly [RowState, string])[] = [
  ["fail", "fail"],
  ["warn", "warn"],
  ["waived", "waived"],
  ["pass", "supported"],
];

/** `✖ 3 fail  ▲ 2 warn  ✔ 37 supported  · 1,108 not tracked`: components, not rows. */
function tally({ counts, unmatched, outOfScope }: RowSet, palette: Paint): string {
  const without = unmatched.reduce((sum, each) => sum + each.count, 0);
  const parts = TALLY.filter(([state]) => counts[state] > 0 || state === "pass").map(
    ([state, words]) => `${palette.glyph(state)} ${formatNumber(counts[state])} ${words}`,
  );
  const others = [
    ...(without > 0 ? [`${formatNumber(without)} not tracked`] : []),
    ...(outOfScope > 0 ? [`${formatNumber(outOfScope)} out of scope`] : []),
  ].map((words) => palette.dim(`· ${words}`));
  return `  ${[...parts, ...others].join("   ")}`;
}

/** The supported release cycle that ends first. */
function nextToEnd({ rows }: RowSet, palette: Paint): readonly string[] {
  const ending = rows
    .flatMap(({ state, assessment }) =>
      state === "pass" && assessment && assessment.support.daysUntilEol !== null ? [assessment] : [],
    )
    .reduce<ReportRow["assessment"]>(
      (soonest, each) => (soonest && daysLeft(soonest) <= daysLeft(each) ? soonest : each),
      undefined,
    );
  if (ending === undefined) return [];
  const { when, distance } = formatEnd(ending);
  return [
    "",
    `  ${palette.dim(`next end of life: ${escapeTerminal(`${formatCycle(ending)}, ${when}, ${distance}`)}`)}`,
  ];
}

const daysLeft = ({ support }: NonNullable<ReportRow["assessment"]>): number => support.daysUntilEol ?? 0;

function unmatchedList({ unmatched }: RowSet, palette: Paint): readonly string[] {
  return unmatched.flatMap(({ reason, count: n, examples }) => [
    "",
    `  ${palette.bold(REASON_LABELS[reason])} ${palette.dim(`(${reason}, ${formatNumber(n)})`)}`,
    ...examples.map((finding) => unmatchedLine(finding, palette)),
  ]);
}

function unmatchedLine({ component, support }: Finding, palette: Paint): string {
  const [purl] = component.purls;
  const facts = [
    ...(purl === undefined ? [] : [escapeTerminal(purl)]),
    ...(support === undefined ? [] : [LEVEL_LABELS[support.level]]),
  ];
  const words = facts.length === 0 ? "" : palette.dim(`  ${facts.join("  ")}`);
  return `    ${escapeTerminal(formatComponentName(component))}${words}`;
}

function failure({ file, error }: Report["failed"][number], palette: Paint): string {
  const where = error.where === undefined ? "" : ` (${escapeTerminal(error.where)})`;
  return [
    `  ${palette.bold(escapeTerminal(file))}  ${palette.state("fail", "could not be read")}`,
    `  ${palette.glyph("fail")} ${escapeTerminal(error.message)}${where}`,
    ...(error.hint === undefined ? [] : [`    ${palette.dim(escapeTerminal(error.hint))}`]),
  ].join("\n");
}
