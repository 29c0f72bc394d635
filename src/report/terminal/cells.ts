/** One row of the table as plain text, before it is truncated to its columns and coloured. */
import type { Condition, Report } from "../../model/index.ts";
import { escapeTerminal } from "../escape.ts";
import type { ReportRow } from "../rows.ts";
import { CONDITIONS } from "../../policy/conditions.ts";
import { REASON_LABELS, formatLevels } from "../../messages/support.ts";
import {
  componentEnding,
  formatAdvice,
  formatComponent,
  formatCycle,
  formatEndCell,
  formatNote,
  formatProvenance,
  sourceCell,
} from "../labels.ts";

export interface RowOrigin {
  /** Names from the root to the component that requires the first component of the row. */
  readonly path: readonly string[];
  /** Files and lines, in a table of several documents. */
  readonly location?: string;
}

export interface Cells {
  readonly row: ReportRow;
  readonly cycle: string;
  readonly component: string;
  /** The end of `component` that is kept when it is truncated: the version, and the number of further components. */
  readonly ending: string;
  readonly support: string;
  /** The support level; empty when no source was asked. */
  readonly level: string;
  readonly source: string;
  readonly introducedBy: string;
  /** Whether a component other than the root requires it. */
  readonly transitive: boolean;
  /** The upgrade targets; empty when there are none. */
  readonly advice: string;
  /** Details of the outcome that the columns do not show. */
  readonly notes: readonly string[];
  /** The full text of the date's source, for a table without the source column. */
  readonly date: string;
  /** Files and lines of the components; empty in the table of one document. */
  readonly location: string;
}

export function toCells(report: Report, row: ReportRow, { path, location = "" }: RowOrigin): Cells {
  const { assessment, outcome, state } = row;
  return {
    row,
    cycle: escapeTerminal(assessment ? formatCycle(assessment) : CONDITIONS[outcome.condition].title),
    component: escapeTerminal(formatComponent(row)),
    support: supportCell(row),
    level: formatLevels(row.findings.map(({ support }) => support?.level)),
    ending: escapeTerminal(componentEnding(row)),
    location,
    source: assessment ? sourceCell(assessment.provenance) : "",
    introducedBy: pathWords(path),
    transitive: path.length > 1,
    advice:
      assessment && state !== "pass"
        ? escapeTerminal(formatAdvice(report.advice?.(assessment.releaseCycle), assessment))
        : "",
    notes: [...conditionNote(row), ...formatNote(row)].map(escapeTerminal),
    date: assessment ? escapeTerminal(`date: ${formatProvenance(assessment.provenance)}`) : "",
  };
}

function conditionNote({ assessment, outcome, state }: ReportRow): readonly string[] {
  const passes = state === "pass" && outcome.condition !== "minimum";
  const isSelfEvident = assessment === undefined || passes || SELF_EVIDENT.has(outcome.condition);
  return isSelfEvident ? [] : [CONDITIONS[outcome.condition].title];
}

/** The end of the release cycle, else the reason for which there is no cycle. */
function supportCell({ assessment, reason }: ReportRow): string {
  if (assessment) return formatEndCell(assessment);
  return reason ? REASON_LABELS[reason] : "";
}

/** Conditions that the support column already shows. */
const SELF_EVIDENT: ReadonlySet<Condition> = new Set(["none", "eol", "approaching", "retired"]);

/** `shop › … › qs`: the root and the direct parent are the most useful. */
function pathWords(path: readonly string[]): string {
  const names = path.map((name) => escapeTerminal(name));
  return (names.length > 3 ? [names[0], "…", names.at(-1)] : names).join(" › ");
}
