/** Checks one subject of a run over many: writes the reports of its own, and reduces the result to a summary. */
import { checkDocuments, type CheckContext } from "../../api/check.ts";
import { summarizeReport, type DocumentSummary } from "../../policy/run-summary.ts";
import type { Catalogue, Report } from "../../model/index.ts";
import { VERSION } from "../../platform/version.ts";
import { documentLines, failedLine } from "../../report/ndjson.ts";
import { openBackend } from "../../shell/backend.ts";
import type { Invocation } from "../../shell/command.ts";
import type { Settings } from "../../shell/settings.ts";
import { withoutRepository } from "../../shell/without-repository.ts";
import { openSeal, reportCompleter, writeDocumentReports, type DocumentReportFile } from "../planned-outputs.ts";
import { labelsOf } from "../inputs/labels.ts";
import { checkTargets, collectInputs, type CollectedInputs } from "../inputs/targets.ts";

export interface CheckedFile {
  readonly summary: DocumentSummary;
  /** The document's lines in UTF-8 for a format that is written document by document; empty for the others. */
  readonly lines: Uint8Array<ArrayBuffer>;
}

export interface CheckerOptions {
  readonly catalogue: Catalogue;
  readonly format: "ndjson" | "table";
  readonly reports: readonly DocumentReportFile[];
  readonly determineSupport: CheckContext["determineSupport"];
  /** Reads the document of a name; by default a file. */
  readonly collect?: (name: string) => Promise<CollectedInputs>;
}

/** Checks files one after the other, with a shared context. */
export interface Checker {
  /** The context, for the end of the report. */
  readonly context: CheckContext;
  check(file: string): Promise<CheckedFile>;
}

export async function createChecker(
  invocation: Invocation,
  settings: Settings,
  {
    catalogue,
    format,
    reports,
    determineSupport,
    collect = fileReader(invocation, settings, catalogue),
  }: CheckerOptions,
): Promise<Checker> {
  const backend = await openBackend(invocation, settings, catalogue);
  const context: CheckContext = {
    catalogue,
    policy: settings.policy,
    asOf: settings.asOf,
    assess: backend.assess,
    links: backend.links,
    settings: settings.inForce,
    tool: { name: "eolgate", version: VERSION },
    determineSupport,
    labels: labelsOf(settings),
    without: withoutRepository(settings, catalogue, backend),
  };
  const formats = reports.map((report) => report.format);
  const sealing = await openSeal({ io: invocation.io, flags: {} }, settings, formats);
  const complete = reportCompleter(invocation.io, settings, { catalogue, ...sealing });
  const check = async (name: string): Promise<CheckedFile> => {
    const { inputs, folders } = await collect(name);
    const report = await checkDocuments(inputs, { ...context, folders });
    await writeDocumentReports(invocation, settings, reports, { report, complete });
    return { summary: summarizeReport(name, report), lines: encode(format === "ndjson" ? linesOf(report) : "") };
  };
  return { context, check };
}

function fileReader(invocation: Invocation, settings: Settings, catalogue: Catalogue) {
  const { asOf, images, exclude, mirrors } = checkTargets(invocation, settings);
  const noOther = { stack: undefined, asOf, images: { ...images, names: [] }, exclude, mirrors };
  return (name: string) => collectInputs(invocation, { ...noOther, names: [name] }, catalogue);
}

/** In a buffer of its own, which a thread can transfer without a copy. */
const encode = (lines: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(lines);

/**
 * The lines of a subject with the failures of its parts. A subject of which nothing could be read is listed at the end
 * of the run instead.
 */
const linesOf = (report: Report): string =>
  [
    ...report.documents.map((document) => documentLines(report, document)),
    ...(report.documents.length === 0 ? [] : report.failed.map(failedLine)),
  ].join("");
