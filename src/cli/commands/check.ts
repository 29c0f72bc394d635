/** `eolgate check`: reads, assesses, reports, and exits with the verdict. */
import { readFile } from "node:fs/promises";
import { normalize, resolve } from "node:path";
import { EolgateError } from "../../core/errors.ts";
import type { FailedDocument, Report } from "../../core/model.ts";
import { checkDocuments } from "../../api/check.ts";
import { writeOutput } from "../../platform/write-output.ts";
import type { ReportOptions } from "../../report/reporter.ts";
import { REPORTERS } from "../../report/reporters.ts";
import type { Invocation } from "../command.ts";
import { createForecaster, openBaseline, plannedMonths } from "../compare.ts";
import { deliver, parseReportFlag, reporterName, terminalOptions } from "../output.ts";
import { reportView } from "../view.ts";
import { openBackend } from "../backend.ts";
import { checkTargets, collectInputs } from "../inputs.ts";
import { formatError } from "../format-error.ts";
import { VERSION } from "../../platform/version.ts";
import { refuseOverwriting } from "../output-paths.ts";
import { withSupport } from "../signals.ts";
import type { Settings } from "../config.ts";
import { list, on, openCatalogue, readSettings, text } from "../config.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const settings = await readSettings(invocation);
  const targets = checkTargets(invocation, settings);
  const outputs = plannedOutputs(settings);
  if (on(settings.values["update"])) {
    const { updateBeforeRun } = await import("../update-before.ts");
    await updateBeforeRun(invocation, settings);
  }
  const catalogue = await openCatalogue(invocation, settings, { isNotedInReport: outputs.format === "table" });
  const backend = await openBackend(invocation, settings, catalogue);
  const { inputs, folders } = await collectInputs(invocation, targets, catalogue);
  refuseOverwriting(outputs.paths, inputs, settings, io.cwd);
  const { policy, asOf } = settings;
  const report = await withSupport(io, settings, async (determineSupport) => {
    const context = { catalogue, policy, asOf, assess: backend.assess, determineSupport };
    return checkDocuments(inputs, {
      ...context,
      tool: { name: "eolgate", version: VERSION },
      settings: settings.inForce,
      links: backend.links,
      folders,
      baseline: await openBaseline(io, settings, context),
      foresee: await createForecaster(settings, outputs.months),
    });
  });
  await write(invocation, settings, outputs, report);
  for (const failed of report.failed) io.err(formatError(inFile(failed)));
  return report.exit.code;
}

/** The file first, then the place in it. */
function inFile({ file, error }: FailedDocument): FailedDocument["error"] {
  return { ...error, where: error.where === undefined || error.where === file ? file : `${file}, ${error.where}` };
}

/** Checked before any work is done: a typo in `--report` must not cost a long scan. */
function plannedOutputs(settings: Settings) {
  const { values } = settings;
  const format = reporterName(text(values["format"]) ?? "table", "--format");
  const reports = list(values["report"]).map(parseReportFlag);
  const paths = [text(values["output"]), ...reports.map(({ path }) => path)];
  refuseOnePlaceTwice(paths);
  const calendar = [format, ...reports.map((report) => report.format)].includes("ics");
  return {
    format,
    reports,
    paths,
    view: reportView(settings),
    file: text(values["output"]),
    months: plannedMonths(settings, calendar),
  };
}

/** The second report would replace the first. Devices accept both. */
function refuseOnePlaceTwice(paths: readonly (string | undefined)[]): void {
  const files = paths.flatMap((path) => (path === undefined || path.startsWith("/dev/") ? [] : normalize(path)));
  const twice = files.find((path, index) => files.indexOf(path) !== index);
  if (twice === undefined) return;
  throw EolgateError.of("one-place-twice", {}, { where: twice });
}

async function write(
  { io }: Invocation,
  { values }: Settings,
  outputs: ReturnType<typeof plannedOutputs>,
  report: Report,
): Promise<void> {
  const details = on(values["details"]);
  const words = await templateText(io.cwd, text(values["template"]));
  const options = (toFile: boolean): ReportOptions => ({
    terminal: terminalOptions(io, toFile),
    details,
    view: outputs.view,
    ...(words !== undefined && { template: words }),
  });
  // Without a document the table would be empty; the errors are on standard error.
  if (outputs.format !== "table" || report.documents.length > 0) {
    const reporter = await REPORTERS[outputs.format].load();
    await deliver(io, outputs.file, reporter(report, options(outputs.file !== undefined)));
  }
  for (const { format, path } of outputs.reports) {
    const reporter = await REPORTERS[format].load();
    await writeOutput(resolve(io.cwd, path), reporter(report, options(true)));
  }
}

async function templateText(cwd: string, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readFile(resolve(cwd, file), "utf8").catch((cause: unknown) => {
    throw EolgateError.of("template-unreadable", {}, { where: file, cause });
  });
}
