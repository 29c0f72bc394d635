/** CSV: the vendors' own files, and the rows of a page as reference data keeps them. RFC 4180 without line breaks in cells. */
import { feedChanged, completeLines } from "./feed-changed.ts";
import { makeTable } from "./table.ts";
import type { Table } from "./table.ts";

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

/** @param short Rows may end early; the cells that are left out are empty (distro-info writes so). */
export function csvTable(text: string, headings: readonly string[], short = false): Table {
  const [first, ...rows] = completeLines(text).map((line, index) => ({
    where: `line ${String(index + 1)}`,
    cells: csvCells(line, `line ${String(index + 1)}`),
  }));
  if (first?.cells.join() !== headings.join()) throw feedChanged("line 1", `the headings ${headings.join()}`);
  const padded = rows.map(({ where, cells }) => ({
    where,
    cells: short ? [...cells, ...headings.slice(cells.length).map(() => "")] : cells,
  }));
  return makeTable(headings, padded);
}

/** The table of a sheet: other rows stand above its headings, it may have further columns, and rows may end early. */
export function csvPart(text: string, headings: readonly string[]): Table {
  const rows = completeLines(text).map((line, index) => ({
    where: `row ${String(index + 1)}`,
    cells: csvCells(line, `row ${String(index + 1)}`),
  }));
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
  const rows = completeLines(text).map((line, index) => ({
    where: `line ${String(index + 1)}`,
    cells: csvCells(line, `line ${String(index + 1)}`),
  }));
  const label = rows[0]?.cells[0];
  const starts = rows.flatMap(({ cells }, index) => (cells[0] === label ? [index] : []));
  return starts.map((start, index) => {
    const [heading, ...body] = rows.slice(start, starts[index + 1]);
    return makeTable(heading?.cells ?? [], body);
  });
}
