/** What the search field lists while somebody types: release cycles that the text names, then products. */
import type { Assessment } from "../../core/model.ts";
import { formatCount } from "../../core/messages/format.ts";
import { formatCycle, formatEndCell } from "../../report/labels.ts";
import type { Found } from "./search.ts";
import type { Site } from "./site.ts";
import { statusLabel } from "./labels.ts";

export interface Suggestion {
  readonly href: string;
  readonly name: string;
  /** `Supported, 2027-04-30, in 5 months`, or the number of release cycles. */
  readonly note: string;
}

export const MOST_SUGGESTIONS = 8;

/** `assessments` are those of the cycles that the text names. */
export function suggestions(site: Site, found: Found, assessments: readonly Assessment[]): readonly Suggestion[] {
  const cycles = assessments.map((each) => ({
    href: site.places.scoreCard(each.releaseCycle).href,
    name: formatCycle(each),
    note: `${statusLabel(each)}: ${formatEndCell(each)}`,
  }));
  const products = found.products.map(({ product, cycleCount }) => ({
    href: site.places.product(product.slug).href,
    name: product.name,
    note: formatCount(cycleCount, "release cycle"),
  }));
  return [...cycles, ...products].slice(0, MOST_SUGGESTIONS);
}
