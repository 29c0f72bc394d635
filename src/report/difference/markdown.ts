/** `eolgate diff` for a pull-request comment. */
import { truncate, escapeMarkdown as text, escapeMarkdownCode as code } from "../escape.ts";
import { formatNumber } from "../../messages/format.ts";
import { type DifferenceReport, type DifferenceRow, differenceRows, differenceTitle } from "./labels.ts";

/** GitHub limits a comment to 65,536 characters. */
const MOST_ROWS = 100;
const ICONS: Readonly<Record<DifferenceRow["state"], string>> = { fail: "❌", warn: "⚠️", waived: "⚪", pass: "✅" };

export function differenceMarkdown({ difference, tool, asOf, exit }: DifferenceReport): string {
  const { rows, notTracked } = differenceRows(difference);
  const listed = rows.slice(0, MOST_ROWS);
  const more = rows.length - listed.length;
  const table = [
    "| | | Component | Release cycle | State |",
    "|---|---|---|---|---|",
    ...listed.map(
      ({ sign, state, component, cycle, description }) =>
        `| ${ICONS[state]} | ${sign} | ${code(truncate(component, 80))} | ${text(truncate(cycle, 80))} | ${text(description)} |`,
    ),
  ];
  const rest = [
    ...(more > 0 ? [`${formatNumber(more)} more rows`] : []),
    ...(notTracked > 0 ? [`${formatNumber(notTracked)} more components that are not tracked`] : []),
  ];
  return [
    `## ${exit.code === 0 ? "✅" : "❌"} ${differenceTitle(difference)}`,
    `${code(difference.old)} → ${code(difference.new)}`,
    ...(listed.length > 0 ? [table.join("\n")] : []),
    ...(rest.length > 0 ? [`${rest.join(", ")}.`] : []),
    `Exit ${exit.code}, ${text(exit.why)} · as of ${asOf} · ${tool.name} ${text(tool.version)}`,
  ]
    .join("\n\n")
    .concat("\n");
}
