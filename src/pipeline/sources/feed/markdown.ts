/** The pipe tables of a Markdown page (GitHub flavour), indented ones included. */
import { feedChanged, completeLines } from "./feed-changed.ts";
import { makeTable } from "./table.ts";
import type { Table } from "./table.ts";

const isRow = (line: string | undefined): line is string => line !== undefined && /^\s*\|.*\|\s*$/.test(line);
const isRule = (line: string | undefined): boolean =>
  line !== undefined && /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?$/.test(line);

/** What a reader sees of a cell or a heading: links by their text, without emphasis, tags and escapes. */
function seen(cell: string): string {
  return cell
    .replace(/<[^>]*>/g, " ")
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/&nbsp;/g, " ")
    .replace(/[*`]|~~/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

const cells = (line: string): readonly string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map(seen);

export function markdownTables(text: string): readonly Table[] {
  const lines = completeLines(text);
  const tables: Table[] = [];
  let title: string | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const heading = lines[index];
    title = titleOf(heading) ?? title;
    if (!isRow(heading) || !isRule(lines[index + 1])) continue;
    const rows = [];
    for (index += 2; isRow(lines[index]); index += 1) {
      rows.push({ where: `line ${String(index + 1)}`, cells: cells(lines[index] ?? "") });
    }
    // A row that opens and never closes is a table that was cut off.
    if (/^\s*\|/.test(lines[index] ?? "")) throw feedChanged(`line ${String(index + 1)}`, "a whole row of the table");
    tables.push(lazyTable(title, cells(heading), rows));
  }
  return tables;
}

/** The text of a heading of the page: `### [Package](/page)`. */
function titleOf(line: string | undefined): string | undefined {
  const text = /^#{1,6}\s+(.+?)\s*#*$/.exec(line ?? "")?.[1];
  return text === undefined ? undefined : seen(text);
}

/** Other tables of the page may be ragged: only the one that is requested is checked. */
function lazyTable(
  title: string | undefined,
  headings: readonly string[],
  rows: Parameters<typeof makeTable>[1],
): Table {
  let table: Table | undefined;
  return {
    ...(title !== undefined && { title }),
    headings,
    get rows() {
      table ??= makeTable(headings, rows);
      return table.rows;
    },
  };
}
