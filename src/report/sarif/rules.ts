/** SARIF rules: one for each condition on each release cycle, with the details for the reader of the alert. */
import type { ReportingDescriptor } from "sarif";
import type { Report } from "../../model/index.ts";
import { escapeMarkdown, singleLine, safeUrl } from "../escape.ts";
import type { ReportRow } from "../rows.ts";
import { cycleKey } from "../locations.ts";
import { CONDITIONS } from "../../policy/conditions.ts";
import { REASON_LABELS } from "../../messages/reasons.ts";
import { formatAdvice, formatEnd, formatCycle, formatProvenance } from "../labels.ts";

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
  const facts = ofCycle ? factsOf(report, ofCycle) : row.reason ? [REASON_LABELS[row.reason]] : [];
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

function factsOf(report: Report, assessment: NonNullable<ReportRow["assessment"]>): readonly string[] {
  const { when, distance } = formatEnd(assessment);
  const { factors, score, grade, gradeLabel, provenance, releaseCycle } = assessment;
  const advice = formatAdvice(report.advice?.(releaseCycle), assessment);
  return [
    `Support ${when}, ${distance}`,
    `Risk score ${score} of 100, grade ${grade}, ${gradeLabel}: recency of the end ${factors.eolRecency}, attack surface ${factors.attackSurface}, known exploitation ${factors.cisaKevExposure}, no extended support ${factors.extendedSupport}`,
    `Date: ${formatProvenance(provenance)}${provenance.url === null ? "" : `: ${provenance.url}`}`,
    ...(advice === "" ? [] : [`Advice: ${advice}`]),
  ];
}
