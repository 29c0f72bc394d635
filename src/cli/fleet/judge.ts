/** One document of a run over many: judged, written where each document has its own report, and shortened to a summary. */
import { checkDocuments, type CheckContext } from "../../api/check.ts";
import { summarizeDocument, type DocumentSummary } from "../../core/policy/run-summary.ts";
import type { Catalogue, Report } from "../../core/model.ts";
import { VERSION } from "../../platform/version.ts";
import { documentLines } from "../../report/ndjson.ts";
import { openBackend } from "../backend.ts";
import type { Invocation } from "../command.ts";
import type { Settings } from "../config.ts";
import { writeDocumentReports, type DocumentReportFile } from "../document-reports.ts";
import { checkTargets, collectInputs } from "../inputs.ts";

export interface JudgedFile {
  readonly summary: DocumentSummary;
  /** The document's lines for a format that is written document by document; empty for the others. */
  readonly lines: string;
}

export interface JudgeOptions {
  readonly catalogue: Catalogue;
  readonly format: "ndjson" | "table";
  /** Reports that each document gets. */
  readonly reports: readonly DocumentReportFile[];
  readonly determineSupport: CheckContext["determineSupport"];
}

/** Judges files one after the other with everything that they share. */
export interface Judge {
  /** What the end of the report is made of. */
  readonly context: CheckContext;
  judge(file: string): Promise<JudgedFile>;
}

export async function createJudge(
  invocation: Invocation,
  settings: Settings,
  { catalogue, format, reports, determineSupport }: JudgeOptions,
): Promise<Judge> {
  const backend = await openBackend(invocation, settings, catalogue);
  const targets = checkTargets(invocation, settings);
  const context: CheckContext = {
    catalogue,
    policy: settings.policy,
    asOf: settings.asOf,
    assess: backend.assess,
    links: backend.links,
    settings: settings.inForce,
    tool: { name: "eolgate", version: VERSION },
    determineSupport,
  };
  const judge = async (file: string): Promise<JudgedFile> => {
    const { inputs } = await collectInputs(
      invocation,
      { ...targets, names: [file], stack: undefined, images: { ...targets.images, names: [] } },
      catalogue,
    );
    const report = await checkDocuments(inputs, context);
    await writeDocumentReports(invocation, settings, reports, report);
    return { summary: summaryOf(report), lines: format === "ndjson" ? linesOf(report) : "" };
  };
  return { context, judge };
}

const linesOf = (report: Report): string =>
  report.documents.map((document) => documentLines(report, document)).join("");

function summaryOf({ documents: [document], failed: [failed], policy }: Report): DocumentSummary {
  if (document !== undefined) return summarizeDocument(document, policy);
  if (failed !== undefined) return failed;
  throw new Error("a file gave neither a document nor an error");
}
