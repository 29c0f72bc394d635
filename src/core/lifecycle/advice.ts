/** Upgrade targets of a release cycle. They are shown with the verdict and never change it. */
import type { IsoDate } from "../ids.ts";
import type { Advice, UpgradeTarget, Product, ReleaseCycle } from "../model.ts";
import { isLongTerm, lifecycleState } from "./status.ts";

/**
 * The nearest newer cycle that is supported beyond the warning window, and the newest cycle with long-term support when that
 * is another one. A cycle counts as supported only when its sources say so. Undefined when there is no target.
 */
export function adviceFor(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Advice | undefined {
  const newer = newerCycles(product, cycle);
  const lasting = newer.filter((each) => !each.retired && lifecycleState(each.eol, asOf).status === "active");
  // A cycle that ends within weeks is a target only when no other is left.
  const ending = newer.filter((each) => !each.retired && lifecycleState(each.eol, asOf).status === "approaching");
  const nearest = lasting.at(-1) ?? ending.at(-1);
  const longTerm = lasting.find((each) => isLongTerm(each, asOf));
  const { successor } = cycle;
  if (nearest === undefined && successor === undefined) return undefined;
  return {
    ...(nearest && { nearest: upgradeTarget(product, nearest, asOf) }),
    ...(longTerm && longTerm !== nearest && { longTerm: upgradeTarget(product, longTerm, asOf) }),
    ...(successor !== undefined && { successor }),
  };
}

/** The newer cycles; of a version older than the record, the next recorded one and those above it. */
function newerCycles({ cycles }: Product, { name, olderThan, part }: ReleaseCycle): readonly ReleaseCycle[] {
  const place = cycles.findIndex((each) => each.name === (olderThan ?? name));
  const above = place < 0 ? [] : cycles.slice(0, olderThan === undefined ? place : place + 1);
  // Cycles of another package of the product are no upgrade.
  return above.filter((each) => each.part === part);
}

function upgradeTarget(product: Product, cycle: ReleaseCycle, asOf: IsoDate): UpgradeTarget {
  return {
    releaseCycle: { product: product.slug, cycle: cycle.name },
    eol: cycle.eol,
    days: lifecycleState(cycle.eol, asOf).daysUntilEol,
    lts: isLongTerm(cycle, asOf),
  };
}
