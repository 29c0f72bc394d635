/**
 * Lists for a terminal: the cycles of a product, products, a batch. Plain columns, for tools such as `cut` and `grep`.
 */
import type { Assessment } from "../../model/index.ts";
import { escapeTerminal } from "../escape.ts";
import type { TerminalOptions } from "../reporter.ts";
import { paint } from "../terminal/paint.ts";
import { formatEnd, formatCycle } from "../labels.ts";

/** Rows of text in aligned columns; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows
    .map((row) =>
      `  ${row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  ")}`.trimEnd(),
    )
    .join("\n");
}

/**
 * One line for each cycle: name, status, end, source, and the score. The score is last, because its colour codes would
 * disturb the columns.
 */
export function cycleList(assessments: readonly Assessment[], options: TerminalOptions): string {
  const palette = paint(options);
  return columns(
    assessments.map((of) => {
      const { when, distance } = formatEnd(of);
      const cells = [formatCycle(of), of.support.status, when, distance, of.provenance.source].map(escapeTerminal);
      return [...cells, palette.risk(of, true)];
    }),
  );
}

export interface ProductRow {
  readonly slug: string;
  readonly name: string;
  readonly category: string;
}

export function productList(rows: readonly ProductRow[]): string {
  return columns(
    rows.map(({ slug, name, category }) => [escapeTerminal(slug), escapeTerminal(name), escapeTerminal(category)]),
  );
}
