/** How much of a document was assessed. */
import type { Assessment, ComponentKind, Coverage, Judgement, Policy } from "../model/index.ts";
import type { ComponentRows } from "./component-rows.ts";
import { backportingDistribution } from "./rules.ts";

/**
 * The assessed share of the assessable components. Files, data, the root and components out of scope are not counted; a
 * distro-maintained package counts as assessed only if the distribution's cycle has an end.
 */
export function coverageOf(rows: ComponentRows<Judgement>, policy: Policy): Coverage {
  let assessed = 0;
  let notAssessed = 0;
  for (const { value, count } of rows.counts()) {
    if (value.resolution.kind === "not-applicable" || value.outcome.outOfScope === true) continue;
    if (isAssessed(value, policy)) assessed += count;
    else if (value.resolution.kind !== "unmatched") notAssessed += count;
  }
  return coverage(assessed, notAssessed + unmatchedComponents(rows));
}

/** Unmatched components that could have been assessed. */
function unmatchedComponents(rows: ComponentRows<Judgement>): number {
  const isCounted = rows
    .counts()
    .map(({ value: { resolution, outcome } }) => resolution.kind === "unmatched" && outcome.outOfScope !== true);
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    if (isCounted[rows.ids[index] ?? 0] !== true) continue;
    if (!NOT_EXPECTED.has(rows.component(index).kind)) count += 1;
  }
  return count;
}

const NOT_EXPECTED: ReadonlySet<ComponentKind> = new Set(["root", "file", "data"]);

function isAssessed({ resolution, assessment, maintainer }: Judgement, policy: Policy): boolean {
  if (resolution.kind === "unmatched") return false;
  if (resolution.kind === "covered") return hasEnd(assessment);
  const isKnown = assessment !== undefined && assessment.status !== "unknown";
  return isKnown || backportingDistribution(maintainer, policy) !== undefined;
}

const hasEnd = (assessment: Assessment | undefined): boolean =>
  assessment?.cycle.eol.kind === "dated" || assessment?.cycle.eol.kind === "ended";

/** Rounds down: 99.96 % must not be shown as 100 %. */
export function coverage(assessed: number, notAssessed: number): Coverage {
  const total = assessed + notAssessed;
  return { assessed, notAssessed, percent: total === 0 ? 0 : Math.floor((assessed * 1000) / total) / 10 };
}

/**
 * Why a document with components has no verdict: `nothing` was assessed, or less than the policy requires (`below`).
 */
export function coverageShortfall(
  { assessed, notAssessed }: Coverage,
  policy: Policy,
): "nothing" | "below" | undefined {
  if (assessed === 0 && !policy.allowUnassessed) return "nothing";
  return assessed * 100 < policy.minCoverage * (assessed + notAssessed) ? "below" : undefined;
}
