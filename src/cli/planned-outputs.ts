/**
 * The outputs of a check, read from its settings before any work is done, so that a typo is reported before a long run;
 * the reports of each document (`--report html=reports/{document}.html`); and what must not be overwritten.
 */
import { normalize, dirname, resolve } from "node:path";
import { EolgateError } from "../messages/error.ts";
import type { ReporterRow } from "../report/reporter.ts";
import { REPORTERS, type ReporterName } from "../report/reporters.ts";
import { monthsOf } from "./periods.ts";
import { requireReplaceable } from "../shell/config-file.ts";
import { listValue, stringValue, type Settings } from "../shell/settings.ts";
import { parseReportFlag, reporterName, reportOptions, reportView } from "../shell/output.ts";
import type { Invocation } from "../shell/command.ts";
import { mkdir } from "node:fs/promises";
import { documentReports, type SupplementOptions } from "../api/check.ts";
import type { Report, StatementParts } from "../model/index.ts";
import { writeOutput } from "../platform/replace-file.ts";
import { fileIdentity } from "../platform/file-status.ts";

export interface PlannedOutputs {
  readonly format: ReporterName;
  /** Undefined for standard output. */
  readonly file: string | undefined;
  /** Reports of the whole run. */
  readonly reports: readonly DocumentReportFile[];
  readonly documentReports: readonly DocumentReportFile[];
  /** Every path of the whole run. */
  readonly paths: readonly (string | undefined)[];
  /** Length of the forecast in months; undefined without a forecast. */
  readonly months: number | undefined;
  /** The formats of all reports. */
  readonly formats: readonly ReporterName[];
  /** A report shows the digests of documents. */
  readonly needsDigests: boolean;
  /** A report of the whole run is a statement about its verdict. */
  readonly needsStatement: boolean;
}

/** Throws `invalid-value`, `invalid-usage` and the errors of `--forecast`. */
export function planOutputs(settings: Settings, cwd: string): PlannedOutputs {
  const { values } = settings;
  const format = reporterName(stringValue(values["format"]) ?? "table", "--format");
  const all = listValue(values["report"]).map(parseReportFlag);
  const reports = all.filter((report) => !isPerDocument(report));
  const file = stringValue(values["output"]);
  const paths = [file, ...reports.map(({ path }) => path)];
  refuseSamePath([...paths, ...all.filter(isPerDocument).map(({ path }) => path)]);
  for (const report of reports) requireReplaceable(report, cwd, settings.reportFolder);
  reportView(settings);
  const formats = [format, ...all.map((report) => report.format)];
  return {
    format,
    file,
    reports,
    documentReports: all.filter(isPerDocument),
    paths,
    months: plannedMonths(settings, formats.includes("ics")),
    formats,
    needsDigests: formats.some((each) => rowOf(each).showsDigests === true),
    needsStatement: [format, ...reports.map((report) => report.format)].some(needsStatement),
  };
}

/** The period of the forecast if a calendar is requested without one. */
const CALENDAR_SPAN = "12m";

/**
 * The length of the forecast in months; undefined without one. `calendar`: whether an output is a calendar, which needs
 * a forecast.
 */
function plannedMonths({ values }: Settings, calendar: boolean): number | undefined {
  const span = stringValue(values["forecast"]) ?? (calendar ? CALENDAR_SPAN : undefined);
  return span === undefined ? undefined : monthsOf(span, "--forecast");
}

const rowOf = (format: ReporterName): ReporterRow => REPORTERS[format];
const needsStatement = (format: ReporterName): boolean => rowOf(format).needsStatement === true;

/** The second report would replace the first. Devices accept both. */
function refuseSamePath(paths: readonly (string | undefined)[]): void {
  const files = paths.flatMap((path) => (path === undefined || path.startsWith("/dev/") ? [] : normalize(path)));
  const twice = files.find((path, index) => files.indexOf(path) !== index);
  if (twice !== undefined) throw samePath(twice);
}

const samePath = (path: string): EolgateError =>
  EolgateError.of("invalid-usage", {
    problem: "two reports have the same output file",
    advice: "Use a different path for each report.",
  }).at(path);

/** A report for each document; the path contains `{document}`. */
export interface DocumentReportFile {
  readonly format: ReporterName;
  readonly path: string;
}

const PLACEHOLDER = "{document}";

export const isPerDocument = ({ path }: DocumentReportFile): boolean => path.includes(PLACEHOLDER);

/**
 * The function that signs statements; undefined without a key. A key in the variable has no effect on a check without a
 * statement, which may be one of many in a pipeline.
 * @throws EolgateError `invalid-usage`, `bad-key`, `config-unreadable`
 */
export async function openSeal(
  { io, flags }: Pick<Invocation, "io" | "flags">,
  { values }: Pick<Settings, "values">,
  formats: readonly ReporterName[],
): Promise<Pick<StatementParts, "seal">> {
  const file = stringValue(values["attestKey"]);
  if (file === undefined) return {};
  if (formats.some(needsStatement)) {
    const { privateKey } = await import("../shell/catalogue-file.ts");
    const { sealWith, VERDICT_KEYS } = await import("../attest/sign.ts");
    return { seal: sealWith(await privateKey(io, file, VERDICT_KEYS)) };
  }
  if (flags["attestKey"] === undefined) return {};
  throw EolgateError.of("invalid-usage", {
    problem: "--attest-key has no effect without a statement",
    advice: "Add --report in-toto=FILE.",
  }).at("check");
}

/** Adds what a statement about the verdict of a report needs. */
export type CompleteReport = (report: Report) => Promise<Report>;

/** Returns the function that completes the reports of a check. Its modules are loaded for a statement only. */
export function reportCompleter(
  { cwd }: Invocation["io"],
  { values }: Pick<Settings, "values">,
  context: Pick<SupplementOptions, "catalogue" | "baseline"> & Pick<StatementParts, "seal">,
): CompleteReport {
  const isRemote = stringValue(values["api"]) !== undefined;
  return async (report) => (await import("../api/statement.ts")).withStatement(report, { ...context, cwd, isRemote });
}

/**
 * Writes the reports of each document, and creates their folders.
 * @throws EolgateError `not-written`
 */
export async function writeDocumentReports(
  { io }: Invocation,
  settings: Settings,
  files: readonly DocumentReportFile[],
  { report, complete }: { readonly report: Report; readonly complete: CompleteReport },
): Promise<void> {
  if (files.length === 0) return;
  const options = await reportOptions(io, settings, true);
  for (const single of documentReports(report)) {
    for (const { format, path } of files) {
      const reporter = await REPORTERS[format].load();
      const target = resolve(io.cwd, documentPath(path, single.documents[0]?.file ?? ""));
      requireReplaceable({ format, path: target }, io.cwd, settings.reportFolder);
      await mkdir(dirname(target), { recursive: true }).catch(() => undefined);
      await writeOutput(target, reporter(needsStatement(format) ? await complete(single) : single, options));
    }
  }
}

/** `reports/{document}.html` and `../api/bom.json` → `reports/api/bom.json.html`: a report never leaves its folder. */
export function documentPath(path: string, file: string): string {
  const inside = file
    .split(/[\\/]/)
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .map((part) => part.replaceAll(/[<>:"|?*\p{Cc}]/gu, "_"));
  return path.replaceAll(PLACEHOLDER, inside.join("/"));
}

/** Throws `invalid-usage` when two documents would be written to one path. */
export function refuseSharedPaths(files: readonly DocumentReportFile[], documents: readonly string[]): void {
  for (const { path } of files) {
    const seen = new Set<string>();
    for (const document of documents) {
      const target = documentPath(path, document);
      if (seen.has(target)) throw samePath(target);
      seen.add(target);
    }
  }
}

/** Settings that name a file to read, with the description for the error. */
const INPUT_SETTINGS = {
  baseline: "the baseline",
  catalogue: "the catalogue",
  ownCatalogue: "your own catalogue",
  attestKey: "the private key",
} as const;

/**
 * Throws `invalid-usage` when one of `outputs` is a file that the command reads, even by another name or through a
 * link. Paths are relative to `cwd`; undefined means standard output.
 */
export function refuseOverwriting(
  outputs: readonly (string | undefined)[],
  inputs: readonly { readonly file: string }[],
  { values, config }: Pick<Settings, "values" | "config">,
  cwd: string,
): void {
  const roles = new Map<string | undefined, string>();
  for (const { file } of inputs) roles.set(fileIdentity(resolve(cwd, file)), "a document that is checked");
  for (const [key, role] of Object.entries(INPUT_SETTINGS)) {
    const file = stringValue(values[key]);
    if (file !== undefined) roles.set(fileIdentity(resolve(cwd, file)), role);
  }
  if (config !== undefined) roles.set(fileIdentity(config.path), "the configuration file");
  roles.delete(undefined); // files that do not exist
  for (const path of outputs.filter((each) => each !== undefined)) {
    const role = roles.get(fileIdentity(resolve(cwd, path)));
    if (role !== undefined)
      throw EolgateError.of("invalid-usage", {
        problem: `the output would overwrite ${role}`,
        advice: "Write to another file.",
      }).at(path);
  }
}
