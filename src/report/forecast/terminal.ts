/** What turns red, below the table of the report. */
import type { Forecast } from "../../core/model.ts";
import { cut, terminal } from "../escape.ts";
import { type Paint, wrap } from "../terminal/paint.ts";
import { forecastTitle, turnComponents, turnDistance, turnReason, turnSubject } from "./words.ts";

/** Width of the day and of the distance. */
const DAY = 12;
const DISTANCE = 14;

export function forecastLines(forecast: Forecast, width: number, paint: Paint): string {
  const title = `  ${paint.bold("Forecast")}  ${paint.dim(forecastTitle(forecast))}`;
  const rows = forecast.turns.flatMap((turn) => {
    const line = terminal(cut(turnSubject(turn), 40));
    const facts = terminal(`${turnReason(turn)}: ${turnComponents(turn)}`);
    const [first = "", ...more] = wrap(`${line}  ${facts}`, Math.max(width - DAY - DISTANCE - 4, 30));
    const head = `  ${paint.state("fail", turn.day.padEnd(DAY))}${paint.dim(turnDistance(forecast, turn).padEnd(DISTANCE))}`;
    return [`${head}${first}`, ...more.map((rest) => `${" ".repeat(DAY + DISTANCE + 2)}${rest}`)];
  });
  return [title, ...(rows.length > 0 ? ["", ...rows] : [])].join("\n");
}
