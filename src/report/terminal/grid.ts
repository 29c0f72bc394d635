/**
 * The rows of a table in columns. Cycles, versions and the files of paths are never cut. What does not fit into its
 * column makes its own row longer and leaves the others as they are.
 */
import Table from "cli-table3";
import type { Report } from "../../model/index.ts";
import type { Cells } from "./cells.ts";
import type { Paint } from "./paint.ts";
import { columnsOf, cut, isOneWide, isRightToLeft, pad, pathEnd, unbroken, wrap } from "./text.ts";

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

function rowLines(cells: Cells, frame: GridFrame, widths: Widths): readonly string[] {
  const { report, width, paint } = frame;
  const { assessment, state } = cells.row;
  const card = assessment ? report.links.scoreCard(assessment.releaseCycle) : null;
  const named = (text: string): string => paint.link(paint.bold(text), card);
  const risk = `${" ".repeat(INDENT)}${paint.risk(assessment, cells.risk.padStart(RISK))}${" ".repeat(GAP)}`;
  const end = cells.distance === "" ? wrap(cells.end, widths.end) : [endText(cells)];
  const rest = [...whereColumn(cells, frame, widths), ...endColumns(cells, end, frame, widths)];
  const full = cells.name + cells.version;
  const isSplit = widths.twoLines || isRightToLeft(full) || columnsOf(full) > widths.what;
  // Below a name, the other columns begin with the row unless the table has no columns at all.
  const start = MARGIN + (widths.twoLines ? 0 : widths.what + GAP);
  const endStart = start + (widths.location > 0 ? widths.location + GAP : 0);
  const first = isSplit
    ? [
        ...nameLines(cells, width - MARGIN).map((line, at) => (at === 0 ? risk : " ".repeat(MARGIN)) + named(line)),
        `${" ".repeat(start)}${joined(rest)}`,
      ]
    : [`${risk}${joined([{ text: full, width: widths.what, look: named }, ...rest])}`];
  return [...first, ...end.slice(1).map((line) => `${" ".repeat(endStart)}${paint.state(state, line)}`)];
}

const whereColumn = (cells: Cells, { paint }: GridFrame, widths: Widths): readonly ColumnText[] =>
  widths.location > 0 ? [{ text: whereText(cells, widths) ?? "", width: widths.location, look: paint.dim }] : [];

/** The end, the upgrade, and how long it lasts. */
function endColumns(
  cells: Cells,
  [end = ""]: readonly string[],
  { paint }: GridFrame,
  widths: Widths,
): readonly ColumnText[] {
  const { assessment, state } = cells.row;
  const source = assessment?.provenance.url ?? null;
  const dated = (text: string): string =>
    paint.link(paint.state(state, text.slice(0, cells.end.length)), source) + paint.dim(text.slice(cells.end.length));
  return [
    { text: end, width: widths.end, look: dated },
    { text: cells.upgrade, width: widths.upgrade, look: (text) => text },
    { text: untilText(cells.until, widths.until), width: widths.until, look: paint.dim },
  ];
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

/** A name on lines of its own. One that takes more is cut, as a name of a document can have any length. */
function nameLines(cells: Cells, width: number): readonly string[] {
  // The version is not broken.
  const lines = wrap(cells.name + cells.version.replace(/\S.*/, unbroken), width);
  return lines.length > 3 || lines.some((line) => columnsOf(line) > width) ? [nameText(cells, width)] : lines;
}

/** The group of a name is cut from the left, any other name from the right; the version is kept. */
function nameText({ name, version }: Cells, width: number): string {
  const space = Math.max(width - columnsOf(version), NARROWEST_NAME);
  return `${cut(name, space, name.includes("/") ? "start" : "end")}${version}`;
}

/** The first location for its column: whole, or from a folder on; undefined where it needs a line of its own. */
const whereText = ({ where }: Cells, { location }: Widths): string | undefined =>
  location === 0 ? undefined : pathEnd(where, location);

/** The columns that most texts need: a few long ones do not take the space of all. */
function usual(all: readonly Cells[], textOf: (cells: Cells) => string, share = 0.8): number {
  const widths = all.map((cells) => columnsOf(textOf(cells))).toSorted((one, other) => one - other);
  return widths[Math.ceil(share * widths.length) - 1] ?? 0;
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

const nameOf = (cells: Cells): string => nameText(cells, WIDEST + columnsOf(cells.version));

function fit(all: readonly Cells[], width: number): Widths {
  const end = endWidth(all, width);
  const { upgrade, until } = upgradeWidths(all);
  const alone = upgrade === 0 ? 0 : most(all, (cells) => cells.upgrade, UPGRADE_TO);
  const free = width - MARGIN - GAP - end - (upgrade === 0 ? 0 : GAP + alone);
  const spare = width - MARGIN - GAP - end - (upgrade === 0 ? 0 : GAP + upgrade + GAP + until);
  const longest = most(all, nameOf, "WHAT");
  const wanted = longest <= spare ? longest : Math.max(usual(all, nameOf), "WHAT".length);
  // Where most names need lines of their own, all rows have two lines.
  const least = Math.min(wanted, usual(all, nameOf, 0.5));
  const base = { location: 0, end, upgrade, until, twoLines: false };
  if (width < NARROW || free < least)
    return {
      ...base,
      what: wanted,
      until: Math.min(until, Math.max(0, width - MARGIN - end - 2 * GAP - upgrade)),
      twoLines: true,
    };
  // How long the upgrade lasts gives way before the row is split.
  if (spare < wanted) return { ...base, upgrade: alone, what: Math.min(wanted, free), until: 0 };
  const besides = spare - GAP - wanted;
  if (width < WIDE || besides < 12) return { ...base, what: Math.min(wanted, spare) };
  return { ...base, location: locationWidth(all, besides), what: wanted };
}

/** 0 where most places would not fit, so that the column would be empty. */
function locationWidth(all: readonly Cells[], space: number): number {
  const location = Math.min(
    WIDEST,
    space,
    most(all, (cells) => cells.where),
  );
  const fitting = all.filter(({ where }) => pathEnd(where, location) !== undefined);
  return fitting.length * 2 < all.length ? 0 : location;
}

/** A day and its distance are on one line; the words of an end without a day are wrapped. */
function endWidth(all: readonly Cells[], width: number): number {
  const words = all.filter(({ distance }) => distance === "").flatMap(({ end }) => end.split(" "));
  const [dated, plain] = [all.filter(({ distance }) => distance !== ""), all.filter(({ distance }) => distance === "")];
  const longest = words.reduce((most, word) => Math.max(most, columnsOf(word)), 0);
  return Math.max(
    most(dated, endText, SUPPORT_ENDED),
    longest,
    Math.min(
      Math.max(NARROWEST_WORDS, Math.floor(width * 0.3)),
      most(plain, ({ end }) => end),
    ),
  );
}
const NARROWEST_WORDS = 26;

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
  const isBelow = cells.location !== "" && (whereText(cells, widths) === undefined || cells.location !== cells.where);
  const notes = [...(isBelow ? [`in ${cells.location}`] : []), ...cells.below];
  return notes.flatMap((note) =>
    // A word that is longer than a line and no path is cut.
    wrap(note, width - 2, width).map((line, index) => cut(index === 0 ? line : `  ${line}`, width)),
  );
}
