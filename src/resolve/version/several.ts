/**
 * Versions and ranges that can mean several release cycles. If all of these have ended, the version has ended, no later
 * than the last of them. A range that admits versions of one cycle only is assessed by that cycle.
 */
import type { IsoDate } from "../../text/ids.ts";
import { lastDay } from "../../lifecycle/days.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import type { Product, ReleaseCycle } from "../../model/index.ts";
import { cyclesBelow, indexCycles } from "./cycle-index.ts";
import { CYCLE_NAME, endedLike, monotonicCycles } from "./older.ts";
import { compareNumbers, leadingNumbers, normalizeVersion } from "./parse.ts";
import { contains, intersect, isEmpty, prefixInterval, type Interval } from "./range.ts";

/**
 * The cycle of a version that can mean each of `names`, if all of them have ended on `asOf`. Undefined when one has not,
 * or when the product may have a newer cycle of that number which is not recorded.
 */
export function endedCycle(
  product: Product,
  version: string,
  names: readonly string[],
  asOf: IsoDate,
): ReleaseCycle | undefined {
  const { byName } = indexCycles(product);
  const cycles = names.flatMap((name) => byName.get(normalizeVersion(name)) ?? []);
  if (cycles.length === 0 || cycles.length < names.length || !isWholeRecord(product, cycles)) return undefined;
  // A number, or a version that is split into editions: Windows 11-23h2.
  const isNumber = cyclesBelow(product, version).length > 0 && !product.split.has(version);
  const name = isNumber ? leadingNumbers(version).join(".") : version;
  return CYCLE_NAME.test(name) ? joinEnded(name, cycles, asOf) : undefined;
}

function joinEnded(name: string, cycles: readonly ReleaseCycle[], asOf: IsoDate): ReleaseCycle | undefined {
  if (!cycles.every(({ eol }) => lifecycleState(eol, asOf).status === "eol")) return undefined;
  const last = cycles.reduce((latest, each) => (endDay(each) > endDay(latest) ? each : latest));
  return {
    // An end without a date may be later than the dated ones.
    ...endedLike(
      name,
      last,
      cycles.every(({ eol }) => eol.kind === "dated"),
    ),
    meantCycles: cycles.map((cycle) => cycle.name),
    // Support beyond the end of any of them may be that of this version.
    tracks: cycles.flatMap(({ tracks }) => tracks),
    rolling: cycles.some(({ rolling }) => rolling),
    retired: cycles.some(({ retired }) => retired),
  };
}

const endDay = ({ eol }: ReleaseCycle): string => (eol.kind === "dated" ? lastDay(eol.date) : "");

/** Whether no newer cycle of these numbers can be missing: the record is complete, or contains higher numbers. */
function isWholeRecord({ scope = "partial", cycles }: Product, meant: readonly ReleaseCycle[]): boolean {
  if (scope !== "partial") return scope === "complete";
  const majors = meant.map(({ name }) => leadingNumbers(name)[0] ?? 0);
  return cycles.some(({ name }) => (leadingNumbers(name)[0] ?? 0) > Math.max(...majors));
}

/** The release cycle that decides for a range, and whether it is one cycle or all that the range admits. */
export interface RangeCycle {
  readonly cycle: ReleaseCycle;
  readonly by: "range" | "all-ended";
}

/** The cycle of a range; undefined where it admits versions of a supported cycle and of another one. */
export function cycleOfRange(product: Product, intervals: readonly Interval[], asOf: IsoDate): RangeCycle | undefined {
  if (!hasPlainNumbers(product) || intervals.length === 0) return undefined;
  const admitted = admittedCycles(product, intervals);
  const [only] = admitted;
  if (only && intervals.every((interval) => contains(intervalOf(only), interval)) && admitted.length === 1)
    return { cycle: only, by: "range" };
  const cycle = allEnded(product, intervals, asOf);
  return cycle && { cycle, by: cycle.olderThan === undefined ? "range" : "all-ended" };
}

/** All cycles from the lowest to the highest one must have ended, and an older version than the record must be older. */
function allEnded(product: Product, intervals: readonly Interval[], asOf: IsoDate): ReleaseCycle | undefined {
  const cycles = product.scope === "complete" ? cyclesBetween(product, intervals) : [];
  const [low, high] = [cycles[0], cycles.at(-1)];
  if (low === undefined || high === undefined) return undefined;
  const ended = joinEnded(low === high ? low.name : `${low.name}..${high.name}`, cycles, asOf);
  return ended && (low === high ? low : ended);
}

/** The cycles from the lowest to the highest one that the range admits; none if it admits versions above the record. */
function cyclesBetween(product: Product, intervals: readonly Interval[]): readonly ReleaseCycle[] {
  const ordered = monotonicCycles(product)?.map(({ cycle }) => cycle) ?? [];
  const admitted = new Set(admittedCycles(product, intervals));
  const last = ordered.findLastIndex((cycle) => admitted.has(cycle));
  const newest = ordered.at(-1);
  const isWithin = newest !== undefined && intervals.every((each) => endsWithin(each, newest));
  return isWithin
    ? ordered.slice(
        ordered.findIndex((cycle) => admitted.has(cycle)),
        last + 1,
      )
    : [];
}

const endsWithin = ({ below }: Interval, cycle: ReleaseCycle): boolean =>
  contains({ from: [], below: intervalOf(cycle).below }, { from: [], below });

const intervalOf = ({ name }: ReleaseCycle): Interval => prefixInterval(leadingNumbers(name));

/** The cycles that contain a version of the range, without those of which a longer name takes the whole part (4, 4.4). */
export function admittedCycles({ cycles }: Product, intervals: readonly Interval[]): readonly ReleaseCycle[] {
  const parts = cycles.flatMap((cycle) => {
    const shared = intervals.map((each) => intersect(each, intervalOf(cycle))).filter((each) => !isEmpty(each));
    return shared.length === 0 ? [] : [{ cycle, shared }];
  });
  return parts
    .filter(
      ({ cycle, shared }) =>
        !parts.some(
          ({ cycle: other }) =>
            other !== cycle &&
            contains(intervalOf(cycle), intervalOf(other)) &&
            shared.every((each) => contains(intervalOf(other), each)),
        ),
    )
    .map(({ cycle }) => cycle);
}

/** Whether the versions of each cycle begin with its number. */
export function hasPlainNumbers(product: Product): boolean {
  const { cycles, models, versionRule = "cycle-names" } = product;
  return (
    !models &&
    versionRule === "cycle-names" &&
    cycles.every(({ name }) => /^\d+(?:\.\d+)*$/.test(name)) &&
    indexCycles(product).namesMatchReleases
  );
}

/** The lowest recorded cycle among `cycles`. */
export const lowestCycle = (cycles: readonly ReleaseCycle[]): ReleaseCycle | undefined =>
  cycles.toSorted((one, other) => compareNumbers(leadingNumbers(one.name), leadingNumbers(other.name)))[0];
