/** The upcoming failures as a table below the report in a comment or summary. */
import type { Forecast } from "../../core/model.ts";
import { truncate, escapeMarkdown as text, escapeMarkdownCode as code } from "../escape.ts";
import { forecastTitle, failureComponents, failureDistance, failureReason, failureSubject } from "./labels.ts";

export function forecastSection(forecast: Forecast): string {
  const title = `### Forecast: ${text(forecastTitle(forecast))}`;
  if (forecast.failures.length === 0) return title;
  const rows = forecast.failures.map((turn) => {
    const cells = [
      turn.day,
      text(failureDistance(forecast, turn)),
      `**${text(failureSubject(turn))}**`,
      text(failureReason(turn)),
      code(truncate(failureComponents(turn), 120)),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [title, "", "| Fails from | | Release cycle | Reason | Components |", "|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}
