/** Rows under headings, from whatever form the vendor writes them in. */
import type { LifecycleDate } from "../../../model/index.ts";
import { feedChanged, completeLines } from "./location.ts";

export interface TableRow {
  /** `line 12`, `row 3`. */
  readonly where: string;
  /** The text under a heading, or under the one of several that the table has. */
  cell(...headings: readonly string[]): string;
  has(heading: string): boolean;
  /** As `cell`, undefined if the vendor writes nothing, `-`, `TBD`, `N/A`. */
  maybe(...headings: readonly string[]): string | undefined;
  date(read: (text: string) => LifecycleDate | undefined, ...headings: readonly string[]): LifecycleDate | undefined;
}

export interface Table {
  /** The heading of the page above the table, where the form has one. */
  readonly title?: string;
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
}

const NOTHING = new Set(["", "-", "–", "--", "tbd", "n/a", "tba", "future date"]);
/** Headings are compared without case, footnotes and punctuation: `End of Availability ^[1]^`, `PHP (*)`. */
const folded = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9. ]+\d*/g, "")
    .replace(/\s+/g, " ")
    .trim();

export function makeTable(
  headings: readonly string[],
  rows: readonly { readonly where: string; readonly cells: readonly string[] }[],
): Table {
  const columns = new Map(headings.map((heading, index) => [folded(heading), index]));
  return { headings, rows: rows.filter(({ cells }) => cells.some((cell) => cell !== "")).map(toRow) };

  function toRow({ where, cells }: { readonly where: string; readonly cells: readonly string[] }): TableRow {
    if (cells.length !== headings.length) throw feedChanged(where, `${String(headings.length)} cells`);
    const cell = (...names: readonly string[]): string => {
      const column = names.map((name) => columns.get(folded(name))).find((index) => index !== undefined);
      const text = column === undefined ? undefined : cells[column];
      if (text === undefined) throw feedChanged(where, `a column ${names.join(" or ")}`);
      return text;
    };
    const maybe = (...names: readonly string[]): string | undefined => {
      const text = cell(...names);
      return NOTHING.has(text.toLowerCase()) ? undefined : text;
    };
    return {
      where,
      has: (heading) => columns.has(folded(heading)),
      cell,
      maybe,
      date(read, ...names) {
        const text = maybe(...names);
        if (text === undefined) return undefined;
        const date = read(text);
        if (!date)
          throw feedChanged(`${where}, ${names.join(" or ")}`, `a date, not ${JSON.stringify(text.slice(0, 60))}`);
        return date;
      },
    };
  }
}

/** The tables that have all of these headings (one of several names each). @throws EolgateError `feed-changed` when none has. */
export function tablesWith(
  tables: readonly Table[],
  ...required: readonly (string | readonly string[])[]
): readonly Table[] {
  const found = tables.filter(({ headings }) => {
    const present = new Set(headings.map(folded));
    return required.every((names) => [names].flat().some((name) => present.has(folded(name))));
  });
  if (found.length === 0)
    throw feedChanged("/", `a table with the columns ${required.map((names) => [names].flat()[0]).join(", ")}`);
  return found;
}

// CSV: the vendors' own files, and the rows of a page as reference data keeps them. RFC 4180 without line breaks in cells.

const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/y;

function csvCells(line: string, where: string): readonly string[] {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  // The last cell is the one that no comma follows.
  for (let open = true; open;) {
    const found = CELL.exec(line);
    if (!found) throw feedChanged(where, "comma-separated cells");
    cells.push((found[1]?.replaceAll('""', '"') ?? found[2] ?? "").trim());
    open = found[0].endsWith(",");
  }
  return cells;
}

const csvLines = (text: string, unit: "line" | "row") =>
  completeLines(text).map((line, index) => {
    const where = `${unit} ${String(index + 1)}`;
    return { where, cells: csvCells(line, where) };
  });

/** @param short Rows may end early; the cells that are left out are empty (distro-info writes so). */
export function csvTable(text: string, headings: readonly string[], short = false): Table {
  const [first, ...rows] = csvLines(text, "line");
  if (first?.cells.join() !== headings.join()) throw feedChanged("line 1", `the headings ${headings.join()}`);
  const padded = rows.map(({ where, cells }) => ({
    where,
    cells: short ? [...cells, ...headings.slice(cells.length).map(() => "")] : cells,
  }));
  return makeTable(headings, padded);
}

/** The table of a sheet: other rows stand above its headings, it may have further columns, and rows may end early. */
export function csvPart(text: string, headings: readonly string[]): Table {
  const rows = csvLines(text, "row");
  const start = rows.findIndex(({ cells }) => headings.every((heading) => cells.includes(heading)));
  const head = rows[start]?.cells;
  if (head === undefined) throw feedChanged("/", `a row with the headings ${headings.join()}`);
  const padded = rows
    .slice(start + 1)
    .map(({ where, cells }) => ({ where, cells: [...cells, ...head.slice(cells.length).map(() => "")] }));
  return makeTable(head, padded);
}

/** Several tables of a page in one file: each with its heading row. */
export function csvTables(text: string): readonly Table[] {
  const rows = csvLines(text, "line");
  const label = rows[0]?.cells[0];
  const starts = rows.flatMap(({ cells }, index) => (cells[0] === label ? [index] : []));
  return starts.map((start, index) => {
    const [heading, ...body] = rows.slice(start, starts[index + 1]);
    return makeTable(heading?.cells ?? [], body);
  });
}
