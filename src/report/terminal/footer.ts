/** The parts of the report besides its rows: the verdict, what was not assessed, what it is based on, the next steps. */
import { cycleKey } from "../../text/ids.ts";
import { formatCount, formatDate, formatNumber } from "../../messages/format.ts";
import { formatSupportCounts, REASON_LABELS } from "../../messages/support.ts";
import type { Report, Waiver } from "../../model/index.ts";
import { CONDITIONS } from "../../policy/conditions.ts";
import { evaluatedOf } from "../../policy/rows.ts";
import { supportCounts } from "../../support/levels.ts";
import { escapeTerminal, truncate } from "../escape.ts";
import { reportNotes, verdictTone } from "../notes.ts";
import { formatInputs, formatUnread } from "../inputs.ts";
import { formatComponent, formatComponentName, formatCycle } from "../labels.ts";
import { conditionText } from "../verdict-sentence.ts";
import { formatSettings, formatShares, VERDICT_TITLES, WAIVER_STATES } from "../verdict.ts";
import type { ReportOptions } from "../reporter.ts";
import { restLine } from "../rest.ts";
import { daysLeft, type ReportRow, type RowSet } from "../rows.ts";
import { type Cells, MARKS } from "./cells.ts";
import type { Paint } from "./paint.ts";
import { columnsOf, unbroken, wrap } from "./text.ts";

/** What every part of the report for a terminal depends on. */
export interface TableFrame {
  readonly report: Report;
  readonly options: ReportOptions;
  readonly width: number;
  readonly paint: Paint;
}

/** The labels of notes, by group. */
export const NOTE_LABELS = { allowed: "allowed", contribution: "changed" } as const;

/** Columns of the labels on the left. */
export const LABEL = 9;

/** A label, and its text in as many lines as it needs. */
export function field(label: string, text: string, width: number, paint: Paint): readonly string[] {
  return wrap(text, Math.max(width - LABEL - 2, 30)).map(
    (line, index) => `  ${paint.dim((index === 0 ? label : "").padEnd(LABEL))}${line}`,
  );
}

/** The verdict with its reasons. Its badge in colour has margins, which take the place of spaces around it. */
export function headline(report: Report, text: string, width: number, paint: Paint): readonly string[] {
  const { value } = report.verdict;
  const columns = VERDICT_TITLES[value].length;
  const indent = Math.max(columns + 1, LABEL);
  const margin = paint.badgeMargin;
  const badge = `${" ".repeat(2 - margin)}${paint.badge(value, verdictTone(report))}${" ".repeat(indent - columns - margin)}`;
  return wrap(text, width - LABEL - 2, width - indent - 2).map(
    (line, index) => `${index === 0 ? badge : " ".repeat(LABEL + 2)}${paint.bold(line)}`,
  );
}

/** What is supported, with the end that comes first, and what was not assessed. */
export function coverageLines({ report, width, paint }: TableFrame, scans: readonly RowSet[]): readonly string[] {
  const sum = (count: (scan: RowSet) => number): number => scans.reduce((total, scan) => total + count(scan), 0);
  const supported = sum(({ counts }) => counts.pass);
  const unmatched = scans.flatMap((scan) => scan.unmatched);
  const missing = report.documents.reduce((total, { document }) => total + (document.absentElements?.length ?? 0), 0);
  const notAssessed = unmatched.reduce((total, { count }) => total + count, missing);
  const outOfScope = sum((scan) => scan.outOfScope);
  const all = missing + sum(({ contents }) => contents.components);
  const shown = [
    ...namesByReason(unmatched),
    ...(notAssessed - missing > 4 ? ["…"] : []),
    ...(missing === 0 ? [] : [`${formatCount(missing, "element")} missing`]),
  ].join(", ");
  const rest = notAssessed === missing ? undefined : restLine(report);
  const rows = scans.flatMap((scan) => scan.rows);
  const newly = rows.filter(({ state, outcome }) => state === "pass" && outcome.condition === "superseded");
  const soonest = `${nextToEnd(rows)}${newly.length === 0 ? "" : `; ${conditionText("superseded", newly)} less than ${formatCount(report.policy.supersededAfterDays, "day")} ago`}`;
  return [
    ...(supported + newly.length === 0
      ? []
      : field("OK", `${formatNumber(supported)} supported${soonest}`, width, paint)),
    ...(notAssessed === 0
      ? []
      : field("?", `${formatNumber(notAssessed)} of ${formatNumber(all)} not assessed: ${shown}`, width, paint)),
    ...(rest === undefined ? [] : field("", rest, width, paint)),
    ...(outOfScope === 0 ? [] : field("", `${formatNumber(outOfScope)} out of scope`, width, paint)),
  ];
}

const MOST_UNMATCHED = 4;

/** Names of components that were not assessed, by reason. */
function namesByReason(unmatched: RowSet["unmatched"]): readonly string[] {
  const reasons = new Map<string, string>();
  for (const { reason, examples } of unmatched)
    for (const { component } of examples) {
      const name = truncate(formatComponentName(component), 40);
      if (reasons.size < MOST_UNMATCHED && !reasons.has(name)) reasons.set(name, REASON_LABELS[reason]);
    }
  const groups = [...Map.groupBy(reasons, ([, reason]) => reason)];
  return groups.map(([reason, named]) => `${named.map(([name]) => escapeTerminal(name)).join(", ")} (${reason})`);
}

function nextToEnd(rows: readonly ReportRow[]): string {
  const supported = rows.flatMap(({ state, assessment }) => (state === "pass" && assessment ? [assessment] : []));
  const [first] = supported
    .filter(({ support }) => support.daysUntilEol !== null)
    .toSorted((a, b) => daysLeft(a) - daysLeft(b));
  if (first?.support.date === undefined || first.support.date === null) return "";
  return `, none ends before ${formatDate(first.support.date)} (${escapeTerminal(formatCycle(first))})`;
}

/** Fields of the report that are shown where there is something to state. */
export function remarks({ report, options, width, paint }: TableFrame, scans: readonly RowSet[]): readonly string[] {
  const { comparison, verdict, documents, catalogue } = report;
  const support = supportCounts(evaluatedOf(documents));
  const settings = formatSettings(report);
  const shares = formatShares(verdict.coverage);
  const texts: readonly (readonly [string, readonly string[]])[] = [
    ["minimum", minimumLines(scans)],
    ["support", support === undefined ? [] : [formatSupportCounts(support)]],
    ["coverage", shares === "" ? [] : [shares]],
    ["inputs", formatInputs(report)],
    ["not read", formatUnread(report, options.details)],
    ["waivers", waiverLines(verdict.waivers)],
    ["settings", settings === undefined ? [] : [settings]],
    ...reportNotes(report).map(({ group, text }) => [NOTE_LABELS[group], [text]] as const),
    ["baseline", comparison ? [`compared with ${comparison.against}, ${formatNumber(comparison.gone)} resolved`] : []],
    ["data", options.details ? [`catalogue ${catalogue.origin}, KEV ${catalogue.kevVersion}`] : []],
  ];
  return texts.flatMap(([label, lines]) =>
    lines.flatMap((line, index) => field(index === 0 ? label : "", escapeTerminal(line), width, paint)),
  );
}

/** Lowest supported versions that have ended, which neither fail nor warn. */
function minimumLines(scans: readonly RowSet[]): readonly string[] {
  const rows = scans
    .flatMap((scan) => scan.rows)
    .filter(({ state, outcome }) => state === "pass" && outcome.condition === "minimum");
  if (rows.length === 0) return [];
  const names = rows
    .slice(0, 5)
    .map((row) => `${truncate(formatComponent(row), 40)} (${row.assessment ? formatCycle(row.assessment) : ""})`);
  return [`${CONDITIONS.minimum.title}: ${names.join(", ")}${rows.length > names.length ? ", …" : ""}`];
}

function waiverLines({ used, expired, unused }: Report["verdict"]["waivers"]): readonly string[] {
  return [
    ...(used.length === 0 ? [] : [`${formatNumber(used.length)} used`]),
    ...namedWaivers(expired, WAIVER_STATES.expired),
    ...namedWaivers(unused, WAIVER_STATES.unused),
  ];
}

function namedWaivers(waivers: readonly Waiver[], state: (count: number) => string): readonly string[] {
  const names = waivers.map(({ target, expires }) => `${target} (${expires})`).join(", ");
  return waivers.length === 0 ? [] : [`${formatNumber(waivers.length)} ${state(waivers.length)}: ${names}`];
}

/** The commands to go on with, the legend, and the age of the data. */
export function footer({ report, options, width, paint }: TableFrame, cells: readonly Cells[]): readonly string[] {
  const { catalogue } = report;
  const update = catalogue.ageDays > 30 && options.updateCommand ? `: ${unbroken(options.updateCommand)}` : "";
  const age = `catalogue of ${catalogue.date}, ${formatAge(catalogue.ageDays)}${update}`;
  return [
    ...nextSteps(report, cells).flatMap(([label, text]) => commandLines(label, text, width, paint)),
    ...[legend(report, cells).join(" · "), age, ...(options.details ? oldestStatement(report) : [])]
      .flatMap((text) => wrap(text, width - 4))
      .map((line) => `  ${paint.dim(line)}`),
  ];
}

/** A command beside its label, or below it where only that keeps it on one line. */
const commandLines = (label: string, text: string, width: number, paint: Paint): readonly string[] =>
  LABEL + 2 + columnsOf(text) <= width
    ? [`  ${paint.dim(label.padEnd(LABEL))}${text}`]
    : [`  ${paint.dim(label)}`, `    ${text}`];

type LabelledCommand = readonly [label: string, text: string];

function nextSteps({ verdict }: Report, cells: readonly Cells[]): readonly LabelledCommand[] {
  const worst = cells.find(({ row: { state, assessment } }) => state !== "pass" && state !== "waived" && assessment);
  const target = worst?.row.assessment?.releaseCycle;
  if (worst === undefined || target === undefined) return [];
  const key = shellWord(cycleKey(target));
  const canWaive = verdict.value === "fail" && worst.row.outcome.condition !== "license";
  return [
    ["why", `eolgate explain ${key}`],
    ...(canWaive ? [["later", `eolgate waive ${key} --expires 90d --reason "..."`] as const] : []),
  ];
}

/** What the signs of the rows mean, of those that occur. */
function legend({ exit }: Report, cells: readonly Cells[]): readonly string[] {
  const isMarked = (mark: string): boolean =>
    cells.some(({ end, distance }) => ` ${end} ${distance}`.endsWith(` ${mark}`));
  const hasTrack = cells.some(({ row: { assessment } }) => assessment?.support.track?.cost === "free");
  return [
    ...(cells.length === 0 ? [] : ["risk 0 to 100"]),
    ...(hasTrack ? ["free LTS support counted"] : []),
    ...Object.entries(MARKS).flatMap(([mark, text]) => (isMarked(mark) ? [`${mark} ${text}`] : [])),
    `exit ${exit.code}`,
  ];
}

function oldestStatement({ verdict: { oldestStatement: oldest }, catalogue }: Report): readonly string[] {
  if (oldest === undefined || oldest.day === catalogue.date) return [];
  const key = cycleKey(oldest.releaseCycle);
  return [`oldest statement relied on: ${key} of ${oldest.day}; its source: eolgate explain ${shellWord(key)}`];
}

const formatAge = (ageDays: number): string =>
  ageDays === 0
    ? "current"
    : ageDays > 0
      ? formatCount(ageDays, "day")
      : `read ${formatCount(-ageDays, "day")} after this day`;

/** A command to copy contains only names from the catalogue: a component's own name could contain shell syntax. */
export const shellWord = (text: string): string =>
  /^[\w./:+-]+$/.test(text) ? text : `'${escapeTerminal(text).replaceAll("'", "")}'`;
