/**
 * What is counted of a document, once for each who says it: the answer to POST /v1/sbom, the JSON report, enrichment and
 * the head of each report for people.
 */
import type { Finding, Resolution } from "../model.ts";
import type { SbomResponse } from "./schemas.ts";

type Counted = Pick<Finding, "resolution" | "assessment">;

/**
 * Components by what is said of the line that they belong to, or that covers them: together as many as are matched or
 * covered. What the policy makes of them is counted in `gate.reasons`.
 */
export function statusCounts(
  findings: readonly Counted[],
): Pick<SbomResponse["summary"], "past_eol" | "approaching" | "supported" | "unknown"> {
  const counts = { eol: 0, approaching: 0, active: 0, unknown: 0 };
  for (const { resolution, assessment } of findings) {
    const hasLine = resolution.kind === "resolved" || resolution.kind === "covered";
    if (hasLine && assessment !== undefined) counts[assessment.status] += 1;
  }
  return {
    past_eol: counts.eol,
    approaching: counts.approaching,
    supported: counts.active,
    unknown: counts.unknown,
  };
}

type Reason = Extract<Resolution, { readonly kind: "not-applicable" }>["why"];

/** Entries of the document that nobody expects a line of: they are no `components` in any count. */
export function notApplicable(findings: readonly Pick<Finding, "resolution">[]): Readonly<Record<Reason, number>> {
  const counts = { root: 0, file: 0, data: 0 };
  for (const { resolution } of findings) if (resolution.kind === "not-applicable") counts[resolution.why] += 1;
  return counts;
}
