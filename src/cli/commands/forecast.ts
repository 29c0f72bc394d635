/** `eolgate forecast`: lists by quarter what will fail. The list is no gate: a failure in it does not change the exit code. */
import { failureKey, forecast as forecastFindings } from "../../compare/forecast.ts";
import { addMonths } from "../../lifecycle/days.ts";
import type { DocumentReport, Report, UpcomingFailure } from "../../model/index.ts";
import { toFindings } from "../../policy/rows.ts";
import type { ForecastReport, LocatedFailure } from "../../report/forecast-list.ts";
import type { TerminalOptions } from "../../report/reporter.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { setting } from "../../shell/flag.ts";
import { deliver, terminalOptions } from "../../shell/output.ts";
import { readSettings, type Settings, stringValue } from "../../shell/settings.ts";
import {
  API_FLAG,
  AS_OF_FLAG,
  CATALOGUE_FLAGS,
  formatFlag,
  IMAGE_OPTION_FLAGS,
  INPUT_FLAGS,
  OUTPUT_FLAG,
  POLICY_FLAGS,
} from "../flags/check.ts";
import { checkTargets } from "../inputs/targets.ts";
import { monthsOf } from "../periods.ts";
import { formatFailedDocument } from "../start/format-error.ts";
import { assessTogether } from "./check.ts";

const forecast: CommandModule = {
  name: "forecast",
  arguments: "[targets...]",
  summary: "list by quarter what will fail: when, where, and what replaces it",
  flags: [
    setting("Over time:", "--within <span>", "the period: 6m, 2y (default: 12m)"),
    ...INPUT_FLAGS.filter(({ flags }) => !flags.startsWith("--github")),
    ...IMAGE_OPTION_FLAGS,
    ...POLICY_FLAGS,
    AS_OF_FLAG,
    ...CATALOGUE_FLAGS,
    formatFlag(["table", "markdown", "json"], "-f, "),
    OUTPUT_FLAG,
    API_FLAG,
  ],
  common: "--within --exclude --image --fail-on --as-of --config --format --output".split(" "),
  examples: [
    "eolgate forecast",
    "eolgate forecast bom.json --within 2y",
    "eolgate forecast . --format markdown -o plan.md",
  ],
  run,
};
export const commands: readonly CommandModule[] = [forecast];

async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const settings = await readSettings(invocation);
  const months = monthsOf(stringValue(settings.values["within"]) ?? "12m", "--within");
  const targets = checkTargets(invocation, settings);
  const catalogue = await openChosenCatalogue(io, settings);
  const file = stringValue(settings.values["output"]);
  const outputs = { needsDigests: false, paths: [file], documentReports: [], months: undefined };
  const { report } = await assessTogether(invocation, { settings, targets, outputs, catalogue });
  const write = await writer(stringValue(settings.values["format"]));
  await deliver(io, file, write(toForecast(report, settings, months), terminalOptions(io, file !== undefined)));
  for (const failed of report.failed) io.err(formatFailedDocument(failed));
  return report.exit.code === 1 ? 0 : report.exit.code;
}

function toForecast(report: Report, { policy, asOf }: Settings, months: number): ForecastReport {
  const found = report.documents.map((document) => ({
    document,
    failures: forecastFindings(toFindings(document.rows), policy, asOf, months).failures,
  }));
  return {
    from: asOf,
    until: addMonths(asOf, months),
    failures: merged(found),
    failing: report.documents.flatMap(failingCounts).reduce((sum, count) => sum + count, 0),
    unknown: report.verdict.coverage.notAssessed,
    advice: (releaseCycle) => report.advice?.(releaseCycle),
    tool: report.tool,
    links: report.links,
  };
}

const failingCounts = ({ rows }: DocumentReport): readonly number[] =>
  rows.counts().flatMap(({ value, count }) => (value.outcome.severity === "fail" ? [count] : []));

interface DocumentFailures {
  readonly document: DocumentReport;
  readonly failures: readonly UpcomingFailure[];
}

/** The same release cycle in several documents is one failure. */
function merged(found: readonly DocumentFailures[]): readonly LocatedFailure[] {
  const all = found.flatMap(({ document, failures }) =>
    failures.map((failure): LocatedFailure => ({ ...failure, files: [document.file] })),
  );
  return [...Map.groupBy(all, failureKey)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...more]]) => {
      if (first === undefined) return [];
      const same = [first, ...more];
      return { ...first, findings: same.flatMap((each) => each.findings), files: same.flatMap((each) => each.files) };
    });
}

type ForecastWriter = (report: ForecastReport, options: TerminalOptions) => string;

async function writer(format: string | undefined): Promise<ForecastWriter> {
  const { forecastJson, forecastMarkdown, forecastTable } = await import("../../report/forecast-list.ts");
  if (format === "json") return forecastJson;
  return format === "markdown" ? forecastMarkdown : forecastTable;
}
