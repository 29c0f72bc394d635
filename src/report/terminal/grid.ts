/** The rows of one document as a table, each with the way out and the why below it. */
import Table from "cli-table3";
import type { Report } from "../../core/model.ts";
import { truncate, truncateName } from "../escape.ts";
import type { ReportRow } from "../rows.ts";
import { type Cells, toCells } from "./cells.ts";
import type { RowOrigin } from "./origin.ts";
import { type Paint, wrap } from "./paint.ts";

/** In the order of the table. */
const COLUMNS = ["glyph", "cycle", "component", "support", "risk", "source", "introducedBy"] as const;
type Column = (typeof COLUMNS)[number];
type Widths = Readonly<Record<Column, number>>;

const HEADINGS: Readonly<Record<Column, string>> = {
  glyph: "",
  cycle: "RELEASE CYCLE",
  component: "COMPONENT",
  support: "END OF SUPPORT",
  risk: "RISK",
  source: "SOURCE",
  introducedBy: "INTRODUCED BY",
};
/** No text is wider than this, however wide the terminal. */
const WIDEST = { cycle: 34, component: 44, support: 44, source: 14, introducedBy: 44 } as const;
/** From this width on the risk bar and the source are shown. */
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
  const table = new Table({
    chars: BORDERLESS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": GAP, compact: true },
    colWidths: shown.map((column) => widths[column] + GAP),
    wordWrap: false,
  });
  const below = shown.reduce((sum, column) => sum + widths[column] + GAP, 0) - widths.glyph - 2 * GAP;
  table.push(shown.map((column) => paint.dim(HEADINGS[column])));
  for (const each of cells) {
    const painted = paintCells(report, each, widths, paint);
    table.push(shown.map((column) => painted[column]));
    for (const line of belowRow(each, widths, below, paint))
      table.push(["", { colSpan: shown.length - 1, content: line }]);
  }
  const lines = table.toString().split("\n");
  return lines.map((line) => `${" ".repeat(INDENT)}${line.trimEnd()}`).join("\n");
}

const BORDERLESS = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
    .map((side) => [side, ""]),
);

/** Natural widths where they fit; else the texts of the document give way, the dates and the score never. */
function fit(cells: readonly Cells[], available: number): Widths {
  const natural = (column: keyof typeof WIDEST): number => {
    const longest = cells.reduce((most, each) => Math.max(most, each[column].length), 0);
    return longest === 0 ? 0 : Math.min(Math.max(longest, HEADINGS[column].length), WIDEST[column]);
  };
  const wide = available + INDENT >= WIDE;
  const fixed = {
    glyph: 2,
    support: natural("support"),
    risk: wide ? RISK.wide : RISK.narrow,
    source: wide ? natural("source") : 0,
  };
  const free = available - Object.values(fixed).reduce((sum, width) => sum + (width === 0 ? 0 : width + GAP), 0);
  const cycle = natural("cycle");
  const component = natural("component");
  const spare = free - (cycle + GAP) - (component + GAP);
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
  const { row, cycle, component, support, source, introducedBy } = cells;
  const { assessment, state } = row;
  return {
    glyph: paint.glyph(state),
    cycle: paint.link(
      paint.bold(truncate(cycle, widths.cycle)),
      assessment ? report.links.scoreCard(assessment.releaseCycle) : null,
    ),
    component: truncateName(component, cells.ending, widths.component),
    support: paint.state(state, truncate(support, widths.support)),
    risk: assessment ? paint.risk(assessment, widths.risk === RISK.wide) : "",
    source: paint.link(paint.dim(truncate(source, widths.source)), assessment?.provenance.url ?? null),
    introducedBy: paint.dim(truncate(introducedBy, widths.introducedBy)),
  };
}

/** What did not fit into the columns is listed here; that the root itself asks for a component needs no line. */
function belowRow(
  { row, advice, notes, date, introducedBy, transitive, location }: Cells,
  widths: Widths,
  width: number,
  paint: Paint,
): readonly string[] {
  if (row.state === "pass") return [];
  const facts = [
    ...notes,
    ...(widths.introducedBy === 0 && transitive ? [`introduced by ${introducedBy}`] : []),
    ...(widths.source === 0 && date !== "" ? [date] : []),
  ].join(" · ");
  return [
    ...(location === "" ? [] : hanging(`in ${location}`, width).map((line) => paint.dim(line))),
    ...(advice === "" ? [] : hanging(`→ ${advice}`, width)),
    ...(facts === "" ? [] : hanging(`· ${facts}`, width).map((line) => paint.dim(line))),
  ];
}

/** Long notes go on below themselves; a word longer than the table is cut. */
function hanging(note: string, width: number): readonly string[] {
  return wrap(note, width - 2).map((line, index) => truncate(index === 0 ? line : `  ${line}`, width));
}
