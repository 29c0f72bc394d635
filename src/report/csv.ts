/**
 * CSV (RFC 4180) of every component in scope, assessed or not, worst first. Cells are escaped so that spreadsheets do
 * not compute formulas.
 */
import type { Assessment, DocumentReport, Finding, Report } from "../model/index.ts";
import { firstDay } from "../lifecycle/days.ts";
import { whoMaintains } from "../lifecycle/gate.ts";
import { exploitable } from "../policy/deciding.ts";
import { dependencyPaths, type DependencyPaths } from "../sbom/graph/paths.ts";
import { reportNotes, type ReportNote } from "./notes.ts";
import { escapeCsv as field } from "./escape.ts";
import type { Reporter } from "./reporter.ts";
import { pathTo, pointerOf } from "./locations.ts";
import { findingRow, reportRows, type ReportRow, type ScanRows } from "./rows.ts";
import { formatOutcome } from "./labels.ts";
import { formatDate } from "../messages/format.ts";
import { formatEvidence } from "../messages/support.ts";

/** The input of a cell. */
interface CsvEntry {
  readonly scan: DocumentReport;
  readonly finding: Finding;
  readonly row: ReportRow;
  readonly paths: DependencyPaths;
  readonly report: Report;
  /** The assessment whose known exploited vulnerabilities count. */
  readonly counted: Assessment | undefined;
}
type Cell = string | number | boolean | null | undefined;

const COLUMNS: Readonly<Record<string, (entry: CsvEntry) => Cell>> = {
  document: ({ scan }) => scan.file,
  state: ({ row, finding }) =>
    finding.resolution.kind === "unmatched" && row.outcome.condition === "none" ? "not-assessed" : row.state,
  condition: ({ row }) => row.outcome.condition,
  component: ({ finding }) => finding.component.name,
  group: ({ finding }) => finding.component.group,
  version: ({ finding }) => finding.component.version,
  purl: ({ finding }) => finding.component.purls[0],
  product: ({ row }) => row.assessment?.releaseCycle.product,
  cycle: ({ row }) => row.assessment?.releaseCycle.cycle,
  matched_by: ({ finding: { resolution } }) =>
    resolution.kind === "resolved"
      ? resolution.matchedBy
      : resolution.kind === "distro-maintained"
        ? "distribution"
        : null,
  reason: ({ row }) => row.reason,
  status: ({ row }) => row.assessment?.status,
  eol_date: ({ row }) => (row.assessment?.eolDate ? formatDate(row.assessment.eolDate) : null),
  days_until_eol: ({ row }) => row.assessment?.daysUntilEol,
  days_past_eol: ({ row }) => row.assessment?.daysPastEol,
  support_end_date: ({ row }) => (row.assessment?.support.date ? formatDate(row.assessment.support.date) : null),
  support_track: ({ row }) => row.assessment?.support.track?.name,
  maintained_by: ({ finding }) => whoMaintains(finding),
  score: ({ row }) => row.assessment?.score,
  grade: ({ row }) => row.assessment?.grade,
  kev_exposed: ({ row, counted }) => row.assessment && counted?.kevExposed === true,
  kev_cves: ({ counted }) => counted?.kevEntries.map(({ cve }) => cve).join("; "),
  kev_ransomware: ({ counted }) => counted?.kevEntries.some(({ ransomware }) => ransomware),
  kev_affected: ({ counted }) => counted?.kevEntries.map(({ affected }) => affected).join("; "),
  kev_fixed_in: ({ counted }) => counted?.kevFixedIn,
  eol_date_source: ({ row }) => row.assessment?.provenance.source,
  eol_date_source_url: ({ row }) => row.assessment?.provenance.url,
  eol_date_verified_at: ({ row }) =>
    row.assessment?.provenance.verifiedAt && firstDay(row.assessment.provenance.verifiedAt),
  eol_date_confidence: ({ row }) => row.assessment?.provenance.confidence,
  licenses: ({ finding }) => finding.component.licenses.join("; "),
  scope: ({ finding }) => finding.component.scope,
  introduced_by: ({ finding, paths }) => pathTo(finding.component, paths).join(" > "),
  pointer: ({ finding }) => pointerOf(finding.component),
  waived_until: ({ row }) => row.outcome.waived?.expires,
  waiver_reason: ({ row }) => row.outcome.waived?.reason,
  support_level: ({ finding }) => finding.support?.level,
  support_reason: ({ finding }) => finding.support?.reason,
  last_release: ({ finding }) => finding.support?.lastRelease,
  replacement: ({ finding }) => finding.support?.replacement,
  support_evidence: ({ finding }) => finding.support?.evidence.map(formatEvidence).join("; "),
  support_evidence_url: ({ finding }) => finding.support?.evidence[0]?.url,
  message: ({ row, report }) => formatOutcome(row, report.policy.warnDays),
  subject: ({ scan }) => scan.subject.name,
  subject_group: ({ scan }) => scan.subject.group,
  subject_version: ({ scan }) => scan.subject.version,
  subject_supplier: ({ scan }) => scan.subject.supplier,
  serial_number: ({ scan }) => scan.subject.serialNumber,
  image_digest: ({ scan }) => scan.subject.imageDigest,
  labels: ({ scan }) =>
    Object.entries(scan.labels)
      .map((label) => label.join("="))
      .join("; "),
};

export const csv: Reporter = (report) => {
  const scans = reportRows(report, Number.MAX_SAFE_INTEGER);
  const lines = [
    Object.keys(COLUMNS).join(","),
    ...scans.flatMap((scan) => records(report, scan)),
    ...reportNotes(report).map(noteRecord),
  ];
  return `${lines.join("\r\n")}\r\n`;
};

function records(report: Report, { scan, rows, unmatched }: ScanRows): readonly string[] {
  const paths = dependencyPaths(scan.document);
  const findings = [...rows.flatMap((row) => row.findings), ...unmatched.flatMap((each) => each.examples)];
  return findings.map((finding) =>
    record({ scan, finding, row: findingRow(finding), paths, report, counted: exploitable(finding, report.policy) }),
  );
}

const record = (entry: CsvEntry): string =>
  Object.values(COLUMNS)
    .map((cell) => field(String(cell(entry) ?? "")))
    .join(",");

/** A note is about no component, so all other cells are empty. */
function noteRecord({ group, kind, file, text }: ReportNote): string {
  const cells: Readonly<Record<string, string>> = {
    document: file,
    state: group,
    condition: kind,
    message: text,
  };
  return Object.keys(COLUMNS)
    .map((name) => field(cells[name] ?? ""))
    .join(",");
}
