/**
 * Markdown for a pull-request comment or a step summary: the verdict, a table of failures and warnings with the columns
 * of the table for a terminal, and the rest in collapsed sections.
 */
import type { Assessment, Finding, Report, VerdictValue } from "../model/index.ts";
import { truncate, escapeMarkdown as text, escapeMarkdownCode as code, safeUrl } from "./escape.ts";
import { notesByTitle, verdictTone } from "./notes.ts";
import { indirectRows, isIndirectHint } from "./indirect.ts";
import { forecastSection } from "./forecast.ts";
import { shortPath } from "./locations.ts";
import { restLine } from "./rest.ts";
import type { Reporter, ReportOptions } from "./reporter.ts";
import { formatInputs, formatUnread } from "./inputs.ts";
import {
  cycleRows,
  type CycleRows,
  firstFinding,
  introducedBy,
  reportRows,
  type ReportRow,
  type RowSet,
  type RowState,
  type ScanRows,
} from "./rows.ts";
import { isGroupedByCycle, rowLocations } from "./view.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { packageEndIn } from "../policy/deciding.ts";
import { LEVEL_LABELS, REASON_LABELS, formatSupportCounts } from "../messages/support.ts";
import { evaluatedOf } from "../policy/rows.ts";
import { supportCounts } from "../support/levels.ts";
import { formatCount, formatNumber } from "../messages/format.ts";
import {
  adviceOn,
  formatComponent,
  formatAbsent,
  formatContents,
  formatEndCell,
  formatCycle,
  formatRisk,
  formatComponentName,
  formatNote,
  formatWaiver,
} from "./labels.ts";
import { formatProvenance } from "../messages/provenance.ts";
import { isClearedByUpgrade, isSelfEvident, levelNote } from "./terminal/cells.ts";
import { verdictSentence } from "./verdict-sentence.ts";
import {
  formatCatalogue,
  formatCoverage,
  formatSettings,
  formatUnresolved,
  VERDICT_TITLES,
  waiverStates,
} from "./verdict.ts";

/**
 * Maximum number of rows in a table without `--verbose`, because GitHub limits a comment to 65,536 characters. The
 * other rows are counted.
 */
const MOST_ROWS = 50;

const ICONS: Readonly<Record<RowState | VerdictValue, string>> = {
  fail: "❌",
  none: "❌",
  warn: "⚠️",
  waived: "⚪",
  pass: "✅",
};

export const markdown: Reporter = (report, options) => {
  const merged = isGroupedByCycle(report, options) ? cycleRows(report) : undefined;
  const scans = merged ? [] : reportRows(report);
  const sentence = verdictSentence(
    report,
    (merged ? [merged] : scans).flatMap(({ rows }) => rows),
  );
  return [
    `## ${ICONS[verdictTone(report)]} ${VERDICT_TITLES[report.verdict.value]}: ${text(sentence)}`,
    ...(merged ? mergedSection(report, merged, options) : []),
    ...scans.flatMap((scan) => section(report, scan, options)),
    ...report.failed.map(
      ({ file, error }) =>
        `❌ ${code(file)} could not be read: ${text(error.message)}${error.where === undefined ? "" : ` (${text(error.where)})`}`,
    ),
    ...(report.forecast ? [forecastSection(report.forecast)] : []),
    ...sourcesPart(
      report,
      (merged ? [merged] : scans).flatMap((set) => listedRows(set, options.details).listed),
    ),
    ...unmatchedPart(
      report,
      merged
        ? unresolvedLines(merged)
        : scans.flatMap((scan) => unresolvedLines(scan, scans.length > 1 ? scan.scan.file : undefined)),
    ),
    ...inputsPart(report),
    ...waiverPart(report),
    ...notesPart(report),
    foot(report),
  ]
    .join("\n\n")
    .concat("\n");
};

function section(report: Report, each: ScanRows, options: ReportOptions): readonly string[] {
  const { scan, contents } = each;
  const paths = introducedBy(scan, each.rows.map(firstFinding));
  const head = `**${code(scan.file)}** ${scan.document.format} ${text(scan.document.specVersion)}, ${formatContents(contents)}${formatAbsent(scan.document)}`;
  return [
    head + tally(each),
    ...listing({ report, options, set: each, origin: (row) => pathCell(paths.get(firstFinding(row)) ?? []) }),
  ];
}

/** One table for all files; each row lists the locations of its components. */
function mergedSection(report: Report, each: CycleRows, options: ReportOptions): readonly string[] {
  const head = `**${formatCount(each.documents.length, "file")}**, ${formatContents(each.contents)}`;
  const origin = (row: ReportRow): string => {
    const { shown, more } = rowLocations(row, each, options.view);
    return `${shown.map(code).join(", ")}${more === 0 ? "" : ` … ${formatNumber(more)} more`}`;
  };
  return [head + tally(each), ...listing({ report, options, set: each, origin, heading: "In" })];
}

/** ` · ❌ 3 · ✅ 12` */
function tally({ counts }: RowSet): string {
  const parts = (["fail", "warn", "waived", "pass"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${ICONS[state]} ${formatNumber(counts[state])}`);
  return parts.length === 0 ? "" : ` · ${parts.join(" · ")}`;
}

interface Listing {
  readonly report: Report;
  readonly options: ReportOptions;
  readonly set: ScanRows | CycleRows;
  /** The cell with the locations of a row's components. */
  readonly origin: (row: ReportRow) => string;
  readonly heading?: string;
}

/** The rows of a table, and how many more there are. */
function listedRows(
  { rows }: RowSet,
  details: boolean,
): { readonly listed: readonly ReportRow[]; readonly left: number } {
  const open = rows.filter(
    (row) => details || ((row.state === "fail" || row.state === "warn") && !isIndirectHint(row)),
  );
  const listed = details ? open : open.slice(0, MOST_ROWS);
  return { listed, left: open.length - listed.length };
}

/** The columns of the table for a terminal, which has the verdict and the worst row first, too. */
function listing({ report, options: { details }, set, origin, heading = "Used by" }: Listing): readonly string[] {
  const { listed, left } = listedRows(set, details);
  const indirect = details ? [] : indirectPart(report, set);
  if (listed.length === 0) return indirect;
  const isPast = listed.every(({ assessment }) => (assessment?.support.daysUntilEol ?? null) === null);
  const lines = listed.map(
    (row) =>
      `| ${[ICONS[row.state], whatCell(row), endsCell(row), upgradeCell(report, row), riskCell(row), origin(row), noteCell(report, row)].join(" | ")} |`,
  );
  const table = [
    `| | What | ${isPast ? "Support ended" : "Support ends"} | Upgrade to | Risk | ${heading} | Note |`,
    "|---|---|---|---|---:|---|---|",
    ...lines,
  ].join("\n");
  return [
    table,
    ...(left > 0 ? [`…and ${formatCount(left, "more release cycle")}; \`--verbose\` lists all.`] : []),
    ...indirect,
  ];
}

/** A line for each direct dependency that brings superseded or retired packages. */
function indirectPart(report: Report, set: ScanRows | CycleRows): readonly string[] {
  const indirect = indirectRows(report, set);
  if (indirect === undefined) return [];
  const lines = indirect.lines.map(({ line }) => `- ${text(line)}`);
  return [`${ICONS.warn} ${text(indirect.heading)}; \`--verbose\` lists them.\n\n${lines.join("\n")}`];
}

function whatCell(row: ReportRow): string {
  const component = code(truncate(formatComponent(row), 80));
  return row.assessment === undefined ? component : `**${text(formatCycle(row.assessment))}** ${component}`;
}

const link = (words: string, target: string | null): string => {
  const safe = target === null ? null : safeUrl(target);
  return safe === null ? words : `[${words}](<${safe}>)`;
};

function endsCell(row: ReportRow): string {
  const { assessment, reason } = row;
  if (assessment) return text(formatEndCell(assessment, packageEndIn(row)));
  return reason === undefined ? "" : text(REASON_LABELS[reason]);
}

/** What to move to; what passes, and what no upgrade clears, has an empty cell. */
function upgradeCell(report: Report, row: ReportRow): string {
  if (row.state === "pass" || row.assessment === undefined || !isClearedByUpgrade(row)) return "";
  const advice = adviceOn(report, row);
  return advice === "" ? "none named" : `**${text(advice.replace(/^move to /, ""))}**`;
}

const riskCell = ({ assessment }: ReportRow): string => (assessment === undefined ? "" : formatRisk(assessment));

const pathCell = (path: readonly string[]): string =>
  shortPath(path)
    .map((name) => (name === "…" ? name : code(truncate(name, 40))))
    .join(" › ");

const noteCell = ({ policy }: Report, row: ReportRow): string =>
  [
    ...(isSelfEvident(row) ? [] : [CONDITIONS[row.outcome.condition].title]),
    ...formatNote(row, policy),
    ...levelNote(row),
  ]
    .map(text)
    .join("; ");

/** The sources of the dates of all rows: each address once, with the release cycles whose dates it states. */
function sourcesPart({ links }: Report, rows: readonly ReportRow[]): readonly string[] {
  const dates = rows.flatMap((row) => sourceOf(row) ?? []);
  const cards = new Set<string>();
  const named = ({ assessment }: RowSource): string => {
    const name = text(formatCycle(assessment));
    const card = links.scoreCard(assessment.releaseCycle);
    if (card === null || cards.has(card) || dates.some(({ url }) => url === card)) return name;
    cards.add(card);
    return link(name, card);
  };
  const lines = [...Map.groupBy(dates, ({ url }) => url)].map(([url, members]) => {
    const statements = [...Map.groupBy(members, ({ statement }) => statement)].map(([statement, group]) => {
      const cycles = new Map(group.map((each) => [formatCycle(each.assessment), each]));
      return `${[...cycles.values()].map(named).join(", ")}: ${text(statement)}`;
    });
    const safe = url === null ? null : safeUrl(url);
    return `- ${statements.join("; ")}${safe === null ? "" : ` <${safe}>`}`;
  });
  return collapsed("Sources of the dates", lines);
}

interface RowSource {
  readonly assessment: Assessment;
  readonly url: string | null;
  readonly statement: string;
}

function sourceOf(row: ReportRow): RowSource | undefined {
  const { assessment } = row;
  if (assessment === undefined) return undefined;
  const own = packageEndIn(row);
  return own === undefined
    ? { assessment, url: assessment.provenance.url, statement: formatProvenance(assessment.provenance) }
    : { assessment, url: own.url, statement: `end of the package, checked on ${own.readOn}` };
}

/** The components that could not be assessed, by reason, in a collapsed section. */
function unmatchedPart(report: Report, lines: readonly string[]): readonly string[] {
  const head = `**Coverage** ${formatCoverage(report.verdict.coverage)}`;
  const support = supportCounts(evaluatedOf(report.documents));
  const rest = restLine(report);
  const levels = [
    ...(support === undefined ? [] : [`**Support** ${formatSupportCounts(support)}`]),
    ...(rest === undefined ? [] : [`**Not assessed** ${rest}`]),
  ];
  return [head, ...levels, ...collapsed("Components that could not be assessed", lines)];
}

function unresolvedLines({ unmatched }: RowSet, file?: string): readonly string[] {
  return unmatched.map(({ reason, count: n, examples }) => {
    const names = examples.map(exampleName).join(", ");
    const where = file === undefined ? "" : `${code(file)}: `;
    return `- ${where}${formatUnresolved(reason, n)}: ${names}${n > examples.length ? ", …" : ""}`;
  });
}

function exampleName({ component, support }: Finding): string {
  const name = code(truncate(formatComponentName(component), 60));
  return support === undefined ? name : `${name} (${LEVEL_LABELS[support.level]})`;
}

/** The contents of a checked folder by kind of input, and the files that were not read. */
function inputsPart(report: Report): readonly string[] {
  const lines = [...formatInputs(report), ...formatUnread(report)].map((line) => `- ${text(line)}`);
  return collapsed("Files that were read, and files that were not", lines);
}

const collapsed = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`<details><summary>${title}</summary>\n\n${lines.join("\n")}\n\n</details>`];

function waiverPart(report: Report): readonly string[] {
  const lines = waiverStates(report).map(
    ({ state, waiver }) => `- ${code(waiver.target)} ${state}: ${text(formatWaiver(waiver))}`,
  );
  return lines.length === 0 ? [] : [`**Waivers**\n\n${lines.join("\n")}`];
}

function notesPart(report: Report): readonly string[] {
  return notesByTitle(report).map(
    ([title, lines]) => `**${title}**\n\n${lines.map((line) => `- ${text(line)}`).join("\n")}`,
  );
}

function foot(report: Report): string {
  const { tool, asOf, exit, links, comparison } = report;
  const settings = formatSettings(report);
  const given = settings === undefined ? "" : ` · settings ${text(settings)}`;
  const compared = comparison
    ? ` · compared with ${code(comparison.against)}, ${formatNumber(comparison.gone)} resolved`
    : "";
  const method = link("how scores are calculated", links.methodology);
  return `<sub>${text(`${tool.name} ${tool.version}`)} · as of ${asOf} · catalogue ${text(formatCatalogue(report))}${given}${compared} · exit ${exit.code} ${text(exit.name)} · ${method}</sub>`;
}
