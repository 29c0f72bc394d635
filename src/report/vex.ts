/**
 * CycloneDX VEX 1.6: one entry for each cycle that fails, warns or is waived, as CWE-1104 (use of unmaintained third-party
 * components), with the components it affects. The end of support is a risk and no exploit, so its state is `in_triage`;
 * `exploitable` are versions with a known exploited vulnerability. Components are referred to in the checked document by
 * BOM-Link (https://cyclonedx.org/capabilities/bomlink/) where it can be linked to, and repeated here where it cannot.
 */
import { percentEncode } from "../text/values.ts";
import type { Assessment, Report } from "../model/index.ts";
import { truncate, escapeJson as escaped, singleLine, safeUrl } from "./escape.ts";
import { cycleKey, fingerprints, hash, pointerOf } from "./locations.ts";
import type { Reporter } from "./reporter.ts";
import { reportRows, type ReportRow, type ScanRows } from "./rows.ts";
import { ruleId } from "./sarif.ts";
import { exploitationNote, formatEnd, formatOutcome, formatProvenance, formatWaiver, adviceOn } from "./labels.ts";
import { CONDITIONS } from "../policy/conditions.ts";

export const vex: Reporter = (report) => {
  const parts = reportRows(report).map((scan) => scanPart(report, scan));
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: serialNumber(report),
    version: 1,
    metadata: {
      timestamp: `${report.asOf}T00:00:00Z`,
      tools: { components: [{ type: "application", name: report.tool.name, version: report.tool.version }] },
      properties: [
        { name: "eolgate:verdict", value: report.verdict.value },
        { name: "eolgate:catalogue", value: report.catalogue.date },
      ],
    },
    components: parts.flatMap((part) => part.components),
    vulnerabilities: parts.flatMap((part) => part.vulnerabilities),
  };
  return `${escaped(JSON.stringify(document, null, 1))}\n`;
};

/** Equal for the same documents, catalogue, policy and day, so that the report is reproducible. */
export function serialNumber({ documents, catalogue, asOf, policy }: Report, format = "vex"): string {
  const subject = JSON.stringify([
    ...(format === "vex" ? [] : [format]),
    documents.map(({ digest }) => digest()),
    catalogue.digest,
    asOf,
    policy,
  ]);
  const digits = hash(subject) + hash(`${subject}|`);
  // RFC 9562, version 8: a custom layout. The variant takes the two highest bits of its group.
  const variant = "89ab"[Number.parseInt(digits[16] ?? "0", 16) % 4] ?? "8";
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
  ];
  return `urn:uuid:${groups.join("-")}-${digits.slice(20, 32)}`;
}

function scanPart(report: Report, { scan, rows }: ScanRows) {
  const fingerprint = fingerprints();
  const link = bomLinks(scan);
  const components: object[] = [];
  const vulnerabilities = rows
    .filter((row) => row.state !== "pass")
    .map((row) => {
      const refs = row.findings.map((finding) => {
        const linked = link(finding.component);
        if (linked !== undefined) return linked;
        const ref = fingerprint(finding, `${scan.file}|${ruleId(row)}`);
        components.push(component(scan.file, finding, ref));
        return ref;
      });
      return vulnerability(report, row, refs);
    });
  return { components, vulnerabilities };
}

type ScannedComponent = ReportRow["findings"][number]["component"];

/** BOM-Links to the components of a document; undefined for one that has no bom-ref of its own. */
function bomLinks({ document }: ScanRows["scan"]): (component: ScannedComponent) => string | undefined {
  const { format, serialNumber: serial, documentVersion = 1, components } = document;
  const uuid = /^urn:uuid:([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/i.exec(serial ?? "")?.[1];
  if (format !== "CycloneDX" || uuid === undefined) return () => undefined;
  const uses = new Map<string, number>();
  for (const { bomRef } of components) if (bomRef !== undefined) uses.set(bomRef, (uses.get(bomRef) ?? 0) + 1);
  // A bom-ref that occurs twice does not identify a component.
  return ({ bomRef }) =>
    bomRef !== undefined && uses.get(bomRef) === 1
      ? `urn:cdx:${uuid}/${documentVersion}#${percentEncode(bomRef.toWellFormed())}`
      : undefined;
}

/** The limit of the schema. */
const MAX_VERSION_LENGTH = 1024;

function component(file: string, { component }: ReportRow["findings"][number], ref: string) {
  const { group, name, version, purls, kind } = component;
  const pointer = pointerOf(component);
  return {
    type: kind === "operating-system" ? "operating-system" : kind === "model" ? "machine-learning-model" : "library",
    "bom-ref": ref,
    ...(group === undefined ? {} : { group }),
    name,
    ...(version === undefined ? {} : { version: truncate(version, MAX_VERSION_LENGTH) }),
    ...(purls[0] === undefined ? {} : { purl: purls[0] }),
    properties: [
      { name: "eolgate:document", value: file },
      ...(pointer === null ? [] : [{ name: "eolgate:pointer", value: pointer }]),
      ...(component.bomRef === undefined ? [] : [{ name: "eolgate:bom-ref", value: component.bomRef }]),
    ],
  };
}

function vulnerability(report: Report, row: ReportRow, refs: readonly string[]) {
  const { assessment } = row;
  const { id, page, ratings, detail, advice, advisories } =
    assessment === undefined ? withoutCycle(row) : ofCycle(report, row, assessment);
  return {
    id,
    source: { name: report.tool.name, ...(page === null ? {} : { url: page }) },
    ...(ratings && { ratings }),
    cwes: [1104],
    description: singleLine(formatOutcome(row, report.policy.warnDays)),
    detail: singleLine(detail),
    ...(advice === "" ? {} : { recommendation: singleLine(advice) }),
    ...(advisories && { advisories }),
    analysis: analysis(row),
    affects: refs.map((ref) => ({ ref })),
  };
}

interface CycleFields {
  readonly id: string;
  readonly page: string | null;
  readonly ratings?: readonly ReturnType<typeof rating>[];
  readonly detail: string;
  readonly advice: string;
  readonly advisories?: readonly { readonly title: string; readonly url: string }[];
}

const withoutCycle = (row: ReportRow): CycleFields => ({
  id: `EOL:${ruleId(row)}`,
  page: null,
  detail: CONDITIONS[row.outcome.condition].title,
  advice: "",
});

function ofCycle(report: Report, { outcome, findings }: ReportRow, assessment: Assessment): CycleFields {
  const { releaseCycle, provenance } = assessment;
  const source = provenance.url ? safeUrl(provenance.url) : null;
  return {
    id: `EOL:${cycleKey(releaseCycle)}:${outcome.condition}`,
    page: safeUrl(report.links.scoreCard(releaseCycle)),
    ratings: [rating(report, assessment)],
    detail: [
      `Support ${Object.values(formatEnd(assessment)).join(", ")}`,
      `date: ${formatProvenance(provenance)}`,
      ...exploitationNote(findings),
    ].join("; "),
    advice: adviceOn(report, { assessment }),
    ...(source === null ? {} : { advisories: [{ title: "Source of the end-of-life date", url: source }] }),
  };
}

const SEVERITIES = { Critical: "critical", High: "high", Medium: "medium", Low: "low" } as const;

function rating({ tool, links }: Report, { score, band, gradeLabel }: NonNullable<ReportRow["assessment"]>) {
  const methodology = safeUrl(links.methodology);
  return {
    source: { name: tool.name, ...(methodology === null ? {} : { url: methodology }) },
    score,
    severity: SEVERITIES[band],
    method: "other",
    justification: `EOL risk score, 0 to 100: ${gradeLabel}`,
  };
}

function analysis({ state, outcome }: ReportRow) {
  const analysed = outcome.condition === "kev" ? "exploitable" : "in_triage";
  if (state === "waived" && outcome.waived)
    return { state: analysed, response: ["will_not_fix"], detail: singleLine(formatWaiver(outcome.waived)) };
  return state === "fail" ? { state: analysed, response: ["update"] } : { state: analysed };
}
