/** One row of the table as plain text, before it is cut to its columns and painted. */
import type { Condition, Report } from "../../core/model.ts";
import { terminal } from "../escape.ts";
import type { Row } from "../rows.ts";
import {
  adviceWords,
  componentWords,
  CONDITION_TITLES,
  endCell,
  lineWords,
  noteWords,
  provenanceWords,
  REASON_WORDS,
  sourceCell,
} from "../words.ts";

export interface Cells {
  readonly row: Row;
  readonly line: string;
  readonly component: string;
  readonly support: string;
  readonly source: string;
  readonly broughtIn: string;
  /** Whether something else than the root asks for it. */
  readonly transitive: boolean;
  /** Where to go; empty when there is nothing better. */
  readonly advice: string;
  /** What the gate made of it, where the columns do not say. */
  readonly notes: readonly string[];
  /** Who states the date, in full, for a table without the column. */
  readonly date: string;
}

export function toCells(report: Report, row: Row, path: readonly string[]): Cells {
  const { assessment, ruling, state } = row;
  const told = assessment === undefined || state === "pass" || TOLD.has(ruling.condition);
  return {
    row,
    line: terminal(assessment ? lineWords(assessment) : CONDITION_TITLES[ruling.condition]),
    component: terminal(componentWords(row)),
    support: assessment ? endCell(assessment) : row.reason ? REASON_WORDS[row.reason] : "",
    source: assessment ? sourceCell(assessment.provenance) : "",
    broughtIn: pathWords(path),
    transitive: path.length > 1,
    advice: assessment && state !== "pass" ? terminal(adviceWords(report.advice?.(assessment.line), assessment)) : "",
    notes: [...(told ? [] : [CONDITION_TITLES[ruling.condition]]), ...noteWords(row)].map(terminal),
    date: assessment ? terminal(`date: ${provenanceWords(assessment.provenance)}`) : "",
  };
}

/** Conditions that the support column says already. */
const TOLD: ReadonlySet<Condition> = new Set(["none", "eol", "approaching", "retired"]);

/** `shop › … › qs`: the root and the one that asks for it say most. */
function pathWords(path: readonly string[]): string {
  const names = path.map((name) => terminal(name));
  return (names.length > 3 ? [names[0], "…", names.at(-1)] : names).join(" › ");
}
