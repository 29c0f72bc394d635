/** Reports as plain objects, for callers of the library. */
import type { CheckResult, DocumentReport, DocumentResult, Report } from "../../model/index.ts";
import { rowsOfFindings } from "../../policy/rows.ts";
import { toParsedDocument, toPlainDocument } from "../../sbom/plain.ts";

export const toCheckResult = (report: Report): CheckResult => ({
  ...report,
  documents: report.documents.map(toDocumentResult),
});

/** Each finding has the component of the document, so that a caller can look one up by the other. */
function toDocumentResult({ digest, document: parsed, rows, ...report }: DocumentReport): DocumentResult {
  const document = toPlainDocument(parsed);
  const findings = document.components.map((component, index) => ({ ...rows.at(index), component }));
  return { ...report, digest: digest(), document, findings };
}

/** The input of the reporters, from what `check` returned. */
export const toReport = (result: CheckResult): Report => ({
  ...result,
  documents: result.documents.map(({ digest, document, findings, ...report }) => ({
    ...report,
    digest: () => digest,
    document: toParsedDocument(document),
    rows: rowsOfFindings(findings),
  })),
});
