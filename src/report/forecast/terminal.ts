/** The upcoming failures below the table of the report. */
import type { Forecast } from "../../model/index.ts";
import { truncate, escapeTerminal } from "../escape.ts";
import { type Paint, wrap } from "../terminal/paint.ts";
import { forecastTitle, failureComponents, failureDistance, failureReason, failureSubject } from "./labels.ts";

/** Columns of the day and of the distance. */
const DAY_WIDTH = 12;
const DISTANCE_WIDTH = 14;

export function forecastRows(forecast: Forecast, width: number, paint: Paint): string {
  const title = `  ${paint.bold("Forecast")}  ${paint.dim(forecastTitle(forecast))}`;
  const rows = forecast.failures.flatMap((failure) => {
    const subject = escapeTerminal(truncate(failureSubject(failure), 40));
    const facts = escapeTerminal(`${failureReason(failure)}: ${failureComponents(failure)}`);
    const [first = "", ...more] = wrap(`${subject}  ${facts}`, Math.max(width - DAY_WIDTH - DISTANCE_WIDTH - 4, 30));
    const head = `  ${paint.state("fail", failure.day.padEnd(DAY_WIDTH))}${paint.dim(failureDistance(forecast, failure).padEnd(DISTANCE_WIDTH))}`;
    return [`${head}${first}`, ...more.map((rest) => `${" ".repeat(DAY_WIDTH + DISTANCE_WIDTH + 2)}${rest}`)];
  });
  return [title, ...(rows.length > 0 ? ["", ...rows] : [])].join("\n");
}
