/** A JSON report; that of one document has the fields of this document next to those of the run. */
export function singleReport(text: string) {
  const report = JSON.parse(text);
  return report.documents.length === 1 ? { ...report, ...report.documents[0] } : report;
}
