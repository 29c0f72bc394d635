/**
 * CycloneDX VEX 1.6: one entry for each line that fails, warns or is waived, as CWE-1104 (use of unmaintained third-party
 * components), with the components it affects. A failing line is `exploitable` with the response to update, a warning
 * is `in_triage`, a waived one is accepted (`will_not_fix`) with the waiver's words.
 */
import type { Report } from "../core/model.ts";
import { truncate, escapeJson as escaped, singleLine, safeUrl } from "./escape.ts";
import { fingerprints } from "./fingerprint.ts";
import { cycleKey, pointerOf } from "./locations.ts";
import type { Reporter } from "./reporter.ts";
import { reportRows, type ReportRow, type ScanRows } from "./rows.ts";
import { ruleId } from "./sarif/rules.ts";
import { formatOutcome } from "./outcome-labels.ts";
import { CONDITION_LABELS } from "../core/messages/conditions.ts";
import { formatAdvice, formatEnd, formatProvenance, formatWaiver } from "./labels.ts";

export const vex: Reporter = (report) => {
  const parts = reportRows(report).map((scan) => scanPart(report, scan));
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
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

function scanPart(report: Report, { scan, rows }: ScanRows) {
  const fingerprint = fingerprints();
  const parts = rows
    .filter((row) => row.state !== "pass")
    .map((row) => {
      const refs = row.findings.map((finding) => ({
        finding,
        ref: fingerprint(finding, `${scan.file}|${ruleId(row)}`),
      }));
      return {
        components: refs.map(({ finding, ref }) => component(scan.file, finding, ref)),
        vulnerability: vulnerability(
          report,
          row,
          refs.map(({ ref }) => ref),
        ),
      };
    });
  return {
    components: parts.flatMap((part) => part.components),
    vulnerabilities: parts.map((part) => part.vulnerability),
  };
}

/** The schema allows no longer version. */
const LONGEST_VERSION = 1024;

function component(file: string, { component }: ReportRow["findings"][number], ref: string) {
  const { group, name, version, purls, kind } = component;
  const pointer = pointerOf(component);
  return {
    type: kind === "operating-system" ? "operating-system" : kind === "model" ? "machine-learning-model" : "library",
    "bom-ref": ref,
    ...(group === undefined ? {} : { group }),
    name,
    ...(version === undefined ? {} : { version: truncate(version, LONGEST_VERSION) }),
    ...(purls[0] === undefined ? {} : { purl: purls[0] }),
    properties: [
      { name: "eolgate:document", value: file },
      ...(pointer === null ? [] : [{ name: "eolgate:pointer", value: pointer }]),
      ...(component.bomRef === undefined ? [] : [{ name: "eolgate:bom-ref", value: component.bomRef }]),
    ],
  };
}

function vulnerability(report: Report, row: ReportRow, refs: readonly string[]) {
  const { assessment, outcome } = row;
  const advice = assessment ? formatAdvice(report.advice?.(assessment.releaseCycle), assessment) : "";
  const page = assessment ? safeUrl(report.links.scoreCard(assessment.releaseCycle)) : null;
  const source = assessment?.provenance.url ? safeUrl(assessment.provenance.url) : null;
  const detail = assessment
    ? `Support ${Object.values(formatEnd(assessment)).join(", ")}; date: ${formatProvenance(assessment.provenance)}`
    : CONDITION_LABELS[outcome.condition].title;
  return {
    id: assessment ? `EOL:${cycleKey(assessment.releaseCycle)}:${outcome.condition}` : `EOL:${ruleId(row)}`,
    source: { name: report.tool.name, ...(page === null ? {} : { url: page }) },
    ...(assessment && { ratings: [rating(report, assessment)] }),
    cwes: [1104],
    description: singleLine(formatOutcome(row, report.policy.warnDays)),
    detail: singleLine(detail),
    ...(advice === "" ? {} : { recommendation: singleLine(advice) }),
    ...(source === null ? {} : { advisories: [{ title: "Source of the end-of-life date", url: source }] }),
    analysis: analysis(row),
    affects: refs.map((ref) => ({ ref })),
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
  if (state === "waived" && outcome.waived)
    return { state: "exploitable", response: ["will_not_fix"], detail: singleLine(formatWaiver(outcome.waived)) };
  return state === "fail" ? { state: "exploitable", response: ["update"] } : { state: "in_triage" };
}
