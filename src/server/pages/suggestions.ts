/** What the search field lists while somebody types: release cycles that the text names, then products. */
import type { Assessment } from "../../core/model.ts";
import { formatCount, formatDay } from "../../core/messages/format.ts";
import { formatCycle, formatEndCell, formatEnd } from "../../report/labels.ts";
import type { Found } from "./search.ts";
import type { Site } from "./site.ts";
import { statusLabel } from "./labels.ts";

export interface Suggestion {
  readonly href: string;
  readonly name: string;
  /** `Supported: 30 Apr 2027, in 5 months`, or the number of release cycles. */
  readonly note: string;
}

function noteOf(of: Assessment): string {
  const end = of.eolDate === null ? formatEndCell(of) : `${formatDay(of.eolDate)}, ${formatEnd(of).distance}`;
  return `${statusLabel(of)}: ${end}`;
}

export const MOST_SUGGESTIONS = 8;

/** `assessments` are those of the cycles that the text names. */
export function suggestions(site: Site, found: Found, assessments: readonly Assessment[]): readonly Suggestion[] {
  const cycles = assessments.map((each) => ({
    href: site.places.scoreCard(each.releaseCycle).href,
    name: formatCycle(each),
    note: noteOf(each),
  }));
  const products = found.products.map(({ product, cycleCount }) => ({
    href: site.places.product(product.slug).href,
    name: product.name,
    note: formatCount(cycleCount, "release cycle"),
  }));
  return [...cycles, ...products].slice(0, MOST_SUGGESTIONS);
}
