/** What turns red, as a table below the report in a comment or summary. */
import type { Forecast } from "../../core/model.ts";
import { cut, markdown as text, markdownCode as code } from "../escape.ts";
import { forecastTitle, turnComponents, turnDistance, turnReason, turnSubject } from "./words.ts";

export function forecastSection(forecast: Forecast): string {
  const title = `### Forecast: ${text(forecastTitle(forecast))}`;
  if (forecast.turns.length === 0) return title;
  const rows = forecast.turns.map((turn) => {
    const cells = [
      turn.day,
      text(turnDistance(forecast, turn)),
      `**${text(turnSubject(turn))}**`,
      text(turnReason(turn)),
      code(cut(turnComponents(turn), 120)),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [title, "", "| First red day | | Line | Why | Components |", "|---|---|---|---|---|", ...rows].join("\n");
}
