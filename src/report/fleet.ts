/** The table of a run over many documents: one line for each document, then a summary. */
import { ERROR_KINDS } from "../messages/error.ts";
import { formatCount, formatNumber, formatPercent } from "../messages/format.ts";
import { formatSupportCounts } from "../messages/support.ts";
import type { Report } from "../model/index.ts";
import {
  documentState,
  type DocumentState,
  type DocumentSummary,
  type FleetCycle,
  type RunResult,
} from "../policy/run-summary.ts";
import { escapeTerminal, truncate } from "./escape.ts";
import { formatCatalogue } from "./labels.ts";
import type { ReportOptions } from "./reporter.ts";
import type { RowState } from "./rows.ts";
import { headline } from "./terminal/footer.ts";
import { type Paint, paint } from "./terminal/paint.ts";

/** The parts of the table, to be written one after the other; each ends with a line feed. */
export interface FleetTable {
  head(run: Pick<Report, "tool" | "asOf">): string;
  row(document: DocumentSummary): string;
  foot(report: Report, result: RunResult): string;
}

const WIDEST = 140;
const LABEL = 11;

export function fleetTable({ terminal, view }: ReportOptions): FleetTable {
  const palette = paint(terminal);
  const width = Math.min(Math.max(terminal.width, 60), WIDEST);
  const isQuiet = view?.quiet === true;
  return {
    head: ({ tool, asOf }) =>
      isQuiet ? "" : `\n  ${palette.bold(`${tool.name} ${tool.version}`)}  ${palette.dim(`as of ${asOf}`)}\n\n`,
    row: (document) => (isQuiet ? "" : `${row(document, width, palette)}\n`),
    foot: (report, result) => `\n${foot(report, result, width, { palette, isQuiet }).join("\n")}\n\n`,
  };
}

/** The look and the label of each state. */
const STATES: Readonly<Record<DocumentState, { readonly look: RowState; readonly label: string }>> = {
  fail: { look: "fail", label: "fail" },
  warn: { look: "warn", label: "warn" },
  pass: { look: "pass", label: "pass" },
  unassessed: { look: "waived", label: "no verdict" },
  failed: { look: "fail", label: "not read" },
  empty: { look: "pass", label: "empty" },
};
const LABEL_WIDTH = 10;

function row(document: DocumentSummary, width: number, palette: Paint): string {
  const { look, label } = STATES[documentState(document)];
  const name = escapeTerminal(document.file);
  const space = Math.max(20, Math.min(60, width - 50));
  const shown = name.length > space ? `…${name.slice(1 - space)}` : name.padEnd(space);
  return `  ${palette.glyph(look)} ${palette.state(look, label.padEnd(LABEL_WIDTH))}  ${shown}  ${palette.dim(detail(document))}`;
}

function detail(document: DocumentSummary): string {
  if ("error" in document) return escapeTerminal(truncate(document.error.message, 80));
  const { verdict, totals, gate } = document;
  const unread = gate.causes.find(({ code }) => code === ERROR_KINDS.input.exit);
  if (unread) return escapeTerminal(truncate(unread.why, 80));
  if (totals.components === 0) return "no components";
  const { assessed, notAssessed } = verdict.coverage;
  const open = [
    ...(totals.summary.failing > 0 ? [`${formatNumber(totals.summary.failing)} fail`] : []),
    ...(totals.summary.warning > 0 ? [`${formatNumber(totals.summary.warning)} warn`] : []),
  ];
  return [...open, `${formatNumber(assessed)} of ${formatNumber(assessed + notAssessed)} assessed`].join(", ");
}

interface FootStyle {
  readonly palette: Paint;
  readonly isQuiet: boolean;
}

function foot(report: Report, result: RunResult, width: number, { palette, isQuiet }: FootStyle): readonly string[] {
  const verdict = headline(report, width, palette);
  if (isQuiet) return verdict;
  const field = (name: string, lines: readonly string[]): readonly string[] =>
    lines.map((line, index) => `  ${palette.dim((index === 0 ? name : "").padEnd(LABEL))}${line}`);
  const { coverage } = result.verdict;
  const total = coverage.assessed + coverage.notAssessed;
  return [
    `  ${palette.dim("─".repeat(Math.max(width - 4, 10)))}`,
    ...verdict,
    "",
    ...field("documents", [documentCounts(result)]),
    ...field("cycles", cycleLines(result.cycles)),
    ...field("coverage", [
      `${formatNumber(coverage.assessed)} of ${formatCount(total, "component")} assessed, ${formatPercent(coverage.percent)}`,
    ]),
    ...field("support", result.totals.support === undefined ? [] : [formatSupportCounts(result.totals.support)]),
    ...field("catalogue", [escapeTerminal(formatCatalogue(report))]),
    ...field("exit", [`${result.exit.code} ${result.exit.name}: ${escapeTerminal(result.exit.why)}`]),
  ];
}

/** `980 pass, 20 warn, 100 fail, 3 no verdict`. */
function documentCounts({ documents }: RunResult): string {
  const states: readonly DocumentState[] = ["fail", "warn", "pass", "empty", "unassessed", "failed"];
  const parts = states.flatMap((state) =>
    documents[state] === 0 ? [] : [`${formatNumber(documents[state])} ${STATES[state].label}`],
  );
  return parts.length === 0 ? "none" : parts.join(", ");
}

const CYCLES = 10;

/** The release cycles that most documents fail for, then those that most documents warn for. */
function cycleLines(cycles: readonly FleetCycle[]): readonly string[] {
  const lines = cycles.slice(0, CYCLES).map(({ product, cycle, severity, components, documents }) => {
    const name = `${escapeTerminal(product)} ${escapeTerminal(cycle)}`;
    return `${severity}  ${name.padEnd(28)}  ${formatCount(components, "component")} in ${formatCount(documents, "document")}`;
  });
  const more = cycles.length - CYCLES;
  return more > 0 ? [...lines, `… ${formatNumber(more)} more`] : lines;
}
