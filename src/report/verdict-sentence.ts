/**
 * The answer in one sentence, for the head of every report that people read. Release cycles are counted; the number of
 * their components is in brackets where it is another one.
 */
import { cycleKey } from "../text/ids.ts";
import { formatCount, formatNumber } from "../messages/format.ts";
import type { Condition, Report } from "../model/index.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { formatVerdictNotes } from "./notes.ts";
import type { ReportRow } from "./rows.ts";
import { upgradeSentence } from "./upgrades.ts";
import { formatOpenDocuments, formatVerdict, isRun } from "./verdict.ts";

/** `4 of 9 documents fail. 5 release cycles (9 components) have reached end of life. 4 of 5 can be upgraded.` */
export function verdictSentence(report: Report, rows: readonly ReportRow[]): string {
  const text = cycleSentence(report, rows);
  const open = formatOpenDocuments(report);
  // The reason is that documents could not be read, and each of them is listed with its own.
  if (open !== undefined && report.verdict.value === "none" && report.failed.length > 0) return open;
  if (open !== undefined) return `${open}. ${text}`;
  return isRun(report) ? `${formatCount(report.documents.length, "document")} pass: ${text}` : text;
}

function cycleSentence(report: Report, rows: readonly ReportRow[]): string {
  const { value } = report.verdict;
  const open = rows.filter(({ state }) => state === value);
  if ((value !== "fail" && value !== "warn") || open.length === 0) return formatVerdict(report);
  const known = cyclesOf(rows.filter(({ outcome }) => outcome.baselined === true)).length;
  const fresh = conditionsOf(open.filter(({ outcome }) => outcome.baselined !== true));
  const sentence = fresh.map(([condition, group]) => conditionText(condition, group)).join(", ");
  const corrections = formatVerdictNotes(report);
  const parts = [
    ...(known === 0 || value === "fail" ? [] : [`No new failures; ${formatNumber(known)} known.`]),
    ...(sentence === "" ? [] : [`${sentence.replace(/, ([^,]*)$/, " and $1")}.`]),
    ...(value === "fail" ? failureNotes(report, open, known) : []),
    ...(corrections === "" ? [] : [`${corrections}.`]),
  ];
  return parts.join(" ");
}

/** What follows the failures: upgrades, failures of the baseline, and why the exit code is 0. */
const failureNotes = (report: Report, open: readonly ReportRow[], known: number): readonly string[] =>
  [
    upgradeSentence(report, cyclesOf(open), open),
    known === 0 ? "" : `${formatCount(known, "known failure")} ${known === 1 ? "warns" : "warn"}.`,
    report.exit.code === 0 ? "Exit 0, because --exit-zero is set." : "",
  ].filter((note) => note !== "");

const conditionsOf = (rows: readonly ReportRow[]) => [...Map.groupBy(rows, ({ outcome }) => outcome.condition)];

/** `2 release cycles (5 components) end soon`; conditions of components count components. */
export function conditionText(condition: Condition, rows: readonly ReportRow[]): string {
  const row = CONDITIONS[condition];
  const ofCycle = row.cycle !== undefined && rows.every(({ assessment }) => assessment !== undefined);
  const components = rows.reduce((sum, { findings }) => sum + findings.length, 0);
  const count = ofCycle ? cyclesOf(rows).length : components;
  const inBrackets = count === components ? "" : ` (${formatCount(components, "component")})`;
  const labels = (rows[0]?.state === "warn" ? row.warning : undefined) ?? row;
  return `${formatCount(count, ofCycle ? "release cycle" : "component")}${inBrackets} ${count === 1 ? labels.one : labels.many}`;
}

/** One row for each condition and release cycle: several documents can have the same. */
const cyclesOf = (rows: readonly ReportRow[]): readonly ReportRow[] => [
  ...new Map(
    rows.map((row) => [
      row.assessment ? `${row.outcome.condition} ${cycleKey(row.assessment.releaseCycle)}` : row,
      row,
    ]),
  ).values(),
];
