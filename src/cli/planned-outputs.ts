/** What a check writes and where, read from its settings before any work is done: a typo must not cost a long run. */
import { normalize } from "node:path";
import { EolgateError } from "../core/errors.ts";
import type { ReporterName } from "../report/reporters.ts";
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
  /** Reports of which each document has its own. */
  readonly documentReports: readonly DocumentReportFile[];
  /** Every path of the whole run. */
  readonly paths: readonly (string | undefined)[];
  /** How far a forecast looks ahead; undefined without one. */
  readonly months: number | undefined;
}

/** Throws `unknown-format`, `bad-report`, `one-place-twice`, `bad-top` and the errors of `--forecast`. */
export function planOutputs(settings: Settings): PlannedOutputs {
  const { values } = settings;
  const format = reporterName(text(values["format"]) ?? "table", "--format");
  const all = list(values["report"]).map(parseReportFlag);
  const reports = all.filter((report) => !isPerDocument(report));
  const file = text(values["output"]);
  const paths = [file, ...reports.map(({ path }) => path)];
  refuseOnePlaceTwice([...paths, ...all.filter(isPerDocument).map(({ path }) => path)]);
  reportView(settings);
  const calendar = [format, ...all.map((report) => report.format)].includes("ics");
  return {
    format,
    file,
    reports,
    documentReports: all.filter(isPerDocument),
    paths,
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
