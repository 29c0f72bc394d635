/**
 * The counts of a check, computed in one place: the answer to POST /v1/sbom, the JSON report, the outputs of the
 * Action, enrichment and the reports for people show the same numbers under the same names. Only components that the
 * policy assessed are counted.
 */
import { hasCycle } from "../resolve/has-cycle.ts";
import type { Assessment, Finding, Policy, Resolution } from "../model.ts";
import type { SbomResponse } from "./schemas.ts";

type Summary = SbomResponse["summary"];

/**
 * The assessment that decided: the component's own, or its distribution's. Undefined for a component that was not
 * assessed.
 */
function decidingAssessment({ resolution, assessment, outcome }: Finding): Assessment | undefined {
  return hasCycle(resolution) && outcome.outOfScope !== true ? (outcome.assessment ?? assessment) : undefined;
}

/**
 * Whether the component's own assessment is for information only, because its distribution maintains it and decides.
 * It is listed as such and never counted.
 */
export function isInformational(
  { resolution, assessment, maintainer, outcome }: Finding,
  { distroPackages }: Pick<Policy, "distroPackages">,
): boolean {
  return (
    distroPackages === "distro" &&
    resolution.kind === "resolved" &&
    assessment !== undefined &&
    maintainer !== undefined &&
    outcome.assessment === maintainer
  );
}

/** Counts components by the status of the assessment that decided. */
export function statusCounts(
  findings: readonly Finding[],
): Pick<Summary, "past_eol" | "approaching" | "supported" | "unknown"> {
  const counts = { eol: 0, approaching: 0, active: 0, unknown: 0 };
  for (const finding of findings) {
    const status = decidingAssessment(finding)?.status;
    if (status !== undefined) counts[status] += 1;
  }
  return {
    past_eol: counts.eol,
    approaching: counts.approaching,
    supported: counts.active,
    unknown: counts.unknown,
  };
}

/** The counts of one document or of several together. */
export function summarize(findings: readonly Finding[], { warnDays }: Pick<Policy, "warnDays">): Summary {
  const assessed = findings.flatMap((finding) => decidingAssessment(finding) ?? []);
  const count = (applies: (assessment: Assessment) => boolean): number => assessed.filter(applies).length;
  const severities = findings.map(({ outcome }) => outcome.severity);
  return {
    failing: severities.filter((severity) => severity === "fail").length,
    warning: severities.filter((severity) => severity === "warn").length,
    end_of_life: count(({ status, cycle }) => status === "eol" && !cycle.retired && !cycle.rolling),
    retired: count(({ status, cycle }) => status === "eol" && cycle.retired),
    superseded: count(({ status, cycle }) => status === "eol" && cycle.rolling && !cycle.retired),
    ending_soon: count(({ daysUntilEol }) => daysUntilEol !== null && daysUntilEol <= warnDays),
    kev_affected: count(({ kevBasis }) => kevBasis === "affected"),
    highest_score: assessed.length === 0 ? null : assessed.reduce((top, { score }) => Math.max(top, score), 0),
    ...statusCounts(findings),
    kev_exposed: count(({ kevExposed }) => kevExposed),
    unique_products: judgedProducts(findings).size,
  };
}

/** The products whose release cycles decided. */
export const judgedProducts = (findings: readonly Finding[]): ReadonlySet<string> =>
  new Set(findings.flatMap((finding) => decidingAssessment(finding)?.releaseCycle.product ?? []));

type Reason = Extract<Resolution, { readonly kind: "not-applicable" }>["why"];

/**
 * Counts the entries of the document that are not expected to have a release cycle. They are not included in
 * `components`.
 */
export function notApplicable(findings: readonly Pick<Finding, "resolution">[]): Readonly<Record<Reason, number>> {
  const counts = { root: 0, file: 0, data: 0 };
  for (const { resolution } of findings) if (resolution.kind === "not-applicable") counts[resolution.why] += 1;
  return counts;
}
