/** What turns red, as a table of the HTML report. */
import type { Report } from "../../core/model.ts";
import { html as text } from "../escape.ts";
import { link, scrolling } from "../html/parts.ts";
import { forecastTitle, turnComponents, turnDistance, turnReason, turnSubject } from "./words.ts";

/** Components named of each line. */
const NAMED = 5;

export function forecastPart({ forecast, links }: Report): string {
  if (forecast === undefined) return "";
  const head = `<section><h2>Forecast</h2><p>${text(forecastTitle(forecast))}</p>`;
  if (forecast.turns.length === 0) return `${head}</section>`;
  const rows = forecast.turns.map((turn) => {
    const line = turn.ruling.assessment?.line;
    const cells = [
      `<time datetime="${turn.day}">${turn.day}</time>`,
      text(turnDistance(forecast, turn)),
      link(turnSubject(turn), line ? links.scoreCard(line) : null),
      text(turnReason(turn)),
      `<code>${text(turnComponents(turn, NAMED))}</code>`,
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const table = `<table><thead><tr><th>First red day</th><th>From now</th><th>Line</th><th>Why</th><th>Components</th></tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table>`;
  return `${head}${scrolling("Forecast", table)}</section>`;
}
