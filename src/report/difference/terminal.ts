/** `eolgate diff` for people at a terminal. */
import { truncate, escapeTerminal } from "../escape.ts";
import type { TerminalOptions } from "../reporter.ts";
import { paint } from "../terminal/paint.ts";
import { formatNumber } from "../../core/messages/format.ts";
import { type DifferenceReport, differenceRows, differenceTitle } from "./labels.ts";

const COMPONENT = 40;
const LINE = 30;

export function differenceTable({ difference, asOf, exit }: DifferenceReport, options: TerminalOptions): string {
  const palette = paint(options);
  const { rows, untold } = differenceRows(difference);
  const shown = rows.map(({ sign, state, component, cycle, words }) =>
    `  ${palette.glyph(state)} ${sign} ${column(component, COMPONENT)}${palette.dim(column(cycle, LINE))}${palette.state(state, escapeTerminal(words))}`.trimEnd(),
  );
  return [
    "",
    `  ${palette.bold(escapeTerminal(`${difference.old} → ${difference.new}`))}  ${palette.dim(`as of ${asOf}`)}`,
    ...(shown.length > 0 ? ["", ...shown] : []),
    ...(untold > 0 ? ["", `  ${palette.dim(`· ${formatNumber(untold)} more not tracked`)}`] : []),
    "",
    `  ${differenceTitle(difference)}`,
    `  ${palette.dim("exit")}  ${exit.code} ${escapeTerminal(exit.name)}: ${escapeTerminal(exit.why)}`,
    "",
    "",
  ].join("\n");
}

function column(text: string, width: number): string {
  return escapeTerminal(truncate(text, width)).padEnd(width + 2);
}
