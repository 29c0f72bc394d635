/** The upcoming failures below the table of the report. */
import type { Forecast } from "../../core/model.ts";
import { truncate, escapeTerminal } from "../escape.ts";
import { type Paint, wrap } from "../terminal/paint.ts";
import { forecastTitle, failureComponents, failureDistance, failureReason, failureSubject } from "./labels.ts";

/** Width of the day and of the distance. */
const DAY = 12;
const DISTANCE = 14;

export function forecastRows(forecast: Forecast, width: number, paint: Paint): string {
  const title = `  ${paint.bold("Forecast")}  ${paint.dim(forecastTitle(forecast))}`;
  const rows = forecast.failures.flatMap((turn) => {
    const line = escapeTerminal(truncate(failureSubject(turn), 40));
    const facts = escapeTerminal(`${failureReason(turn)}: ${failureComponents(turn)}`);
    const [first = "", ...more] = wrap(`${line}  ${facts}`, Math.max(width - DAY - DISTANCE - 4, 30));
    const head = `  ${paint.state("fail", turn.day.padEnd(DAY))}${paint.dim(failureDistance(forecast, turn).padEnd(DISTANCE))}`;
    return [`${head}${first}`, ...more.map((rest) => `${" ".repeat(DAY + DISTANCE + 2)}${rest}`)];
  });
  return [title, ...(rows.length > 0 ? ["", ...rows] : [])].join("\n");
}
