/** The upcoming failures as a table of the HTML report. */
import type { Report } from "../../model/index.ts";
import { escapeHtml as text } from "../escape.ts";
import { link, scrolling } from "../html/parts.ts";
import { forecastTitle, failureComponents, failureDistance, failureReason, failureSubject } from "./labels.ts";

/** Number of components that are named for each cycle. */
const MAX_NAMES = 5;

export function forecastPart({ forecast, links }: Report): string {
  if (forecast === undefined) return "";
  const head = `<section><h2>Forecast</h2><p>${text(forecastTitle(forecast))}</p>`;
  if (forecast.failures.length === 0) return `${head}</section>`;
  const rows = forecast.failures.map((failure) => {
    const releaseCycle = failure.outcome.assessment?.releaseCycle;
    const cells = [
      `<time datetime="${failure.day}">${failure.day}</time>`,
      text(failureDistance(forecast, failure)),
      link(failureSubject(failure), releaseCycle ? links.scoreCard(releaseCycle) : null),
      text(failureReason(failure)),
      `<code>${text(failureComponents(failure, MAX_NAMES))}</code>`,
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const table = `<table><thead><tr><th>Fails from</th><th>From now</th><th>Release cycle</th><th>Reason</th><th>Components</th></tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table>`;
  return `${head}${scrolling("Forecast", table)}</section>`;
}
