/** The JSON output of `explain`, with the field names of the HTTP interface. */
import { packageEndOf } from "../../policy/deciding.ts";
import type { Assessment, Finding, Resolution } from "../../model/index.ts";
import type { Links } from "../../wire/links.ts";
import { scoreObject } from "../../wire/score.ts";
import { escapeJson as escaped } from "../escape.ts";
import { findingRow } from "../rows.ts";
import { formatOutcome } from "../labels.ts";
import type { ExplanationCardData } from "../cards/explanation.ts";
import { resolutionFields, trackFields } from "./finding.ts";
import { waiverObject } from "./frame.ts";

interface ExplanationJsonData extends ExplanationCardData {
  readonly readAs: string;
  readonly asOf: string;
}

export function explanationJson(
  { subject, readAs, asOf, steps, finding, policy }: ExplanationJsonData,
  links: Links,
): string {
  const { resolution, assessment, distroAssessment, outcome } = finding;
  const score = (of: Assessment | undefined) => (of === undefined ? null : scoreObject(of, links));
  const packageEnd = packageEndOf(resolution);
  const content = {
    subject,
    read_as: readAs,
    as_of: asOf,
    steps,
    ...resolutionFields(resolution),
    ...unmatchedFields(resolution),
    ...(packageEnd && {
      package_end: {
        kind: packageEnd.kind,
        from: packageEnd.from ?? null,
        url: packageEnd.url,
        read_on: packageEnd.readOn,
      },
    }),
    score: score(assessment),
    distribution_score: score(distroAssessment),
    outcome: {
      severity: isAssessed(finding) ? outcome.severity : "none",
      condition: outcome.condition,
      message: formatOutcome(findingRow(finding), policy.warnDays),
      ...trackFields(outcome),
    },
    waiver: outcome.waived ? waiverObject(outcome.waived) : null,
  };
  return escaped(`${JSON.stringify(content, null, 2)}\n`);
}

/** What is known about an unresolved component. */
function unmatchedFields(resolution: Resolution) {
  if (resolution.kind !== "unmatched") return {};
  const { product, candidates, evidence } = resolution;
  return {
    ...(product !== undefined && { product }),
    ...(candidates && { candidates }),
    ...(evidence && { evidence }),
  };
}

const isAssessed = ({ resolution, outcome }: Finding): boolean =>
  resolution.kind !== "unmatched" || outcome.condition !== "none";
