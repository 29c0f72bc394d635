/** The upcoming failures as a table below the report in a comment or summary. */
import type { Forecast } from "../../model/index.ts";
import { truncate, escapeMarkdown as text, escapeMarkdownCode as code } from "../escape.ts";
import { forecastTitle, failureComponents, failureDistance, failureReason, failureSubject } from "./labels.ts";

export function forecastSection(forecast: Forecast): string {
  const title = `### Forecast: ${text(forecastTitle(forecast))}`;
  if (forecast.failures.length === 0) return title;
  const rows = forecast.failures.map((failure) => {
    const cells = [
      failure.day,
      text(failureDistance(forecast, failure)),
      `**${text(failureSubject(failure))}**`,
      text(failureReason(failure)),
      code(truncate(failureComponents(failure), 120)),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [title, "", "| Fails from | | Release cycle | Reason | Components |", "|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}
