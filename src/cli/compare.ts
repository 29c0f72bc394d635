/** `--baseline` and `--forecast` of a check. Their modules are loaded on demand. */
import type { Baseline } from "../compare/difference.ts";
import type { SupplementOptions } from "../api/supplements.ts";
import { readInput } from "../api/input.ts";
import type { DocumentContext } from "../api/check.ts";
import type { ProcessContext } from "./process-context.ts";
import { monthsOf } from "./span.ts";
import type { Settings } from "./config.ts";
import { stringValue } from "./config.ts";

/** The period of the forecast if a calendar is requested without one. */
const CALENDAR_SPAN = "12m";

/**
 * The length of the forecast in months; undefined without one. `calendar`: whether an output is a calendar, which needs
 * a forecast.
 */
export function plannedMonths({ values }: Settings, calendar: boolean): number | undefined {
  const span = stringValue(values["forecast"]) ?? (calendar ? CALENDAR_SPAN : undefined);
  return span === undefined ? undefined : monthsOf(span, "--forecast");
}

export async function createForecaster(
  { policy, asOf }: Settings,
  months: number | undefined,
): Promise<SupplementOptions["forecast"]> {
  if (months === undefined) return undefined;
  const { forecast } = await import("../compare/forecast.ts");
  return (findings) => forecast(findings, policy, asOf, months);
}

export async function openBaseline(
  io: ProcessContext,
  { values }: Settings,
  context: DocumentContext,
): Promise<Baseline | undefined> {
  const file = stringValue(values["baseline"]);
  if (file === undefined) return undefined;
  const { readBaseline } = await import("../api/baseline.ts");
  return readBaseline(await readInput(file, io.cwd, io.stdin), context);
}
