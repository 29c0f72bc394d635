/** What `--baseline` and `--forecast` add to a scan, each loaded only when asked for. */
import type { Baseline } from "../core/compare/baseline.ts";
import type { BesideSetting } from "../operations/beside.ts";
import { readInput } from "../operations/input.ts";
import type { DocumentSetting } from "../operations/scan.ts";
import type { Io } from "./io.ts";
import { monthsOf } from "./span.ts";
import type { Settings } from "./workspace.ts";
import { text } from "./workspace.ts";

/** How far ahead, when a calendar is asked for and nothing is said. */
const CALENDAR_SPAN = "12m";

/** Checked before any work is done. `calendar`: some output is a calendar, which has nothing but the forecast to show. */
export function plannedMonths({ values }: Settings, calendar: boolean): number | undefined {
  const said = text(values["forecast"]) ?? (calendar ? CALENDAR_SPAN : undefined);
  return said === undefined ? undefined : monthsOf(said, "--forecast");
}

export async function foreseer(
  { policy, asOf }: Settings,
  months: number | undefined,
): Promise<BesideSetting["foresee"]> {
  if (months === undefined) return undefined;
  const { forecast } = await import("../core/compare/forecast.ts");
  return (findings) => forecast(findings, policy, asOf, months);
}

export async function openBaseline(
  io: Io,
  { values }: Settings,
  setting: DocumentSetting,
): Promise<Baseline | undefined> {
  const file = text(values["baseline"]);
  if (file === undefined) return undefined;
  const { readBaseline } = await import("../operations/baseline.ts");
  return readBaseline(await readInput(file, io.cwd, io.stdin), setting);
}
