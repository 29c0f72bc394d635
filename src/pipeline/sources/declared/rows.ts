/** The rows of a declared feed, from any of the formats: cells by their column, each with its place. */
import { csvPart, csvTable, csvTables, type Table, type TableRow, tablesWith } from "../feed/table.ts";
import { completeLines, feedChanged, FeedLocation, newKeys } from "../feed/location.ts";
import { htmlTables, markdownTables, xmlRows } from "../feed/markup.ts";
import { isRecord } from "../../../text/values.ts";
import type { DeclaredFeed, FeedRows } from "./schema.ts";

export interface FeedCell {
  readonly text: string;
  readonly where: string;
}
export interface FeedRow {
  readonly where: string;
  /**
   * The first of the columns that has a text; undefined if all are empty, and with `optional` where none exists.
   * @throws EolgateError `feed-changed` where none of the columns exists.
   */
  cell(columns: string | readonly string[], optional?: boolean): FeedCell | undefined;
}

export interface RowsContext {
  /** What the document is about: every row has it under the column `part`. */
  readonly part?: string | undefined;
  readonly onNewKey: (key: string) => void;
}
type ReadRows = (text: string, rows: FeedRows, context: RowsContext) => readonly FeedRow[];

const READERS: Readonly<Record<DeclaredFeed["format"], ReadRows>> = {
  json: (text, rows, context) => located(FeedLocation.json(text), rows, context),
  toml(text, rows, context) {
    completeLines(text);
    return located(FeedLocation.toml(text), rows, context);
  },
  yaml(text, rows, context) {
    // A block that was cut off is still YAML, and TOML.
    completeLines(text);
    return located(FeedLocation.yaml(text), rows, context);
  },
  csv: (text, rows) =>
    rows.furtherColumns
      ? tableRows(csvTables(text), rows)
      : csvTable(text, (rows.columns ?? []).flat()).rows.map((row) => fromTable(row)),
  markdown: (text, rows) => tableRows(markdownTables(text), rows),
  html: (text, rows) => tableRows(htmlTables(text), rows),
  workbook: (text, rows) => csvPart(text, (rows.columns ?? []).flat()).rows.map((row) => fromTable(row)),
  code: blockRows,
  xml: (text, rows) => xmlRows(text, rows.element ?? "item").map((row) => fromCells(withPairs(row, rows))),
};

export const feedRows = (text: string, { format, rows }: DeclaredFeed, context: RowsContext): readonly FeedRow[] =>
  READERS[format](text, rows, context);

export const tableRows = (tables: readonly Table[], { columns = [], title }: FeedRows): readonly FeedRow[] =>
  tablesWith(tables, ...columns).flatMap((table) => {
    const named = title !== undefined && table.title !== undefined ? { [title]: table.title } : {};
    return table.rows.map((row) => fromTable(row, named));
  });

/** `named`: what is stated of the whole table, by the column under which it is read. */
function fromTable(row: TableRow, named: Readonly<Record<string, string>> = {}): FeedRow {
  return {
    where: row.where,
    cell(columns, optional = false) {
      const stated = [columns].flat().find((name) => Object.hasOwn(named, name));
      if (stated !== undefined) return { text: named[stated] ?? "", where: row.where };
      const names = [columns].flat().filter((name) => row.has(name));
      if (names.length === 0 && optional) return undefined;
      for (const name of names) {
        const text = row.maybe(name);
        if (text !== undefined) return { text, where: `${row.where}, ${name}` };
      }
      if (names.length === 0) row.cell(...[columns].flat());
      return undefined;
    },
  };
}

function located(
  root: FeedLocation,
  { path = "", key, above, only }: FeedRows,
  { part, onNewKey }: RowsContext,
): readonly FeedRow[] {
  let places: readonly Place[] = [{ row: root, extra: part === undefined ? [] : [["part", part]] }];
  for (const step of path.split("/").slice(1))
    places = places.flatMap(({ row, extra }) => {
      const cells = above !== undefined && isRecord(row.value) && row.has(above) ? [cellOf(row, above)] : [];
      return (step === "*" ? row.values() : [row.get(step)]).map((next) => ({
        row: next,
        extra: [...extra, ...cells],
      }));
    });
  const rows = key === undefined ? places : places.flatMap((place) => named(place, key));
  if (only)
    newKeys(
      rows.map(({ row }) => row),
      only,
    ).forEach(onNewKey);
  return rows.map(({ row, extra: cells }) => fromLocation(row, new Map(cells)));
}

/** A value with the cells that its row has besides its own. */
interface Place {
  readonly row: FeedLocation;
  readonly extra: readonly (readonly [string, string])[];
}
const cellOf = (row: FeedLocation, name: string) => [name, row.get(name).scalar()] as const;
const named = ({ row, extra }: Place, key: string): readonly Place[] =>
  row.entries().map(([name, value]) => ({ row: value, extra: [...extra, [key, name]] }));

function fromLocation(row: FeedLocation, extra: ReadonlyMap<string, string>): FeedRow {
  return {
    where: row.where,
    cell(columns, optional = false) {
      const names = [columns].flat();
      for (const name of names) {
        const own = extra.get(name);
        if (own !== undefined) return { text: own, where: row.where };
        const cell = row.maybe(name);
        if (cell) return { text: cell.scalar(), where: cell.where };
      }
      // A key that every row has: renamed, its date must not vanish silently.
      if (!optional && !names.some((name) => row.has(name))) row.get(names[0] ?? "");
      return undefined;
    },
  };
}

/** The rows of a block, one after the other and nothing else: for example a table in the code of a program. */
function blockRows(text: string, { block = "", row = "", columns = [] }: FeedRows): readonly FeedRow[] {
  const body = new RegExp(block, "ms").exec(completeLines(text).join("\n"))?.[1];
  if (body === undefined) throw feedChanged("/", `a block ${block}`);
  const pattern = new RegExp(row, "y");
  const rows: FeedRow[] = [];
  while (pattern.lastIndex < body.length) {
    const where = `row ${rows.length + 1}`;
    const [whole = "", ...cells] = pattern.exec(body) ?? [];
    if (whole === "") throw feedChanged(where, `a row ${row}`);
    rows.push(fromCells({ where, cells: new Map(columns.flat().map((name, at) => [name, cells[at] ?? ""])) }));
  }
  return rows;
}

interface CellRow {
  readonly where: string;
  readonly cells: ReadonlyMap<string, string>;
}

function fromCells({ where, cells }: CellRow): FeedRow {
  return {
    where,
    cell(columns, optional = false) {
      const names = [columns].flat();
      const name = names.find((each) => (cells.get(each) ?? "") !== "");
      if (name !== undefined) return { text: cells.get(name) ?? "", where: `${where}/${name}` };
      if (!optional && !names.some((each) => cells.has(each)))
        throw feedChanged(where, `a column ${names.join(" or ")}`);
      return undefined;
    },
  };
}

function withPairs({ where, cells }: CellRow, { pairs }: FeedRows): CellRow {
  if (pairs === undefined) return { where, cells };
  const parts = (cells.get(pairs.column) ?? "").split(new RegExp(pairs.between));
  const found = parts.flatMap((part): [string, string][] => {
    const [, name, value] = /^\s*([^:]+?)\s*:\s*(.*?)\s*$/s.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name, /^n\/a$/i.test(value) ? "" : value]];
  });
  return { where, cells: new Map([...cells, ...found]) };
}
