/**
 * What is counted of a check, once: the answer to POST /v1/sbom, the JSON report, the outputs of the Action, enrichment
 * and the reports for people state the same numbers under the same names. Counted is what the policy assessed.
 */
import { hasCycle } from "../resolve/has-cycle.ts";
import type { Assessment, Finding, Policy, Resolution } from "../model.ts";
import type { SbomResponse } from "./schemas.ts";

type Summary = SbomResponse["summary"];

/** The assessment that decided: the component's own, or its distribution's. Undefined for what was not assessed. */
function judgedBy({ resolution, assessment, outcome }: Finding): Assessment | undefined {
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

/** Components by the status of what they are assessed by. */
export function statusCounts(
  findings: readonly Finding[],
): Pick<Summary, "past_eol" | "approaching" | "supported" | "unknown"> {
  const counts = { eol: 0, approaching: 0, active: 0, unknown: 0 };
  for (const finding of findings) {
    const status = judgedBy(finding)?.status;
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
  const judged = findings.flatMap((finding) => judgedBy(finding) ?? []);
  const count = (applies: (assessment: Assessment) => boolean): number => judged.filter(applies).length;
  const severities = findings.map(({ outcome }) => outcome.severity);
  return {
    failing: severities.filter((severity) => severity === "fail").length,
    warning: severities.filter((severity) => severity === "warn").length,
    end_of_life: count(({ status, cycle }) => status === "eol" && !cycle.retired && !cycle.rolling),
    retired: count(({ status, cycle }) => status === "eol" && cycle.retired),
    superseded: count(({ status, cycle }) => status === "eol" && cycle.rolling && !cycle.retired),
    ending_soon: count(({ daysUntilEol }) => daysUntilEol !== null && daysUntilEol <= warnDays),
    kev_affected: count(({ kevBasis }) => kevBasis === "affected"),
    highest_score: judged.length === 0 ? null : judged.reduce((top, { score }) => Math.max(top, score), 0),
    ...statusCounts(findings),
    kev_exposed: count(({ kevExposed }) => kevExposed),
    unique_products: judgedProducts(findings).size,
  };
}

/** The products whose release cycles decided. */
export const judgedProducts = (findings: readonly Finding[]): ReadonlySet<string> =>
  new Set(findings.flatMap((finding) => judgedBy(finding)?.releaseCycle.product ?? []));

type Reason = Extract<Resolution, { readonly kind: "not-applicable" }>["why"];

/** Entries of the document that are not expected to have a release cycle: they count as no `components`. */
export function notApplicable(findings: readonly Pick<Finding, "resolution">[]): Readonly<Record<Reason, number>> {
  const counts = { root: 0, file: 0, data: 0 };
  for (const { resolution } of findings) if (resolution.kind === "not-applicable") counts[resolution.why] += 1;
  return counts;
}
