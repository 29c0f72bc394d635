/** The report of a run over many documents: the release cycles to upgrade, then one line for each document. */
import { ERROR_KINDS } from "../../messages/error.ts";
import { formatCount, formatNumber } from "../../messages/format.ts";
import { formatSupportCounts } from "../../messages/support.ts";
import type { Report } from "../../model/index.ts";
import {
  documentState,
  type DocumentState,
  type DocumentSummary,
  type FleetCycle,
  type RunResult,
} from "../../policy/run-summary.ts";
import { asProductSlug } from "../../text/ids.ts";
import { formatVerdictNotes, reportNotes } from "../notes.ts";
import { escapeTerminal, truncate } from "../escape.ts";
import type { ReportOptions } from "../reporter.ts";
import type { RowState } from "../rows.ts";
import { formatCoverage, formatDocumentCounts } from "../verdict.ts";
import { field, footer, headline, LABEL, NOTE_LABELS } from "./footer.ts";
import { type Paint, paint } from "./paint.ts";
import { columnsOf, cut, pad, inLocale } from "./text.ts";

const STATES: Readonly<
  Record<DocumentState, { readonly look: RowState; readonly label: string; readonly counted: string }>
> = {
  fail: { look: "fail", label: "fail", counted: "fail" },
  failed: { look: "fail", label: "not read", counted: "could not be read" },
  unassessed: { look: "waived", label: "no verdict", counted: "could not be assessed" },
  warn: { look: "warn", label: "warn", counted: "warn" },
  empty: { look: "pass", label: "empty", counted: "without components" },
  pass: { look: "pass", label: "pass", counted: "pass" },
};
const ORDER = Object.keys(STATES);

/** Release cycles and documents that are listed; the others are counted. */
const MOST_CYCLES = 25;
const MOST_DOCUMENTS = 100;

/** The text of the whole run. `documents` are in the order of the run. */
export function fleetTable(
  report: Report,
  documents: readonly DocumentSummary[],
  result: RunResult,
  options: ReportOptions,
): string {
  const palette = paint(options.terminal);
  const width = Math.min(Math.max(options.terminal.width, 60), 160);
  const verdict = headline(report, escapeTerminal(verdictOfRun(report, result)), width, palette);
  const { support } = result.totals;
  const parts = [
    [
      `  ${palette.bold(report.tool.name)}  ${formatCount(documents.length, "document")}  ${palette.dim(report.asOf)}`,
      "",
      ...verdict,
    ],
    cycleLines(report, result.cycles, width, palette),
    documentLines(documents, width, palette),
    [
      ...field("coverage", formatCoverage(result.verdict.coverage), width, palette),
      ...(support === undefined ? [] : field("support", formatSupportCounts(support), width, palette)),
      ...reportNotes(report).flatMap(({ group, text }) =>
        field(NOTE_LABELS[group], escapeTerminal(text), width, palette),
      ),
      ...footer({ report, options, width, paint: palette }, []),
    ],
  ];
  const shown = options.view?.quiet === true ? [verdict] : parts;
  const text = `\n${shown
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n\n`;
  return inLocale(text, options.terminal);
}

/** `17 of 50 documents fail, 10 could not be read, 21 could not be assessed`: failures come first. */
export function verdictOfRun(report: Report, { documents }: RunResult): string {
  const counts = Object.entries(STATES).map(
    ([state, { counted }]) => [Object.entries(documents).find(([name]) => name === state)?.[1] ?? 0, counted] as const,
  );
  return [formatDocumentCounts(counts) ?? report.exit.why, formatVerdictNotes(report)].filter(Boolean).join("; ");
}

/** The release cycles that most documents fail for, then those that most documents warn for. */
function cycleLines(report: Report, cycles: readonly FleetCycle[], width: number, palette: Paint): readonly string[] {
  if (cycles.length === 0) return [];
  const shown = cycles.slice(0, MOST_CYCLES).map(({ product, cycle, names, severity, components, documents }) => {
    const longest =
      report.advice?.({ product: asProductSlug(product), cycle })?.longest?.releaseCycle.cycle ?? "none named";
    return {
      severity,
      counts: `${formatNumber(components).padStart(10)}  ${formatNumber(documents).padStart(9)}`,
      product: escapeTerminal(names[0]),
      cycle: escapeTerminal(names[1]),
      upgrade: escapeTerminal(longest),
    };
  });
  const upgradeWidth = Math.max(10, ...shown.map(({ upgrade }) => columnsOf(upgrade)));
  const space = Math.max(20, Math.min(44, width - 2 - 23 - 2 - upgradeWidth));
  const nameWidth = Math.min(space, Math.max(13, ...shown.map(({ product, cycle }) => columnsOf(product + cycle))));
  return [
    `  ${palette.dim(`COMPONENTS  DOCUMENTS  ${pad("RELEASE CYCLE", nameWidth)}  UPGRADE TO`)}`,
    ...shown.map(({ severity, counts, product, cycle, upgrade }) => {
      const name = `${cut(product, Math.max(8, nameWidth - columnsOf(cycle)))}${cycle}`;
      return `  ${counts}  ${palette.state(severity, pad(name, nameWidth))}  ${upgrade}`;
    }),
    ...moreLine(cycles.length - shown.length, "component", palette),
  ];
}

/** The worst documents. */
function documentLines(documents: readonly DocumentSummary[], width: number, palette: Paint): readonly string[] {
  const shown = documents
    .map((document) => ({ document, state: documentState(document) }))
    .toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
    .slice(0, MOST_DOCUMENTS);
  return [
    ...shown.map(({ document, state }) => documentLine(document, state, width, palette)),
    ...moreLine(documents.length - shown.length, "document", palette),
  ];
}

const moreLine = (more: number, noun: string, palette: Paint): readonly string[] =>
  more > 0 ? [`  ${palette.dim(`... ${formatNumber(more)} more: --format ndjson lists every ${noun}`)}`] : [];

function documentLine(document: DocumentSummary, state: DocumentState, width: number, palette: Paint): string {
  const { look, label } = STATES[state];
  const space = Math.max(16, Math.min(60, width - 52));
  const name = pad(cut(escapeTerminal(document.file), space, "start"), space);
  return `  ${palette.glyph(look)} ${palette.state(look, label.padEnd(LABEL + 1))}  ${name}  ${palette.dim(detail(document))}`;
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
  return [...open, `${formatNumber(assessed)} of ${formatNumber(assessed + notAssessed)} assessed`].join("  ");
}
