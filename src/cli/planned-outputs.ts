/**
 * The outputs of a check, read from its settings before any work is done, so that a typo is reported before a long run.
 */
import { normalize } from "node:path";
import { EolgateError } from "../messages/error.ts";
import type { ReporterRow } from "../report/reporter.ts";
import { REPORTERS, type ReporterName } from "../report/reporters.ts";
import { plannedMonths } from "./compare.ts";
import { list, text } from "./config.ts";
import type { Settings } from "./config.ts";
import { isPerDocument, type DocumentReportFile } from "./document-reports.ts";
import { parseReportFlag, reporterName } from "./output.ts";
import { reportView } from "./view.ts";

export interface PlannedOutputs {
  readonly format: ReporterName;
  /** Undefined for standard output. */
  readonly file: string | undefined;
  /** Reports of the whole run. */
  readonly reports: readonly DocumentReportFile[];
  /** Reports that are written for each document. */
  readonly documentReports: readonly DocumentReportFile[];
  /** Every path of the whole run. */
  readonly paths: readonly (string | undefined)[];
  /** Length of the forecast in months; undefined without a forecast. */
  readonly months: number | undefined;
  /** A report shows the digests of documents. */
  readonly needsDigests: boolean;
}

/** Throws `invalid-value`, `invalid-usage` and the errors of `--forecast`. */
export function planOutputs(settings: Settings): PlannedOutputs {
  const { values } = settings;
  const format = reporterName(text(values["format"]) ?? "table", "--format");
  const all = list(values["report"]).map(parseReportFlag);
  const reports = all.filter((report) => !isPerDocument(report));
  const file = text(values["output"]);
  const paths = [file, ...reports.map(({ path }) => path)];
  refuseSamePath([...paths, ...all.filter(isPerDocument).map(({ path }) => path)]);
  reportView(settings);
  const formats = [format, ...all.map((report) => report.format)];
  return {
    format,
    file,
    reports,
    documentReports: all.filter(isPerDocument),
    paths,
    months: plannedMonths(settings, formats.includes("ics")),
    needsDigests: formats.some(showsDigests),
  };
}

function showsDigests(format: ReporterName): boolean {
  const row: ReporterRow = REPORTERS[format];
  return row.showsDigests === true;
}

/** The second report would replace the first. Devices accept both. */
function refuseSamePath(paths: readonly (string | undefined)[]): void {
  const files = paths.flatMap((path) => (path === undefined || path.startsWith("/dev/") ? [] : normalize(path)));
  const twice = files.find((path, index) => files.indexOf(path) !== index);
  if (twice === undefined) return;
  throw EolgateError.of(
    "invalid-usage",
    { problem: "two reports have the same output file", advice: "Use a different path for each report." },
    { where: twice },
  );
}
