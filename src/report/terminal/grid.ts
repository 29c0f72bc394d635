/** The rows of one document as a table, each with the way out and the why below it. */
import Table from "cli-table3";
import type { Report } from "../../model/index.ts";
import { truncate, truncateName } from "../escape.ts";
import type { ReportRow } from "../rows.ts";
import { type Cells, type RowOrigin, toCells } from "./cells.ts";
import { type Paint, wrap } from "./paint.ts";

/** In the order of the table. */
const COLUMNS = ["glyph", "cycle", "component", "support", "level", "risk", "source", "introducedBy"] as const;
type Column = (typeof COLUMNS)[number];
type Widths = Readonly<Record<Column, number>>;

const HEADINGS: Readonly<Record<Column, string>> = {
  glyph: "",
  cycle: "RELEASE CYCLE",
  component: "COMPONENT",
  support: "END OF SUPPORT",
  level: "SUPPORT LEVEL",
  risk: "RISK",
  source: "SOURCE",
  introducedBy: "INTRODUCED BY",
};
/** No text is wider than this, however wide the terminal. */
const WIDEST = { cycle: 34, component: 44, support: 44, level: 32, source: 14, introducedBy: 44 } as const;
/** From this width on the risk bar, the source and the support level have columns. */
const WIDE = 100;
const RISK = { wide: 11, narrow: 5 } as const;
const INDENT = 2;
const GAP = 2;

export interface GridFrame {
  readonly report: Report;
  readonly width: number;
  readonly paint: Paint;
}

export function grid(
  { report, width, paint }: GridFrame,
  rows: readonly ReportRow[],
  origin: (row: ReportRow) => RowOrigin,
): string {
  const cells = rows.map((row) => toCells(report, row, origin(row)));
  const widths = fit(cells, width - INDENT);
  const shown = COLUMNS.filter((column) => widths[column] > 0);
  const below = shown.reduce((sum, column) => sum + widths[column] + GAP, 0) - widths.glyph - 2 * GAP;
  const headings = shown.map((column) => paint.dim(truncate(HEADINGS[column], widths[column])));
  const texts = cells.map((each) => {
    const painted = paintCells(report, each, widths, paint);
    return shown.map((column) => painted[column]);
  });
  const [heading = "", ...lines] = layOut(
    [headings, ...texts],
    shown.map((column) => widths[column] + GAP),
  );
  const belowIndent = " ".repeat(widths.glyph + GAP);
  return [
    heading,
    ...cells.flatMap((each, index) => [
      lines[index] ?? "",
      ...belowRow(each, widths, below, paint).map((line) => `${belowIndent}${line}`),
    ]),
  ]
    .map((line) => `${" ".repeat(INDENT)}${line.trimEnd()}`)
    .join("\n");
}

/**
 * Text of which each code unit is as wide as a column: printable ASCII, Latin letters, and the signs of this table. Colours
 * and links have escape sequences; East Asian letters and emoji are wider, combining signs are not.
 */
const ONE_WIDE = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027━╌✖▲○✔→]*$/;

/** One line for each row. cli-table3 takes 8 ms of CPU time for its first rows: text that only needs spaces is padded here. */
function layOut(rows: readonly (readonly string[])[], colWidths: readonly number[]): readonly string[] {
  if (!rows.every((row) => row.every((text) => ONE_WIDE.test(text)))) return layOutWide(rows, colWidths);
  return rows.map((row) => row.map((text, column) => text.padEnd(colWidths[column] ?? 0)).join(""));
}

/** cli-table3 lays out rows in a time that grows with the square of their number: more of them are several tables. */
const ROWS_TOGETHER = 16;

function layOutWide(rows: readonly (readonly string[])[], colWidths: readonly number[]): readonly string[] {
  const lines: string[] = [];
  for (let from = 0; from < rows.length; from += ROWS_TOGETHER) {
    const table = new Table({
      chars: BORDERLESS,
      style: { head: [], border: [], "padding-left": 0, "padding-right": GAP, compact: true },
      colWidths: [...colWidths],
      wordWrap: false,
    });
    for (const row of rows.slice(from, from + ROWS_TOGETHER)) table.push([...row]);
    lines.push(...table.toString().split("\n"));
  }
  return lines;
}

const BORDERLESS = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
    .map((side) => [side, ""]),
);

type TextColumn = keyof typeof WIDEST;

/** The widest text of a column, 0 for one without any. */
const naturalWidth = (cells: readonly Cells[], column: TextColumn): number => {
  const longest = cells.reduce((most, each) => Math.max(most, each[column].length), 0);
  return longest === 0 ? 0 : Math.min(Math.max(longest, HEADINGS[column].length), WIDEST[column]);
};

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + GAP), 0);

/** Natural widths where they fit; else the texts of the document give way, the dates and the score never. */
function fit(cells: readonly Cells[], available: number): Widths {
  const natural = (column: TextColumn): number => naturalWidth(cells, column);
  const wide = available + INDENT >= WIDE;
  const [cycle, component] = [natural("cycle"), natural("component")];
  const level = wide ? natural("level") : 0;
  const needed = { glyph: 2, support: natural("support"), level, risk: wide ? RISK.wide : RISK.narrow };
  // The source gives way to the support level; it is then stated below the row.
  const source = wide ? natural("source") : 0;
  const hasSource = level === 0 || total([...Object.values(needed), source, cycle, component]) <= available;
  const fixed = { ...needed, source: hasSource ? source : 0 };
  const free = available - total(Object.values(fixed));
  const spare = free - total([cycle, component]);
  const introducedBy = Math.min(natural("introducedBy"), spare);
  if (spare >= 0)
    return {
      ...fixed,
      cycle,
      component,
      introducedBy: introducedBy >= HEADINGS.introducedBy.length ? introducedBy : 0,
    };
  const narrowed = Math.min(cycle, Math.max(12, Math.floor(free / 2) - GAP));
  return { ...fixed, cycle: narrowed, component: Math.max(10, free - narrowed - 2 * GAP), introducedBy: 0 };
}

function paintCells(report: Report, cells: Cells, widths: Widths, paint: Paint): Readonly<Record<Column, string>> {
  const { row, cycle, component, support, level, source, introducedBy } = cells;
  const { assessment, state } = row;
  return {
    glyph: paint.glyph(state),
    cycle: paint.link(
      paint.bold(truncate(cycle, widths.cycle)),
      assessment ? report.links.scoreCard(assessment.releaseCycle) : null,
    ),
    component: truncateName(component, cells.ending, widths.component),
    support: paint.state(state, truncate(support, widths.support)),
    level: truncate(level, widths.level),
    risk: assessment ? paint.risk(assessment, widths.risk === RISK.wide) : "",
    source: paint.link(paint.dim(truncate(source, widths.source)), assessment?.provenance.url ?? null),
    introducedBy: paint.dim(truncate(introducedBy, widths.introducedBy)),
  };
}

/** What did not fit into the columns is listed here; that the root itself asks for a component needs no line. */
function belowRow(cells: Cells, widths: Widths, width: number, paint: Paint): readonly string[] {
  const { row, advice, location } = cells;
  const facts = row.state === "pass" ? [...cells.notes, ...levelNote(cells, widths)] : factsBelow(cells, widths);
  const notes = facts.length === 0 ? [] : hanging(`· ${facts.join(" · ")}`, width).map((line) => paint.dim(line));
  if (row.state === "pass") return notes;
  return [
    ...(location === "" ? [] : hanging(`in ${location}`, width).map((line) => paint.dim(line))),
    ...(advice === "" ? [] : hanging(`→ ${advice}`, width)),
    ...notes,
  ];
}

function factsBelow(cells: Cells, widths: Widths): readonly string[] {
  const { notes, date, introducedBy, transitive } = cells;
  return [
    ...notes,
    ...levelNote(cells, widths),
    ...(widths.introducedBy === 0 && transitive ? [`introduced by ${introducedBy}`] : []),
    ...(widths.source === 0 && date !== "" ? [date] : []),
  ];
}

/** The support level in a table without its column, where the notes do not start with it. */
function levelNote({ row: { outcome }, level }: Cells, widths: Widths): readonly string[] {
  return widths.level > 0 || level === "" || isLevel(outcome) ? [] : [`support level: ${level}`];
}

/** Notes of these outcomes start with the level. */
const isLevel = ({ condition }: ReportRow["outcome"]): boolean =>
  condition === "unmaintained" || condition === "inactive" || condition === "outdated";

/** Long notes go on below themselves; a word longer than the table is cut. */
function hanging(note: string, width: number): readonly string[] {
  return wrap(note, width - 2).map((line, index) => truncate(index === 0 ? line : `  ${line}`, width));
}
