/** Suggestions of the search field: release cycles that the text names, then products. */
import type { Assessment } from "../../model/index.ts";
import { formatCount, formatDay } from "../../messages/format.ts";
import { formatCycle, formatEndCell, formatEnd } from "../../report/labels.ts";
import type { SearchResult } from "./search.ts";
import type { Site } from "./site.ts";
import { statusLabel } from "./labels.ts";

export interface Suggestion {
  readonly href: string;
  readonly name: string;
  /** `Supported: 30 Apr 2027, in 5 months`, or the number of release cycles. */
  readonly note: string;
}

function noteOf(assessment: Assessment): string {
  const end =
    assessment.eolDate === null
      ? formatEndCell(assessment)
      : `${formatDay(assessment.eolDate)}, ${formatEnd(assessment).distance}`;
  return `${statusLabel(assessment)}: ${end}`;
}

export const MOST_SUGGESTIONS = 8;

/** @param assessments of the release cycles that the text names */
export function suggestions(
  site: Site,
  found: SearchResult,
  assessments: readonly Assessment[],
): readonly Suggestion[] {
  const cycles = assessments.map((each) => ({
    href: site.paths.scoreCard(each.releaseCycle).href,
    name: formatCycle(each),
    note: noteOf(each),
  }));
  const products = found.products.map(({ product, cycleCount }) => ({
    href: site.paths.product(product.slug).href,
    name: product.name,
    note: formatCount(cycleCount, "release cycle"),
  }));
  return [...cycles, ...products].slice(0, MOST_SUGGESTIONS);
}
