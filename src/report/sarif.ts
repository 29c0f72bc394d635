/**
 * SARIF 2.1.0 for code-scanning views: a rule for each condition on each release cycle (so that its severity is the
 * cycle's score), a result for each component with its location in the document, waivers as suppressions.
 */
import { cycleKey } from "../text/ids.ts";
import type { Log, ReportingDescriptor, Result, Run } from "sarif";
import type { Assessment, DocumentReport, Finding, Policy, Report } from "../model/index.ts";
import { reportNotes } from "./notes.ts";
import { escapeJson as escaped, escapeMarkdown, safeUrl, singleLine } from "./escape.ts";
import { fileUri, fingerprints, pointerOf } from "./locations.ts";
import type { Reporter } from "./reporter.ts";
import { type ReportRow, type ScanRows, findingRow, reportRows } from "./rows.ts";
import { formatCycle, formatRisk, formatEnd, formatOutcome, formatWaiver, adviceOn, FACTORS } from "./labels.ts";
import { formatProvenance } from "../messages/provenance.ts";
import { formatDate, formatKev } from "../messages/format.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { exploitedBy, packageEndIn } from "../policy/deciding.ts";
import { REASON_LABELS } from "../messages/support.ts";

export const sarif: Reporter = (report) => {
  const scans = reportRows(report);
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [run(report, scans)],
  };
  return `${escaped(JSON.stringify(log, null, 1))}\n`;
};

function run(report: Report, scans: readonly ScanRows[]): Run {
  const rows = scans.flatMap((scan) => scan.rows.filter((row) => row.state !== "pass"));
  const rules = new Map(rows.map((row) => [ruleId(row), row]));
  const indexes = new Map([...rules.keys()].map((id, index) => [id, index]));
  return {
    tool: {
      driver: {
        name: report.tool.name,
        semanticVersion: report.tool.version,
        informationUri: report.links.docs,
        rules: [...rules.values()].map((row) => rule(report, row)),
      },
    },
    automationDetails: { id: `${report.tool.name}/` },
    columnKind: "utf16CodeUnits",
    invocations: [invocation(report)],
    artifacts: report.documents.map(({ file, digest }) => ({
      location: { uri: fileUri(file) },
      roles: ["analysisTarget"],
      hashes: { "sha-256": digest().replace(/^sha256:/, "") },
    })),
    results: scans.flatMap((scan, at) => results(report, scan, at, indexes)),
    properties: {
      asOf: report.asOf,
      verdict: report.verdict.value,
      coverage: { ...report.verdict.coverage },
      catalogue: { date: report.catalogue.date, digest: report.catalogue.digest, ageDays: report.catalogue.ageDays },
    },
  };
}

function invocation(report: Report): NonNullable<Run["invocations"]>[number] {
  const { exit, failed, verdict } = report;
  const notes = reportNotes(report);
  return {
    executionSuccessful: failed.length === 0 && verdict.value !== "none",
    exitCode: exit.code,
    exitCodeDescription: singleLine(`${exit.name}: ${exit.why}`),
    toolExecutionNotifications: failed.map(({ file, error }) => ({
      level: "error",
      descriptor: { id: singleLine(error.code) },
      message: { text: singleLine(error.where === undefined ? error.message : `${error.message} (${error.where})`) },
      locations: [{ physicalLocation: { artifactLocation: { uri: fileUri(file) } } }],
    })),
    ...(notes.length > 0 && {
      toolConfigurationNotifications: notes.map(({ group, kind, file, text }) => ({
        level: "note",
        descriptor: { id: `${group}/${kind}` },
        message: { text: singleLine(text) },
        locations: [{ physicalLocation: { artifactLocation: { uri: fileUri(file) } } }],
      })),
    }),
  };
}

function results(
  report: Report,
  { scan, rows }: ScanRows,
  artifact: number,
  rules: ReadonlyMap<string, number>,
): readonly Result[] {
  const fingerprint = fingerprints();
  return rows
    .filter((row) => row.state !== "pass")
    .flatMap((row) =>
      row.findings.map((finding): Result => {
        const id = ruleId(row);
        const single = findingRow(finding);
        return {
          ruleId: id,
          ruleIndex: rules.get(id) ?? 0,
          level: finding.outcome.severity === "fail" ? "error" : "warning",
          message: { text: singleLine(formatOutcome(single, report.policy.warnDays)) },
          locations: [location(scan, finding, artifact)],
          partialFingerprints: { "component/v1": fingerprint(finding, id) },
          // A suppression without a status is accepted. The status is left out, because versions of the schema disagree
          // on its name (status, state).
          ...(finding.outcome.waived && {
            suppressions: [{ kind: "external", justification: singleLine(formatWaiver(finding.outcome.waived)) }],
          }),
          ...(report.comparison && { baselineState: report.comparison.stateOf(finding) }),
          properties: resultProperties(single, finding, report.policy),
        };
      }),
    );
}

function location(
  scan: DocumentReport,
  { component }: Finding,
  artifact: number,
): NonNullable<Result["locations"]>[number] {
  const { purls, name } = component;
  return {
    physicalLocation: {
      artifactLocation: { uri: fileUri(scan.file), index: artifact },
      region: region(scan, component.span),
    },
    logicalLocations: [
      {
        name: singleLine(name),
        fullyQualifiedName: singleLine(purls[0] ?? pointerOf(component) ?? name),
        kind: "module",
      },
    ],
  };
}

/** Offsets in a wrapped document are not offsets in the file, so the result points at the file only. */
function region({ document }: DocumentReport, { start, end }: Finding["component"]["span"]) {
  if (document.wrappers.length > 0) return { startLine: 1 };
  const from = document.position(start);
  const to = document.position(end);
  return { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column };
}

/** The end that counts, where it is not that of standard support. */
function trackProperties({ support: { date, track } }: Assessment) {
  return track && { supportTrack: singleLine(track.name), ...(date && { supportEndDate: formatDate(date) }) };
}

function resultProperties({ assessment, state }: ReportRow, finding: Finding, policy: Policy) {
  const { component, support } = finding;
  const exploited = exploitedBy(finding, policy);
  return {
    state,
    ...(support && { supportLevel: support.level }),
    ...(component.purls[0] === undefined ? {} : { purl: singleLine(component.purls[0]) }),
    ...(assessment && {
      line: cycleKey(assessment.releaseCycle),
      score: assessment.score,
      grade: assessment.grade,
      status: assessment.status,
      ...(assessment.eolDate && { eolDate: assessment.eolDate.value }),
      ...trackProperties(assessment),
      ...(exploited.length > 0 && { knownExploited: singleLine(formatKev(exploited)) }),
    }),
  };
}

/** `eol/nodejs:16`, `untracked/purl-not-tracked`, `license`. */
export function ruleId({ outcome, assessment, reason }: ReportRow): string {
  if (outcome.condition === "license") return outcome.condition;
  const about = assessment ? cycleKey(assessment.releaseCycle) : reason;
  return about === undefined ? outcome.condition : `${outcome.condition}/${about}`;
}

export function rule(report: Report, row: ReportRow): ReportingDescriptor {
  const { outcome, assessment } = row;
  const ofCycle = outcome.condition === "license" ? undefined : assessment;
  const title = ofCycle
    ? `${formatCycle(ofCycle)}: ${CONDITIONS[outcome.condition].title}`
    : CONDITIONS[outcome.condition].title;
  const facts = ofCycle ? factsOf(report, row) : row.reason ? [REASON_LABELS[row.reason]] : [];
  const page = safeUrl(ofCycle ? report.links.scoreCard(ofCycle.releaseCycle) : report.links.docs);
  return {
    id: ruleId(row),
    name: CONDITIONS[outcome.condition].sarif,
    shortDescription: { text: singleLine(title) },
    fullDescription: { text: singleLine([title, ...facts].join(". ")) },
    help: {
      text: singleLine(facts.join(". ") || title),
      markdown: [escapeMarkdown(title), ...facts.map((fact) => `- ${escapeMarkdown(fact)}`)].join("\n"),
    },
    ...(page === null ? {} : { helpUri: page }),
    defaultConfiguration: { level: outcome.severity === "fail" ? "error" : "warning" },
    properties: {
      tags: ["end-of-life", outcome.condition],
      precision: "very-high",
      ...(ofCycle && { "security-severity": (Math.max(ofCycle.score, 1) / 10).toFixed(1) }),
    },
  };
}

function factsOf(report: Report, row: ReportRow): readonly string[] {
  const { assessment } = row;
  if (assessment === undefined) return [];
  const { when, distance } = formatEnd(assessment);
  const { factors, provenance } = assessment;
  const advice = adviceOn(report, row);
  return [
    ...(packageEndIn(row) ? [] : [`Support ${when}, ${distance}`]),
    `Risk score ${formatRisk(assessment)}: ${FACTORS.map(([key, title]) => `${title} ${factors[key]}`).join(", ")}`,
    `Date: ${formatProvenance(provenance)}${provenance.url === null ? "" : `: ${provenance.url}`}`,
    ...(advice === "" ? [] : [`Advice: ${advice}`]),
  ];
}
