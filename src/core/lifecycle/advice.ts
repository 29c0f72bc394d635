/** Where to go from a line: said beside the verdict, never part of it. */
import type { IsoDate } from "../ids.ts";
import type { Advice, UpgradeTarget, Product, ReleaseCycle } from "../model.ts";
import { isLongTerm, lifecycleState } from "./status.ts";

/**
 * The nearest line above that stays supported, and the newest long-term line when that is another one. A line counts as supported
 * only when its sources say so; a product's cycles stand newest first. Undefined when there is nothing to advise.
 */
export function adviceFor(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Advice | undefined {
  const newer = newerCycles(product, cycle);
  const lasting = newer.filter((line) => !line.retired && lifecycleState(line.eol, asOf).status === "active");
  // A line that itself ends within weeks is advised only where nothing else is left.
  const ending = newer.filter((line) => !line.retired && lifecycleState(line.eol, asOf).status === "approaching");
  const nearest = lasting.at(-1) ?? ending.at(-1);
  const longTerm = lasting.find((line) => isLongTerm(line, asOf));
  const { successor } = cycle;
  if (nearest === undefined && successor === undefined) return undefined;
  return {
    ...(nearest && { nearest: destination(product, nearest, asOf) }),
    ...(longTerm && longTerm !== nearest && { longTerm: destination(product, longTerm, asOf) }),
    ...(successor !== undefined && { successor }),
  };
}

/** The cycles above; of a version older than the record, the next recorded one and those above it. */
function newerCycles({ cycles }: Product, { name, olderThan, part }: ReleaseCycle): readonly ReleaseCycle[] {
  const place = cycles.findIndex((each) => each.name === (olderThan ?? name));
  const above = place < 0 ? [] : cycles.slice(0, olderThan === undefined ? place : place + 1);
  // Cycles of another package of the product are no upgrade.
  return above.filter((each) => each.part === part);
}

function destination(product: Product, line: ReleaseCycle, asOf: IsoDate): UpgradeTarget {
  return {
    releaseCycle: { product: product.slug, cycle: line.name },
    eol: line.eol,
    days: lifecycleState(line.eol, asOf).daysUntilEol,
    lts: isLongTerm(line, asOf),
  };
}
