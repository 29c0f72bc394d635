/** The rows of one document as a table: line, component, support, risk, and who brings it in; why, below each. */
import Table from "cli-table3";
import type { Condition, Finding, Report, Scan } from "../../core/model.ts";
import { cut, terminal } from "../escape.ts";
import { introducers, type Row } from "../rows.ts";
import {
  adviceWords,
  componentWords,
  CONDITION_TITLES,
  endCell,
  lineWords,
  noteWords,
  provenanceWords,
  REASON_WORDS,
} from "../words.ts";
import { type Paint, wrap } from "./paint.ts";

const HEADINGS = ["", "LINE", "COMPONENT", "SUPPORT ENDS", "RISK", "BROUGHT IN BY"] as const;
const GLYPH = 2;
/** Score and grade, with the bar and without; the bar needs a wide terminal. */
const RISK = { wide: 11, narrow: 5 } as const;
const WIDE = 100;
const GAP = 2;

/** The cells of one row as plain text, before they are cut to their columns and painted. */
interface Cells {
  readonly row: Row;
  readonly line: string;
  readonly component: string;
  readonly support: string;
  readonly broughtIn: string;
  readonly notes: readonly string[];
}

export function grid(report: Report, scan: Scan, rows: readonly Row[], width: number, paint: Paint): string {
  const paths = introducers(scan, rows.map(first));
  const cells = rows.map((row) => toCells(report, row, paths.get(first(row)) ?? []));
  const columns = fit(cells, width);
  const shown = columns.broughtIn > 0 ? 6 : 5;
  const table = new Table({
    chars: BORDERLESS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": GAP, compact: true },
    colWidths: [GLYPH, columns.line, columns.component, columns.support, columns.risk, columns.broughtIn]
      .slice(0, shown)
      .map((column) => column + GAP),
    wordWrap: false,
  });
  table.push(HEADINGS.slice(0, shown).map((heading) => paint.dim(heading)));
  const gaps = (shown - 1) * GAP;
  const noteWidth = columns.line + columns.component + columns.support + columns.risk + columns.broughtIn + gaps - GAP;
  for (const each of cells) {
    table.push(painted(report, each, columns, paint).slice(0, shown));
    for (const note of each.notes.flatMap((note) => hanging(note, noteWidth)))
      table.push(["", { colSpan: shown - 1, content: paint.dim(note) }]);
  }
  return table
    .toString()
    .split("\n")
    .map((line) => `  ${line.trimEnd()}`)
    .join("\n");
}

const BORDERLESS = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
    .map((side) => [side, ""]),
);

function first(row: Row): Finding {
  const [finding] = row.findings;
  if (finding === undefined) throw new TypeError("a row without findings");
  return finding;
}

function toCells(report: Report, row: Row, path: readonly string[]): Cells {
  const { assessment, ruling } = row;
  return {
    row,
    line: terminal(assessment ? lineWords(assessment) : CONDITION_TITLES[ruling.condition]),
    component: terminal(componentWords(row)),
    support: assessment ? endCell(assessment) : row.reason ? REASON_WORDS[row.reason] : "",
    broughtIn: pathWords(path),
    notes: notesOf(report, row),
  };
}

/** Long notes go on below themselves; a word longer than the table is cut. */
function hanging(note: string, width: number): readonly string[] {
  return wrap(note, width).map((line, index) => cut(index === 0 ? line : `  ${line}`, width));
}

/** `shop › … › qs`: the root and the one that asks for it say most. */
function pathWords(path: readonly string[]): string {
  const names = path.map((name) => terminal(name));
  return (names.length > 3 ? [names[0], "…", names.at(-1)] : names).join(" › ");
}

/** Conditions that the support column says already. */
const TOLD: ReadonlySet<Condition> = new Set(["eol", "approaching", "retired"]);

/** What stands below a row: the way out, what the gate made of it where the columns do not say, and who states the date. */
function notesOf(report: Report, row: Row): readonly string[] {
  const { assessment, ruling, state } = row;
  if (state === "pass") return [];
  const told = assessment === undefined || TOLD.has(ruling.condition);
  const why = [
    ...(told ? [] : [CONDITION_TITLES[ruling.condition]]),
    ...noteWords(row),
    ...(assessment ? [`date: ${provenanceWords(assessment.provenance)}`] : []),
  ];
  const advice = assessment ? adviceWords(report.advice?.(assessment.line), assessment) : "";
  return [
    ...(advice === "" ? [] : [`→ ${terminal(advice)}`]),
    ...(why.length === 0 ? [] : [`· ${terminal(why.join(" · "))}`]),
  ];
}

interface Columns {
  readonly line: number;
  readonly component: number;
  readonly support: number;
  readonly risk: number;
  /** 0 when there is no room, or no document says. */
  readonly broughtIn: number;
}

/** Natural widths where they fit; else the texts of the document give way first, the dates last. */
function fit(cells: readonly Cells[], width: number): Columns {
  const widest = (pick: (each: Cells) => string, heading: string) =>
    cells.reduce((most, each) => Math.max(most, pick(each).length), heading.length);
  const support = Math.min(
    widest((each) => each.support, HEADINGS[3]),
    44,
  );
  const risk = width >= WIDE ? RISK.wide : RISK.narrow;
  const natural = {
    line: Math.min(
      widest((each) => each.line, HEADINGS[1]),
      34,
    ),
    component: Math.min(
      widest((each) => each.component, HEADINGS[2]),
      44,
    ),
    broughtIn: cells.some((each) => each.broughtIn !== "")
      ? Math.min(
          widest((each) => each.broughtIn, HEADINGS[5]),
          40,
        )
      : 0,
  };
  const room = width - 2 - GLYPH - support - risk - 5 * GAP;
  const spare = room - natural.line - natural.component;
  if (spare >= natural.broughtIn) return { ...natural, support, risk };
  if (natural.broughtIn > 0 && spare >= HEADINGS[5].length) return { ...natural, support, risk, broughtIn: spare };
  const line = Math.min(natural.line, Math.max(12, Math.floor(room / 2)));
  return { line, component: Math.max(10, Math.min(natural.component, room - line)), support, risk, broughtIn: 0 };
}

function painted(
  report: Report,
  { row, line, component, support, broughtIn }: Cells,
  columns: Columns,
  paint: Paint,
): string[] {
  const { assessment, state } = row;
  const target = assessment ? report.links.scoreCard(assessment.line) : null;
  const source = assessment?.provenance.url ?? null;
  return [
    paint.glyph(state),
    paint.link(paint.bold(cut(line, columns.line)), target),
    cut(component, columns.component),
    paint.link(paint.state(state, cut(support, columns.support)), source),
    assessment ? paint.risk(assessment, columns.risk === RISK.wide) : "",
    paint.dim(cut(broughtIn, columns.broughtIn)),
  ];
}
