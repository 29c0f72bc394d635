/** The counts of a run over several documents: plain data that can be added, so that no document has to be kept. */
import type { Counted, EvaluatedComponent, Policy, SupportCounts } from "../model/index.ts";
import { mergeSupportCounts, supportCounts } from "../support/counts.ts";
import { countComponents, assessedProducts, summarize, type SbomSummary } from "./counts.ts";

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

/** The totals of some components. */
export function totalsOf(
  evaluatedComponents: readonly Counted<EvaluatedComponent>[],
  policy: Pick<Policy, "warnDays">,
): RunTotals {
  const { unique_products: _, ...summary } = summarize(evaluatedComponents, policy);
  return {
    components: countComponents(evaluatedComponents),
    summary,
    products: [...assessedProducts(evaluatedComponents)],
    support: supportCounts(evaluatedComponents),
  };
}

export const NO_TOTALS: RunTotals = totalsOf([], { warnDays: 0 });

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
  const sum = (name: Exclude<keyof RunTotals["summary"], "highest_score">): number => one[name] + other[name];
  const scores = [one.highest_score, other.highest_score].filter((score) => score !== null);
  return {
    failing: sum("failing"),
    warning: sum("warning"),
    end_of_life: sum("end_of_life"),
    retired: sum("retired"),
    superseded: sum("superseded"),
    ending_soon: sum("ending_soon"),
    kev_affected: sum("kev_affected"),
    highest_score: scores.length === 0 ? null : Math.max(...scores),
    past_eol: sum("past_eol"),
    approaching: sum("approaching"),
    supported: sum("supported"),
    unknown: sum("unknown"),
    kev_exposed: sum("kev_exposed"),
  };
}

/** The summary in the form that reports show. */
export const totalSummary = ({ summary, products }: RunTotals): SbomSummary => ({
  ...summary,
  unique_products: products.length,
});
