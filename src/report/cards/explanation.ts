/**
 * Formats the output of `explain`: the steps with rejected candidates, the release cycle with its sources, and the
 * outcome.
 */
import { isPlace } from "../../lifecycle/assess.ts";
import { exploitable, packageEndOf } from "../../policy/deciding.ts";
import type { Advice, Finding, Policy } from "../../model/index.ts";
import { escapeTerminal } from "../escape.ts";
import type { TerminalOptions } from "../reporter.ts";
import { paint } from "../terminal/paint.ts";
import { findingRow, type ReportRow } from "../rows.ts";
import { formatAdvice, formatNote, formatOutcome } from "../labels.ts";
import { REASON_LABELS } from "../../messages/support.ts";
import { scoreCard } from "./score-card.ts";

export interface ExplanationCardData {
  readonly policy: Policy;
  readonly subject: string;
  readonly steps: readonly { readonly step: string; readonly detail: string }[];
  readonly finding: Finding;
  /** Upgrade targets of the release cycle. */
  readonly advice?: Advice | undefined;
}

/** Names of steps that are not words; hyphens of the others become spaces. */
const STEPS: Readonly<Record<string, string>> = {
  "purl-key": "package URL",
  "purl-invalid": "invalid package URL",
  "map-entry": "catalogue entry",
  "candidate-rejected": "rejected",
  "gate-end": "end that counts",
  cpe: "CPE",
  cycle: "release cycle",
  transform: "name in the map",
  older: "older version",
};
const stepName = (step: string): string => STEPS[step] ?? step.replaceAll("-", " ");
const stepDetail = (step: string, detail: string): string =>
  step === "milestone" ? detail.replace(/^[a-z-]+/, (kind) => kind.replaceAll("-", " ")) : detail;

export function explanationCard(
  { subject, steps, finding, policy, advice }: ExplanationCardData,
  options: TerminalOptions,
): string {
  const palette = paint(options);
  const stepLines = steps.map(
    ({ step, detail }) => `  ${palette.dim(stepName(step).padEnd(18))} ${escapeTerminal(stepDetail(step, detail))}`,
  );
  return [
    `\n  ${palette.bold(escapeTerminal(subject))}\n`,
    ...stepLines,
    outcome(finding, options),
    outcomeBlock({ finding, policy, advice }, options),
    "",
  ].join("\n");
}

function outcome({ resolution, assessment, distroAssessment }: Finding, options: TerminalOptions): string {
  const palette = paint(options);
  switch (resolution.kind) {
    case "resolved": {
      const own =
        assessment === undefined
          ? ""
          : scoreCard(
              assessment,
              options,
              resolution.versionMatchedBy === undefined ? undefined : resolution.requestedVersion,
            );
      const by =
        distroAssessment === undefined
          ? ""
          : `  ${palette.bold(isPlace(distroAssessment) ? "taken from a place that has ended, too" : "maintained by the distribution, whose release cycle decides by default")}\n${scoreCard(distroAssessment, options)}`;
      return own + by;
    }
    case "distro-maintained":
      return `\n  ${palette.bold("maintained by its distribution")}\n${assessment === undefined ? "" : scoreCard(assessment, options)}`;
    case "unmatched": {
      const { reason, candidates, evidence } = resolution;
      return [
        `\n  ${palette.glyph("waived")} not assessed: ${reason}, ${REASON_LABELS[reason]}`,
        ...listed("candidates", candidates),
        ...listed("evidence", evidence),
        "",
      ].join("\n");
    }
    case "not-applicable":
      return `\n  not assessed: ${resolution.why}\n`;
  }
}

/** The outcome of the policy, in sentences. A component without an outcome is never shown as a pass. */
function outcomeBlock(
  { finding, policy, advice }: Pick<ExplanationCardData, "finding" | "policy" | "advice">,
  options: TerminalOptions,
): string {
  const palette = paint(options);
  const { severity, condition } = finding.outcome;
  if (condition === "none" && finding.resolution.kind === "unmatched")
    return `  ${palette.badge("none")}  not enough evidence to assess it: it lowers the coverage, and fails with --fail-on untracked\n`;
  const row = findingRow(finding);
  const lines = [
    formatOutcome(row, policy.warnDays),
    ...formatNote(row, policy),
    ...upgrade(row, advice, policy),
    ...packageEndSource(finding),
  ];
  return `  ${palette.badge(severity)}  ${lines.map(escapeTerminal).join("\n        ")}\n`;
}

/** The upgrade to the fix of a known exploited vulnerability and, for what does not pass, to other release cycles. */
function upgrade(row: ReportRow, advice: Advice | undefined, policy: Policy): readonly string[] {
  const { outcome, assessment = row.findings[0]?.assessment } = row;
  if (outcome.severity !== "pass") return [formatAdvice(advice, assessment)].filter(Boolean);
  return row.findings.map((finding) => formatAdvice(undefined, exploitable(finding, policy))).filter(Boolean);
}

function packageEndSource({ resolution }: Finding): readonly string[] {
  const packageEnd = packageEndOf(resolution);
  return packageEnd === undefined ? [] : [`source: ${packageEnd.url}, checked on ${packageEnd.readOn}`];
}

const listed = (label: string, texts: readonly string[] | undefined): readonly string[] =>
  texts === undefined ? [] : [`  ${label}: ${texts.map(escapeTerminal).join(", ")}`];
