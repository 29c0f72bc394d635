/** The rows of a table in columns. Cycles and versions are never cut: names, locations and remarks give way. */
import Table from "cli-table3";
import type { Report } from "../../model/index.ts";
import type { Cells } from "./cells.ts";
import type { Paint } from "./paint.ts";
import { columnsOf, cut, isOneWide, isRightToLeft, pad, wrap } from "./text.ts";

export interface GridFrame {
  readonly report: Report;
  readonly width: number;
  readonly paint: Paint;
}

/** From this width on, locations have a column. */
const WIDE = 100;
/** Below this width, a row has two lines. */
const NARROW = 60;
const GAP = 2;
const RISK = 4;
const INDENT = 2;
/** Columns before the name. */
const MARGIN = INDENT + RISK + GAP;
/** No name and no location is wider than this, however wide the terminal. */
const WIDEST = 44;
const NARROWEST_NAME = 8;

interface Widths {
  readonly what: number;
  readonly location: number;
  readonly end: number;
  readonly upgrade: number;
  readonly until: number;
  /** Rows have two lines: the name, then its end and its upgrade. */
  readonly twoLines: boolean;
}

/** The heading line, and the rows with the lines below them. */
export interface Grid {
  readonly heading: string;
  readonly lines: (cells: Cells) => readonly string[];
}

/** The longer of the two headings of the end. */
const SUPPORT_ENDED = "SUPPORT ENDED";
const UPGRADE_TO = "UPGRADE TO";

/** Lays out all rows of a table in the same columns. */
export function grid({ report, width, paint }: GridFrame, all: readonly Cells[]): Grid {
  const { widths, shown } = withNearest(all, width);
  const isPast = all.every(({ distance }) => !distance.startsWith("in "));
  const headings = [
    pad("WHAT", widths.what),
    ...(widths.location > 0 ? [pad("WHERE", widths.location)] : []),
    ...(widths.upgrade > 0
      ? [pad(isPast ? SUPPORT_ENDED : "SUPPORT ENDS", widths.end), UPGRADE_TO]
      : [isPast ? SUPPORT_ENDED : "SUPPORT ENDS"]),
  ];
  const heading = `${" ".repeat(INDENT)}${paint.dim(`RISK${" ".repeat(GAP)}${headings.join(" ".repeat(GAP))}`)}`;
  return {
    heading: widths.twoLines ? "" : heading,
    lines: (cells) => [
      ...rowLines(shown(cells), { report, width, paint }, widths),
      ...below(cells, widths, width - MARGIN).map((line) => `${" ".repeat(MARGIN)}${paint.dim(line)}`),
    ],
  };
}

/** A text of a column with its look. The look is applied after the padding is known. */
interface ColumnText {
  readonly text: string;
  readonly width: number;
  readonly look: (text: string) => string;
}

function rowLines(cells: Cells, { report, width, paint }: GridFrame, widths: Widths): readonly string[] {
  const { assessment, state } = cells.row;
  const isSplit = widths.twoLines || isRightToLeft(cells.name + cells.version);
  const card = assessment ? report.links.scoreCard(assessment.releaseCycle) : null;
  const source = assessment?.provenance.url ?? null;
  const name = nameText(cells, isSplit ? Math.max(20, width - MARGIN) : widths.what);
  const what: ColumnText = { text: name, width: widths.what, look: (text) => paint.link(paint.bold(text), card) };
  const where: ColumnText = {
    text: cut(cells.where, widths.location, "start"),
    width: widths.location,
    look: paint.dim,
  };
  const dated = (text: string): string =>
    paint.link(paint.state(state, text.slice(0, cells.end.length)), source) + paint.dim(text.slice(cells.end.length));
  const end = {
    text: cells.distance === "" ? cells.end : `${cells.end} ${cells.distance}`,
    width: widths.end,
    look: dated,
  };
  const upgrade: ColumnText = { text: cells.upgrade, width: widths.upgrade, look: (text) => text };
  const until: ColumnText = { text: untilText(cells.until, widths.until), width: widths.until, look: paint.dim };
  const rest = [...(widths.location > 0 ? [where] : []), end, upgrade, until];
  const risk = `${" ".repeat(INDENT)}${paint.risk(assessment, cells.risk.padStart(RISK))}${" ".repeat(GAP)}`;
  return isSplit
    ? [`${risk}${joined([what])}`, `${" ".repeat(MARGIN)}${joined(rest)}`]
    : [`${risk}${joined([what, ...rest])}`];
}

/** The cells of a line; those at its end that are empty are left out, and the last one is not padded. */
function joined(cells: readonly ColumnText[]): string {
  const last = cells.findLastIndex(({ text }) => text !== "");
  const shown = cells.slice(0, last + 1);
  if (!shown.every(({ text }) => isOneWide(text))) return laidOut(shown);
  return shown
    .map(
      ({ text, width, look }, index) => look(text) + " ".repeat(index === last ? 0 : Math.max(0, width - text.length)),
    )
    .join(" ".repeat(GAP));
}

/** A line with wide or joined characters. cli-table3 takes 8 ms for its first row: plain text is padded without it. */
function laidOut(cells: readonly ColumnText[]): string {
  const table = new Table({
    chars: BORDERLESS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": GAP, compact: true },
    colWidths: cells.map(({ text, width }) => Math.max(width, columnsOf(text)) + GAP),
    wordWrap: false,
  });
  table.push(cells.map(({ text, look }) => look(text)));
  return table.toString().trimEnd();
}

const BORDERLESS = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
    .map((side) => [side, ""]),
);

/** A text of which only a part would fit is left out. */
const untilText = (until: string, width: number): string => (columnsOf(until) <= width ? until : "");

/** The group of a name is cut from the left, any other name from the right; the version is kept. */
function nameText({ name, version }: Cells, width: number): string {
  const space = Math.max(width - columnsOf(version), NARROWEST_NAME);
  return `${cut(name, space, name.includes("/") ? "start" : "end")}${version}`;
}

/** The columns of the longest text, and of the heading above it. */
const most = (all: readonly Cells[], textOf: (cells: Cells) => string, heading = ""): number =>
  all.reduce((width, cells) => Math.max(width, columnsOf(textOf(cells))), heading.length);

const endText = ({ end, distance }: Cells): string => (distance === "" ? end : `${end} ${distance}`);

/** The nearest target beside how long the longest lasts, where no other column has to give way for it. */
function withNearest(
  all: readonly Cells[],
  width: number,
): { readonly widths: Widths; readonly shown: typeof besideUntil } {
  const [plain, wide] = [fit(all, width), fit(all.map(besideUntil), width)];
  const fits = wide.until > 0 && !wide.twoLines && wide.what === plain.what && wide.location === plain.location;
  return fits ? { widths: wide, shown: besideUntil } : { widths: plain, shown: (cells) => cells };
}

const besideUntil = (cells: Cells): Cells =>
  cells.nearest === undefined ? cells : { ...cells, until: `${cells.until}, nearest ${cells.nearest}` };

function fit(all: readonly Cells[], width: number): Widths {
  const end = most(all, endText, SUPPORT_ENDED);
  const { upgrade, until } = upgradeWidths(all);
  const alone = upgrade === 0 ? 0 : most(all, (cells) => cells.upgrade, UPGRADE_TO);
  const free = width - MARGIN - GAP - end - (upgrade === 0 ? 0 : GAP + alone);
  const spare = width - MARGIN - GAP - end - (upgrade === 0 ? 0 : GAP + upgrade + GAP + until);
  const wanted = most(all, (cells) => nameText(cells, WIDEST + columnsOf(cells.version)), "WHAT");
  const least = Math.min(wanted, NARROWEST_NAME + most(all, (cells) => cells.version));
  const base = { location: 0, end, upgrade, until, twoLines: false };
  if (width < NARROW || free < least)
    return {
      ...base,
      what: wanted,
      until: Math.min(until, Math.max(0, width - MARGIN - end - 2 * GAP - upgrade)),
      twoLines: true,
    };
  // How long the upgrade lasts gives way before the row is split.
  if (spare < least) return { ...base, upgrade: alone, what: Math.min(wanted, free), until: 0 };
  const besides = spare - GAP - wanted;
  if (width < WIDE || besides < 12) return { ...base, what: Math.min(wanted, spare) };
  const location = Math.min(
    WIDEST,
    besides,
    most(all, (cells) => cells.where),
  );
  return { ...base, location, what: wanted };
}

function upgradeWidths(all: readonly Cells[]): Pick<Widths, "upgrade" | "until"> {
  if (all.every((cells) => cells.upgrade === "")) return { upgrade: 0, until: 0 };
  // `none named` has no end and takes the columns of both.
  const [lasting, plain] = [all.filter(({ until }) => until !== ""), all.filter(({ until }) => until === "")];
  const upgrade = Math.max(
    most(lasting, (cells) => cells.upgrade),
    1,
  );
  const others = most(plain, (cells) => cells.upgrade, UPGRADE_TO) - upgrade - GAP;
  return {
    upgrade,
    until: Math.max(
      most(lasting, (cells) => cells.until),
      others,
      0,
    ),
  };
}

/** Locations without a column, and the notes of a row; a long one goes on below itself. */
function below(cells: Cells, widths: Widths, width: number): readonly string[] {
  const isBelow = cells.location !== "" && (widths.location === 0 || cells.location !== cells.where);
  const notes = [...(isBelow ? [`in ${cells.location}`] : []), ...cells.below];
  return notes.flatMap((note) =>
    wrap(note, width).map((line, index) => cut(index === 0 ? line : `  ${line}`, Math.max(width, 30))),
  );
}
