/** SARIF rules: one for each condition on each line, with what a reader of the alert needs. */
import type { ReportingDescriptor } from "sarif";
import type { Condition, Report } from "../../core/model.ts";
import { markdown, plain, url } from "../escape.ts";
import type { Row } from "../rows.ts";
import { lineKey } from "../places.ts";
import { adviceWords, CONDITION_TITLES, endWords, lineWords, provenanceWords, REASON_WORDS } from "../words.ts";

/** `eol/nodejs:16`, `untracked/purl-not-tracked`, `license`. */
export function ruleId({ ruling, assessment, reason }: Row): string {
  if (ruling.condition === "license") return ruling.condition;
  const about = assessment ? lineKey(assessment.line) : reason;
  return about === undefined ? ruling.condition : `${ruling.condition}/${about}`;
}

const NAMES: Readonly<Record<Condition, string>> = {
  none: "Supported",
  eol: "PastEndOfLife",
  approaching: "NearEndOfLife",
  retired: "Retired",
  superseded: "Superseded",
  score: "RiskScore",
  kev: "PastEndOfLifeAndExploited",
  unknown: "EndOfLifeUnknown",
  untracked: "NotTracked",
  license: "LicenceDenied",
  "ended-early": "DroppedByDistribution",
  "declared-mismatch": "DeclaredEndDiffers",
};

export function rule(report: Report, row: Row): ReportingDescriptor {
  const { ruling, assessment } = row;
  const ofLine = ruling.condition === "license" ? undefined : assessment;
  const title = ofLine
    ? `${lineWords(ofLine)}: ${CONDITION_TITLES[ruling.condition]}`
    : CONDITION_TITLES[ruling.condition];
  const facts = ofLine ? factsOf(report, ofLine) : row.reason ? [REASON_WORDS[row.reason]] : [];
  const page = url(ofLine ? report.links.scoreCard(ofLine.line) : report.links.docs);
  return {
    id: ruleId(row),
    name: NAMES[ruling.condition],
    shortDescription: { text: plain(title) },
    fullDescription: { text: plain([title, ...facts].join(". ")) },
    help: {
      text: plain(facts.join(". ") || title),
      markdown: [markdown(title), ...facts.map((fact) => `- ${markdown(fact)}`)].join("\n"),
    },
    ...(page === null ? {} : { helpUri: page }),
    defaultConfiguration: { level: ruling.verdict === "fail" ? "error" : "warning" },
    properties: {
      tags: ["end-of-life", ruling.condition],
      precision: "very-high",
      ...(ofLine && { "security-severity": (Math.max(ofLine.score, 1) / 10).toFixed(1) }),
    },
  };
}

function factsOf(report: Report, assessment: NonNullable<Row["assessment"]>): readonly string[] {
  const { when, distance } = endWords(assessment);
  const { factors, score, grade, gradeLabel, provenance, line } = assessment;
  const advice = adviceWords(report.advice?.(line), assessment);
  return [
    `Support ${when}, ${distance}`,
    `Risk score ${score} of 100, grade ${grade}, ${gradeLabel}: recency of the end ${factors.eolRecency}, attack surface ${factors.attackSurface}, known exploitation ${factors.cisaKevExposure}, no extended support ${factors.extendedSupport}`,
    `Date: ${provenanceWords(provenance)}${provenance.url === null ? "" : `: ${provenance.url}`}`,
    ...(advice === "" ? [] : [`Advice: ${advice}`]),
  ];
}
