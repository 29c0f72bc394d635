/**
 * The counts of a check, computed in one place: the answer to POST /v1/sbom, the JSON report, the outputs of the
 * Action, enrichment and the reports for people show the same numbers under the same names. Only components that the
 * policy assessed are counted.
 */
import { hasCycle } from "../resolve/unresolved.ts";
import { keysOf } from "../text/values.ts";
import type {
  Assessment,
  Counted,
  EvaluatedComponent,
  Finding,
  Policy,
  Resolution,
  Severity,
  SupportCounts,
} from "../model/index.ts";
import type { SbomResponse } from "./schemas.ts";
import { mergeSupportCounts, supportCounts } from "../support/levels.ts";

type CountPolicy = Pick<Policy, "warnDays" | "distroPackages">;
export type SbomSummary = SbomResponse["summary"];
type EvaluatedComponents = readonly Counted<EvaluatedComponent>[];

/** Findings as values that one component has each. */
export const countedOnce = (findings: readonly Finding[]): readonly Counted<EvaluatedComponent>[] =>
  findings.map((value) => ({ value, count: 1 }));

/**
 * The assessment that decided: the component's own, or its distribution's. Undefined for a component that was not
 * assessed.
 */
function decidingAssessment({ resolution, assessment, outcome }: EvaluatedComponent): Assessment | undefined {
  // The lowest supported version need not be in use, so its end is counted only where the policy fails on it.
  if (outcome.condition === "minimum" && outcome.severity === "pass") return undefined;
  return hasCycle(resolution) && outcome.outOfScope !== true ? (outcome.assessment ?? assessment) : undefined;
}

/**
 * Whether the component's own assessment is for information only, because its distribution maintains it and decides.
 * It is listed as such and never counted.
 */
export function isInformational(
  { resolution, assessment, distroAssessment, outcome }: EvaluatedComponent,
  { distroPackages }: Pick<Policy, "distroPackages">,
): boolean {
  return (
    distroPackages === "distro" &&
    resolution.kind === "resolved" &&
    assessment !== undefined &&
    distroAssessment !== undefined &&
    outcome.assessment?.releaseCycle === distroAssessment.releaseCycle
  );
}

function countWhere<Value>(values: Iterable<Counted<Value>>, applies: (value: Value) => boolean): number {
  let total = 0;
  for (const { value, count } of values) if (applies(value)) total += count;
  return total;
}

/** Components that the policy assessed or could not assess. */
export const countComponents = (evaluatedComponents: EvaluatedComponents): number =>
  countWhere(
    evaluatedComponents,
    ({ resolution, outcome }) => resolution.kind !== "not-applicable" && outcome.outOfScope !== true,
  );

function decidedBy(evaluatedComponents: EvaluatedComponents): readonly Counted<Assessment>[] {
  const found: Counted<Assessment>[] = [];
  for (const { value, count } of evaluatedComponents) {
    const assessment = decidingAssessment(value);
    if (assessment !== undefined) found.push({ value: assessment, count });
  }
  return found;
}

export const statusCounts = (evaluatedComponents: EvaluatedComponents) => countStatuses(decidedBy(evaluatedComponents));

function countStatuses(assessed: readonly Counted<Assessment>[]) {
  const of = (status: Assessment["status"]): number => countWhere(assessed, (each) => each.status === status);
  return { past_eol: of("eol"), approaching: of("approaching"), supported: of("active"), unknown: of("unknown") };
}

/** The counts of one document or of several together: ends by the support that counts, `status` by the standard end. */
export function summarize(evaluatedComponents: EvaluatedComponents, policy: CountPolicy): SbomSummary {
  const assessed = decidedBy(evaluatedComponents);
  const exploitable = evaluatedComponents.filter(
    ({ value }) => value.resolution.kind === "resolved" && decidingAssessment(value) && !isInformational(value, policy),
  );
  const ended = (applies: (cycle: Assessment["cycle"]) => boolean): number =>
    sum(({ support, cycle }) => support.status === "eol" && applies(cycle));
  const sum = (applies: (assessment: Assessment) => boolean): number => countWhere(assessed, applies);
  const ofSeverity = (severity: Severity): number =>
    countWhere(evaluatedComponents, ({ outcome }) => outcome.severity === severity);
  return {
    failing: ofSeverity("fail"),
    warning: ofSeverity("warn"),
    end_of_life: ended(({ retired, rolling }) => !retired && !rolling),
    retired: ended(({ retired }) => retired),
    superseded: ended(({ retired, rolling }) => rolling && !retired),
    ending_soon: sum(({ support: { daysUntilEol } }) => daysUntilEol !== null && daysUntilEol <= policy.warnDays),
    kev_affected: countWhere(exploitable, ({ assessment }) => assessment?.kevBasis === "affected"),
    highest_score: assessed.reduce<number | null>((top, { value }) => Math.max(top ?? 0, value.score), null),
    ...countStatuses(assessed),
    kev_exposed: countWhere(exploitable, ({ assessment }) => assessment?.kevExposed === true),
    unique_products: productsOf(assessed).size,
  };
}

/** The products whose release cycles decided. */
const productsOf = (assessed: readonly Counted<Assessment>[]): ReadonlySet<string> =>
  new Set(assessed.map(({ value: { releaseCycle } }) => releaseCycle.product));

type Reason = Extract<Resolution, { readonly kind: "not-applicable" }>["why"];

/**
 * Counts the entries of the document that are not expected to have a release cycle. They are not included in
 * `components`.
 */
export function notApplicable(
  evaluatedComponents: Iterable<Counted<Pick<Finding, "resolution">>>,
): Readonly<Record<Reason, number>> {
  const counts = { root: 0, file: 0, data: 0 };
  for (const { value, count } of evaluatedComponents)
    if (value.resolution.kind === "not-applicable") counts[value.resolution.why] += count;
  return counts;
}

// The counts of a run over several documents: plain data that can be added, so that no document has to be kept.

export interface RunTotals {
  /**
   * Components that the policy assessed or could not assess. The root, files, data and components out of scope are not
   * counted.
   */
  readonly components: number;
  readonly summary: Omit<SbomSummary, "unique_products">;
  /** Slugs of the products found, each once. */
  readonly products: readonly string[];
  /** Absent when no signals were requested. */
  readonly support?: SupportCounts | undefined;
}

export function totalsOf(evaluatedComponents: readonly Counted<EvaluatedComponent>[], policy: CountPolicy): RunTotals {
  const { unique_products: _, ...summary } = summarize(evaluatedComponents, policy);
  return {
    components: countComponents(evaluatedComponents),
    summary,
    products: [...productsOf(decidedBy(evaluatedComponents))],
    support: supportCounts(evaluatedComponents),
  };
}

export const NO_TOTALS: RunTotals = totalsOf([], { warnDays: 0, distroPackages: "distro" });

/** Adds the totals of two sets of documents. */
export function addTotals(one: RunTotals, other: RunTotals): RunTotals {
  return {
    components: one.components + other.components,
    summary: addSummaries(one.summary, other.summary),
    products: [...new Set([...one.products, ...other.products])],
    support: mergeSupportCounts(one.support, other.support),
  };
}

function addSummaries(one: RunTotals["summary"], other: RunTotals["summary"]): RunTotals["summary"] {
  const sums = { ...one };
  for (const name of keysOf(one)) if (name !== "highest_score") sums[name] += other[name];
  const scores = [one.highest_score, other.highest_score].filter((score) => score !== null);
  return { ...sums, highest_score: scores.length === 0 ? null : Math.max(...scores) };
}

/** The summary in the form that reports show. */
export const totalSummary = ({ summary, products }: RunTotals): SbomSummary => ({
  ...summary,
  unique_products: products.length,
});
