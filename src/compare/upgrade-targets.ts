/**
 * Where to move from a release cycle. Suggested in addition to the verdict, never part of it: the longest-supported cycle first,
 * then the nearest one that stays supported for a year, both of the same family (see `family.ts`).
 */
import type { IsoDate } from "../text/ids.ts";
import { addMonths, lastDay } from "../lifecycle/days.ts";
import { isLongTerm, lifecycleState } from "../lifecycle/status.ts";
import type { Advice, Product, ReleaseCycle, UpgradeTarget } from "../model/index.ts";
import { familiesOf } from "./family.ts";

/** A cycle that ends sooner is suggested only if no other is left. */
const WORTHWHILE_MONTHS = 6;
/** The nearest cycle is suggested only if it stays supported for this long. */
const NEAREST_MONTHS = 12;

/**
 * Upgrade targets above `cycle`, or undefined when no supported cycle of its family is left and the maintainers name no
 * successor. A cycle counts as supported only if its sources state it.
 */
export function upgradeAdvice(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Advice | undefined {
  const { targets, endsSoon } = targetsFor(product, cycle, asOf);
  const [longest] = targets.toSorted((a, b) => compareEnds(b, a));
  const nearest = targets.findLast((target) => lastsFor(target, asOf, NEAREST_MONTHS));
  const { successor } = cycle;
  if (longest === undefined && successor === undefined) return undefined;
  return {
    ...(longest && { longest: upgradeTarget(product, longest, asOf) }),
    ...(nearest && nearest !== longest && { nearest: upgradeTarget(product, nearest, asOf) }),
    ...(longest && endsSoon && { endsSoon: true as const }),
    ...(successor !== undefined && { successor }),
  };
}

interface Targets {
  /** Newest first. */
  readonly targets: readonly ReleaseCycle[];
  /** Each of them ends within half a year. */
  readonly endsSoon: boolean;
}

/** The cycles of the closest family with one that lasts; else of the closest family with a supported one. */
function targetsFor(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Targets {
  const at = product.cycles.findIndex(({ name }) => name === cycle.name);
  // A cycle that is not recorded is older than the recorded ones.
  const newer = at < 0 ? product.cycles : product.cycles.slice(0, at);
  const supported = newer.filter((each) => isSupported(each, asOf));
  const families = familiesOf(product, cycle, supported);
  const lasting = families.map((family) => family.filter((each) => lastsFor(each, asOf, WORTHWHILE_MONTHS)));
  const best = lasting.find((family) => family.length > 0);
  if (best) return { targets: best, endsSoon: false };
  return { targets: families.find((family) => family.length > 0) ?? [], endsSoon: true };
}

function isSupported({ retired, eol }: ReleaseCycle, asOf: IsoDate): boolean {
  const { status } = lifecycleState(eol, asOf);
  return !retired && (status === "active" || status === "approaching");
}

/** No announced end counts as lasting. */
function lastsFor({ eol }: ReleaseCycle, asOf: IsoDate, months: number): boolean {
  return eol.kind !== "dated" || lastDay(eol.date) >= addMonths(asOf, months);
}

/** By the end of support; no announced end is the latest. */
function compareEnds(a: ReleaseCycle, b: ReleaseCycle): number {
  const [left, right] = [a, b].map(({ eol }) => (eol.kind === "dated" ? lastDay(eol.date) : undefined));
  if (left === right) return 0;
  if (left === undefined) return 1;
  return right === undefined || left < right ? -1 : 1;
}

function upgradeTarget(product: Product, cycle: ReleaseCycle, asOf: IsoDate): UpgradeTarget {
  return {
    releaseCycle: { product: product.slug, cycle: cycle.name },
    eol: cycle.eol,
    days: lifecycleState(cycle.eol, asOf).daysUntilEol,
    lts: isLongTerm(cycle, asOf),
  };
}
