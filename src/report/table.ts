/**
 * The report for a terminal. The first line is the verdict; then one row for each decision with its upgrade, grouped by
 * outcome and worst first; then what is supported and what was not assessed. With `details`, every component is listed.
 */
import { formatCount, formatNumber } from "../messages/format.ts";
import { LEVEL_LABELS, REASON_LABELS } from "../messages/support.ts";
import type { DocumentReport, Finding, Report } from "../model/index.ts";
import { escapeTerminal } from "./escape.ts";
import { indirectRows, isIndirectHint } from "./indirect.ts";
import { forecastRows } from "./forecast.ts";
import { isProjectFile } from "./inputs.ts";
import { formatAbsent, formatComponentName, formatContents } from "./labels.ts";
import { restOf } from "./rest.ts";
import type { Reporter } from "./reporter.ts";
import {
  cycleRows,
  failuresFirst,
  findingRow,
  firstFinding,
  introducedBy,
  introducedByAny,
  reportRows,
  type CycleRows,
  type ReportRow,
  type RowSet,
  type ScanRows,
} from "./rows.ts";
import { type Cells, toCells, type RowOrigin } from "./terminal/cells.ts";
import { coverageLines, footer, headline, LABEL, remarks, type TableFrame } from "./terminal/footer.ts";
import { grid } from "./terminal/grid.ts";
import { type Paint, paint } from "./terminal/paint.ts";
import { columnsOf, cut, pad, inLocale, wrap } from "./terminal/text.ts";
import { conditionText, verdictSentence } from "./verdict-sentence.ts";
import { isGroupedByCycle, type ListedRows, listedRows, rowLocations } from "./view.ts";

const NARROWEST = 40;
const WIDEST = 160;
/** Rows of a table without `top`. */
const MOST_ROWS = 25;

export const table: Reporter = (report, options) => {
  const width = Math.min(Math.max(options.terminal.width, NARROWEST), WIDEST);
  const frame = { report, options, width, paint: paint(options.terminal) };
  const examples = options.details ? Number.MAX_SAFE_INTEGER : undefined;
  const merged = isGroupedByCycle(report, options) ? cycleRows(report, examples) : undefined;
  const single = merged ? [] : reportRows(report, examples);
  const text = `\n${parts(frame, merged, single)
    .filter((part) => part !== "")
    .join("\n\n")}\n\n`;
  return inLocale(text, options.terminal);
};

function parts(frame: TableFrame, merged: CycleRows | undefined, single: readonly ScanRows[]): readonly string[] {
  const { report, options, width, paint: palette } = frame;
  const sets: readonly RowSet[] = merged ? [merged] : single;
  const verdict = headline(
    report,
    escapeTerminal(
      verdictSentence(
        report,
        sets.flatMap(({ rows }) => rows),
      ),
    ),
    width,
    palette,
  ).join("\n");
  if (options.view?.quiet === true) return [verdict];
  const sections = merged
    ? [mergedSection(frame, merged)]
    : single
        .filter((each) => options.view?.only === undefined || listed(frame, each).rows.length > 0)
        .toSorted(failuresFirst)
        .map((each) => section(frame, each, single.length > 1));
  return [
    header(frame, merged, single),
    verdict,
    ...sections.map(({ text }) => text),
    ...report.failed.map((each) => failure(each, palette)),
    [...coverageLines(frame, sets), ...remarks(frame, sets)].join("\n"),
    ...(options.details ? sets.flatMap((set) => unmatchedList(set, frame)) : []),
    ...(report.forecast ? [forecastRows(report.forecast, width, palette)] : []),
    footer(
      frame,
      sections.flatMap(({ cells }) => cells),
    ).join("\n"),
  ];
}

/** `eolgate  web-shop 4.2.0 (CycloneDX, 18 components)      2026-11-22` */
function header(
  { report, width, paint: palette }: TableFrame,
  merged: CycleRows | undefined,
  single: readonly ScanRows[],
): string {
  const { tool, asOf } = report;
  const [only] = single;
  const names = (report.folders ?? []).map(({ folder }) => escapeTerminal(folder)).join(", ");
  const subject =
    only !== undefined && single.length === 1
      ? [documentName(only), documentFacts(only)]
      : merged
        ? [
            names === "" ? "" : `${names} `,
            `${formatCount(merged.documents.length, "file")}, ${formatContents(merged.contents)}`,
          ]
        : ["", formatCount(report.documents.length + report.failed.length, "document")];
  const [name = "", facts = ""] = subject;
  const space = width - 4 - tool.name.length - 2 - asOf.length - 2;
  const shown = cut(name.trimEnd(), space, "start");
  const rest = space - columnsOf(shown) - 3;
  // The contents alone where the format does not fit.
  const fitting = [facts, facts.replace(/^[^,]*, (?=\d)/, "")].find((each) => columnsOf(each) <= rest);
  const about = name === "" ? cut(facts, space) : fitting === undefined ? "" : ` (${fitting})`;
  const text = pad(`${shown}${about}`, space);
  return `  ${palette.bold(tool.name)}  ${text}  ${palette.dim(asOf)}`;
}

/** The described software, or the file. */
function documentName({ scan: { file, document } }: ScanRows): string {
  const root = document.components.at(0);
  const isRoot = root?.kind === "root" && root.name.trim() !== "";
  return escapeTerminal(isRoot ? formatComponentName(root) : file);
}

const documentFacts = ({ scan: { document }, contents }: ScanRows): string =>
  `${isProjectFile(document) ? "" : `${document.format} ${escapeTerminal(document.specVersion)}, `}${formatContents(contents)}${formatAbsent(document)}`;

interface Section {
  readonly text: string;
  readonly cells: readonly Cells[];
}

function section(frame: TableFrame, each: ScanRows, isOneOfMany: boolean): Section {
  const rows = listed(frame, each);
  const paths = introducedBy(each.scan, rows.rows.map(firstFinding));
  const origin = (row: ReportRow): RowOrigin => ({
    path: shownPath(paths.get(firstFinding(row)), each.scan),
    // Lines of lockfiles and pins and paths in images are looked up by people; lines of SBOMs are in the other formats.
    ...((isProjectFile(each.scan.document) || each.scan.document.format === "image") &&
      firstLocation(row, { documentOf: () => each.scan }, frame)),
  });
  const { paint: palette } = frame;
  const title = isOneOfMany
    ? [
        `  ${palette.bold(escapeTerminal(each.scan.file))}  ${palette.dim(`${documentFacts(each)}${rows.rows.length === 0 ? ", nothing to report" : ""}`)}`,
      ]
    : [];
  return rowSection(frame, title, { ...rows, grouped: indirectPart(frame, each) }, origin);
}

/** One table for all documents; each row lists the locations of its components. */
function mergedSection(frame: TableFrame, each: CycleRows): Section {
  const rows = listed(frame, each);
  const paths = introducedByAny(each, rows.rows.map(firstFinding));
  const origin = (row: ReportRow): RowOrigin => ({
    path: shownPath(paths.get(firstFinding(row)), each.documentOf(firstFinding(row))),
    ...firstLocation(row, each, frame),
  });
  return rowSection(frame, [], { ...rows, grouped: indirectPart(frame, each) }, origin);
}

/** The rows without rows of their own as one line for each direct dependency. With `details`, there are none. */
function indirectPart(
  { report, options, width, paint: palette }: TableFrame,
  set: ScanRows | CycleRows,
): readonly string[] {
  const { only } = options.view ?? {};
  const indirect = options.details || (only && !only.includes("warn")) ? undefined : indirectRows(report, set);
  if (indirect === undefined) return [];
  return [
    `  ${palette.state("warn", "WARN".padEnd(LABEL))}${cut(`${indirect.heading}; --verbose lists them`, width - LABEL - 2)}`,
    ...indirect.lines.map(({ line }) => `        ${cut(escapeTerminal(line), width - 8)}`),
  ];
}

/** The path in an SBOM begins with the described software, that in a lockfile with a direct dependency. */
function shownPath(path: readonly string[] = [], scan: DocumentReport | undefined): readonly string[] {
  return path.length > 1 || (scan !== undefined && isProjectFile(scan.document)) ? path : [];
}

/** The first location of a row with the number of the others, or all of them. */
function firstLocation(
  row: ReportRow,
  rows: Pick<CycleRows, "documentOf">,
  { options }: TableFrame,
): Omit<RowOrigin, "path"> {
  const { shown, more } = rowLocations(row, rows, options.view);
  if (options.view?.verbose === true) return { location: shown.map(escapeTerminal).join(", ") };
  const others = shown.length + more - 1;
  const where = `${escapeTerminal(shown[0] ?? "")}${others > 0 ? ` +${formatNumber(others)}` : ""}`;
  return { location: where, where };
}

/** With `details` a row for each finding; otherwise the rows that fail, warn or are waived, as the view selects. */
function listed({ options: { details, view = {} } }: TableFrame, { rows }: RowSet): ListedRows {
  const all = details ? rows.flatMap(({ findings }) => findings.map((finding) => findingRow(finding))) : rows;
  if (details && view.only === undefined) return { rows: all, rest: [] };
  const shown = details ? all : all.filter((row) => !isIndirectHint(row));
  const top = view.top === 0 ? undefined : (view.top ?? MOST_ROWS);
  const { top: _, ...rest } = view;
  return listedRows(shown, { ...rest, ...(top !== undefined && { top }) });
}

/** The rows under one heading for each outcome; the failing ones need none, because the verdict is their heading. */
function rowSection(
  frame: TableFrame,
  title: readonly string[],
  { rows, rest, grouped }: ListedRows & { readonly grouped: readonly string[] },
  origin: (row: ReportRow) => RowOrigin,
): Section {
  const { report, options, width, paint: palette } = frame;
  const cells = rows.map((row) => toCells(report, row, origin(row), options.details));
  const { heading, lines } = grid({ report, width, paint: palette }, cells);
  const groups = [...Map.groupBy(cells, ({ row }) => groupOf(row))];
  const text = groups.map(([label, members], index) =>
    [
      ...groupHeading(
        label,
        [...members.map(({ row }) => row), ...rest.filter((row) => groupOf(row) === label)],
        frame,
      ),
      ...(index === 0 && heading !== "" ? [heading] : []),
      ...members.flatMap(lines),
    ].join("\n"),
  );
  const hint = rest.length === 0 ? [] : [`  ${palette.dim(`... ${formatNumber(rest.length)} more: --top 0`)}`];
  const body = [...text, ...(grouped.length === 0 ? [] : [grouped.join("\n")]), ...hint].join("\n\n");
  return { text: [...title, ...(body === "" ? [] : [body])].join("\n"), cells };
}

/** Failures are one group; warnings one for each condition, which explains why a row only warns. */
const groupOf = ({ state, outcome }: ReportRow): string =>
  state === "warn" || state === "pass" ? `${state} ${outcome.condition}` : state;

function groupHeading(
  label: string,
  [first, ...others]: readonly ReportRow[],
  { report: { verdict }, width, paint: palette }: TableFrame,
): readonly string[] {
  if (first === undefined || label === "fail") return [];
  const rows = [first, ...others];
  if (first.state === "warn") {
    const isVerdict =
      verdict.value === "warn" &&
      new Set(verdict.reasons.filter((reason) => reason.verdict === "warn").map(({ condition }) => condition)).size ===
        1;
    if (isVerdict) return [];
    const [text = "", ...more] = wrap(conditionText(first.outcome.condition, rows), width - LABEL - 2);
    return [
      `  ${palette.state("warn", "WARN".padEnd(LABEL))}${text}`,
      ...more.map((line) => `${" ".repeat(LABEL + 2)}${line}`),
    ];
  }
  const count = rows.reduce((sum, { findings }) => sum + findings.length, 0);
  return first.state === "waived"
    ? [`  ${palette.state("waived", "WAIVED".padEnd(LABEL))}${formatCount(count, "component")} accepted by a waiver`]
    : [
        `  ${palette.state("pass", "OK".padEnd(LABEL))}${first.outcome.condition === "none" ? `${formatCount(count, "component")} supported` : conditionText(first.outcome.condition, rows)}`,
      ];
}

function unmatchedList({ unmatched }: RowSet, { report, paint: palette }: TableFrame): readonly string[] {
  const restText = restOf(report);
  return unmatched.map(({ reason, count, examples }) =>
    [
      `  ${palette.bold(REASON_LABELS[reason])} ${palette.dim(`(${reason}, ${formatNumber(count)})`)}`,
      // Equal names are one line: `ubuntu ×41`.
      ...[...Map.groupBy(examples, (finding) => unmatchedLine(finding, restText(finding), palette))].map(
        ([line, equal]) => `${line}${equal.length > 1 ? palette.dim(`  ×${formatNumber(equal.length)}`) : ""}`,
      ),
    ].join("\n"),
  );
}

function unmatchedLine({ component, support }: Finding, rest: string | undefined, palette: Paint): string {
  const [purl] = component.purls;
  const facts = [
    ...(purl === undefined ? [] : [escapeTerminal(purl)]),
    ...(support === undefined ? [] : [LEVEL_LABELS[support.level]]),
    ...(rest === undefined ? [] : [escapeTerminal(rest)]),
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
