/**
 * Versions older than the recorded release cycles: below the oldest one or between two of them. Such a version has ended
 * when the next recorded cycle above it has ended, provided that the product's numbers grow monotonically
 * (docs/evidence-rules.md).
 */
import type { IsoDate } from "../../text/ids.ts";
import { daysBetween, lastDay } from "../../lifecycle/days.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import type { Product, ReleaseCycle } from "../../model/index.ts";
import { rememberedOf } from "../../text/values.ts";
import { compareNumbers, leadingNumbers, normalizeVersion } from "./parse.ts";

interface NumberedCycle {
  readonly cycle: ReleaseCycle;
  readonly numbers: readonly number[];
}

/** Such a version becomes a cycle name in reports and addresses, so its characters and its length are limited. */
export const CYCLE_NAME = /^\d[\w.+~-]{0,63}$/;

/**
 * Returns an ended cycle for `version`, which no recorded cycle contains, with the sources of the next recorded cycle.
 * Undefined when the record does not show that it has ended.
 */
export function olderCycle(product: Product, version: string, asOf: IsoDate): ReleaseCycle | undefined {
  const numbers = leadingNumbers(normalizeVersion(version));
  // Generators and unreleased projects write 0.0.0.
  if (numbers.every((number) => number === 0) || !CYCLE_NAME.test(version)) return undefined;
  const next = nextCycle(product, numbers);
  if (next === undefined || hasNotEnded(next, asOf)) {
    const replacing = onlyLivingCycle(product, numbers, asOf);
    return replacing && endedLike(version, replacing, false);
  }
  if (isOnGrowingBranch(product, version, asOf)) return undefined;
  const { declaredBy, successor } = next;
  return {
    ...endedLike(version, next, true),
    ...(declaredBy !== undefined && { declaredBy }),
    ...(successor !== undefined && { successor }),
  };
}

/**
 * The only living cycle of a product of which only the newest release gets fixes, if it is above a version: it has
 * superseded each older one, whether or not that is recorded.
 */
function onlyLivingCycle(product: Product, numbers: readonly number[], asOf: IsoDate): ReleaseCycle | undefined {
  const [only, ...others] = product.cycles.filter((cycle) => hasNotEnded(cycle, asOf));
  if (only === undefined || others.length > 0 || !only.rolling) return undefined;
  const placed = monotonicCycles(product)?.find(({ cycle }) => cycle === only);
  const isBelow = placed !== undefined && compareNumbers(numbers, placed.numbers) < 0;
  return isBelow && isCalendar(numbers) === isCalendar(placed.numbers) ? only : undefined;
}

const hasNotEnded = ({ eol }: ReleaseCycle, asOf: IsoDate): boolean => lifecycleState(eol, asOf).status !== "eol";

/**
 * Whether a branch of the product may have grown to a version: a recorded cycle below it, in its major version, lives or
 * was released after the next cycle above had ended. Above several cycles of the major version each of them counts,
 * between two of them only the one below. Not above the last cycle of a branch that is recorded as closed.
 */
export function isOnGrowingBranch(product: Product, version: string, asOf: IsoDate): boolean {
  const numbers = leadingNumbers(normalizeVersion(version));
  const ofMajor = (monotonicCycles(product) ?? []).filter(({ numbers: [major] }) => major === numbers[0]);
  const below = ofMajor.filter((each) => compareNumbers(each.numbers, numbers) < 0);
  const last = below.at(-1);
  if (last === undefined || product.closedBranches?.includes(last.cycle.name)) return false;
  const branch = below.length < ofMajor.length ? [last] : below;
  const next = nextCycle(product, numbers);
  return branch.some(({ cycle }) => hasNotEnded(cycle, asOf) || (next !== undefined && isAfterEnd(cycle, next)));
}

const isAfterEnd = ({ releaseDate }: ReleaseCycle, { eol }: ReleaseCycle): boolean =>
  releaseDate !== undefined && eol.kind === "dated" && releaseDate.value > lastDay(eol.date);

/** An ended cycle that is not recorded, with the sources of the recorded one that shows its end. */
export const endedLike = (name: string, shown: ReleaseCycle, isDated: boolean): ReleaseCycle => ({
  name,
  lts: false,
  eol: { kind: "ended" },
  ...(isDated && shown.eol.kind === "dated" && { eolNoLaterThan: shown.eol.date }),
  olderThan: shown.name,
  claims: shown.claims.map((claim) => ({ ...claim, end: { kind: "ended" }, basis: "rule" })),
  tracks: [],
  rolling: shown.rolling,
  retired: shown.retired,
});

/** The lowest recorded cycle above `numbers`, where the numbers are those of the product. */
function nextCycle(product: Product, numbers: readonly number[]): ReleaseCycle | undefined {
  const cycles = monotonicCycles(product) ?? [];
  const [oldest] = cycles;
  if (oldest === undefined || isCalendar(numbers) !== isCalendar(oldest.numbers)) return undefined;
  // A major between two recorded ones may have been skipped or may belong to something else: .NET has no 4.x, but
  // packages of .NET do.
  const isBelowAll = compareNumbers(numbers, oldest.numbers) < 0;
  const isOfRecordedMajor = cycles.some((each) => each.numbers[0] === numbers[0]);
  if (!isOfRecordedMajor && !(isBelowAll && startsAtFirstMajor(product))) return undefined;
  return cycles.find((each) => compareNumbers(numbers, each.numbers) < 0)?.cycle;
}

/** A partial record may start at a later major: JUnit 4 is a product of its own, and younger than JUnit 5.0. */
const startsAtFirstMajor = ({ scope = "partial" }: Product): boolean => scope !== "partial";

/** The product's cycles in ascending order; undefined when their numbers are not one monotonic scheme. */
export const monotonicCycles: (product: Product) => readonly NumberedCycle[] | undefined = rememberedOf((product) => {
  const { cycles, models, monotonic, versionRule } = product;
  // A product with a version scheme does not use its cycle names as numbers: Java went from 1.8 to 9.
  if (models || cycles.length === 0 || (versionRule !== undefined && versionRule !== "cycle-names")) return undefined;
  if (!cycles.every(({ name }) => /^\d+(?:\.\d+)*$/.test(name))) return undefined;
  const ordered = cycles
    .map((cycle) => ({ cycle, numbers: leadingNumbers(cycle.name) }))
    .sort((a, b) => compareNumbers(a.numbers, b.numbers) || a.numbers.length - b.numbers.length);
  const calendar = ordered.filter(({ numbers }) => isCalendar(numbers)).length;
  if (calendar > 0 && calendar < ordered.length) return undefined;
  return monotonic || majorsAreInOrder(ordered) ? ordered : undefined;
});

/**
 * The catalogue marks a product as monotonic only if no higher number was ever released first. Majors also count as
 * ordered if old ones got cycles after the first one of the next major (Python 2.7 and 3.0), within this limit.
 */
const OVERLAP_DAYS = 3 * 365;

/** Whether the majors were released in the order of their numbers. openSUSE went from 13.2 to 42.1 to 15.0. */
function majorsAreInOrder(ordered: readonly NumberedCycle[]): boolean {
  const firsts = new Map<number, IsoDate>();
  for (const { cycle, numbers } of ordered) {
    const [major = 0] = numbers;
    const released = cycle.releaseDate?.value;
    if (released === undefined) continue;
    const first = firsts.get(major);
    if (first === undefined || released < first) firsts.set(major, released);
  }
  const dates = [...firsts.values()];
  return dates.every((date, index) => daysBetween(date, dates[index - 1] ?? date) <= OVERLAP_DAYS);
}

/** 2019.2, 2024: the number is a year. */
export function isCalendar([major = 0]: readonly number[]): boolean {
  return major >= 1990 && major < 2100;
}
