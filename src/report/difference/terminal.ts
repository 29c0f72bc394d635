/** `eolgate diff` for people at a terminal. */
import { truncate, escapeTerminal } from "../escape.ts";
import type { TerminalOptions } from "../reporter.ts";
import { paint } from "../terminal/paint.ts";
import { formatNumber } from "../../messages/format.ts";
import { type DifferenceReport, differenceRows, differenceTitle } from "./labels.ts";

const COMPONENT_WIDTH = 40;
const CYCLE_WIDTH = 30;

export function differenceTable({ difference, asOf, exit }: DifferenceReport, options: TerminalOptions): string {
  const palette = paint(options);
  const { rows, notTracked } = differenceRows(difference);
  const shown = rows.map(({ sign, state, component, cycle, description }) =>
    `  ${palette.glyph(state)} ${sign} ${column(component, COMPONENT_WIDTH)}${palette.dim(column(cycle, CYCLE_WIDTH))}${palette.state(state, escapeTerminal(description))}`.trimEnd(),
  );
  return [
    "",
    `  ${palette.bold(escapeTerminal(`${difference.old} → ${difference.new}`))}  ${palette.dim(`as of ${asOf}`)}`,
    ...(shown.length > 0 ? ["", ...shown] : []),
    ...(notTracked > 0 ? ["", `  ${palette.dim(`· ${formatNumber(notTracked)} more not tracked`)}`] : []),
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
