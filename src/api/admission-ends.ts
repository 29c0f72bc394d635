/**
 * From which day on `check` fails by default on a part of an image. The day is found by asking the resolver on days
 * before and after it.
 */
import { withVersion } from "../files/document.ts";
import { addDays, lastDay } from "../lifecycle/days.ts";
import { freeTracks, supportThatCounts } from "../lifecycle/support.ts";
import type { AssessedComponent, Catalogue, CycleRef, ReleaseCycle, Resolution } from "../model/index.ts";
import { packageEndOf } from "../policy/deciding.ts";
import { evaluatePolicy } from "../policy/evaluate.ts";
import { DEFAULT_POLICY } from "../policy/fields.ts";
import { assessComponent, createAssessContext } from "../resolve/answer.ts";
import type { ImagePart } from "../resolve/image-parts.ts";
import { NO_COMPONENT } from "../resolve/resolve.ts";
import { isCalendar, monotonicCycles } from "../resolve/version/older.ts";
import { compareNumbers, leadingNumbers } from "../resolve/version/parse.ts";
import { asIsoDate, asPurl } from "../text/ids.ts";
import { byText, remembered } from "../text/values.ts";

/** A day before all ends, and one after them. */
const EARLY = asIsoDate("1900-01-01");
export const LATE = asIsoDate("2199-12-31");

/** The first day on which `check` fails on a part of an image by default; undefined: never, or nothing is known. */
export type VersionEnd = (part: ImagePart) => string | undefined;

const failsOn = (day: string, answer: AssessedComponent): boolean =>
  evaluatePolicy([answer], DEFAULT_POLICY, asIsoDate(day)).findings[0]?.outcome.severity === "fail";

/** Answers each text once. */
export function createEnds(catalogue: Catalogue): VersionEnd {
  const contextOn = remembered((day: string) =>
    createAssessContext(catalogue, { strict: false, asOf: asIsoDate(day) }),
  );
  const answerOn = (part: ImagePart, day: string) => assessComponent(componentOf(part), contextOn(day));
  const fails = (part: ImagePart, day: string): boolean => failsOn(day, answerOn(part, day));
  const daysOf = remembered((slug: string) => (catalogue.product(slug)?.cycles ?? []).map((cycle) => firstDay(cycle)));
  const findEnd = (part: ImagePart): string | undefined => {
    const last = answerOn(part, LATE);
    if (!failsOn(LATE, last)) return undefined;
    const likely = [last.assessment, last.distroAssessment].flatMap((each) => (each ? firstDay(each.cycle) : []));
    const isFirst = (day: string): boolean =>
      fails(part, day) && (day === EARLY || !fails(part, addDays(asIsoDate(day), -1)));
    const first = likely.find(isFirst);
    if (first !== undefined) return first;
    // The release cycle of a version can depend on the day: `3` is one release cycle when all others have ended.
    const days = [answerOn(part, EARLY), last].flatMap(({ resolution }) => [
      ...daysOf(productOf(resolution) ?? ""),
      packageEndOf(resolution)?.from ?? EARLY,
    ]);
    return firstOn([...new Set([EARLY, ...likely, ...days])].toSorted(byText), (day) => fails(part, day));
  };
  const known = new Map<string, string | undefined>();
  const endOf = (part: ImagePart): string | undefined => {
    const key = alike(contextOn(LATE).resolve(componentOf(part)), catalogue);
    if (!known.has(key)) known.set(key, findEnd(part));
    return known.get(key);
  };
  const ends = new Map<string, string | undefined>();
  return (part) => {
    const text = JSON.stringify(part);
    if (!ends.has(text)) ends.set(text, endOf(part));
    return ends.get(text);
  };
}

/** How a version names a recorded release cycle on any day, whatever else has ended. */
const DIRECT: ReadonlySet<string | undefined> = new Set([undefined, "release-line", "longest", "alias", "rule"]);

/**
 * What is the same for all parts that fail from the same day on. By default, only an end of life fails, so neither the
 * version nor the repository matters where they name the same release cycle and place.
 */
function alike(resolution: Resolution, catalogue: Catalogue): string {
  if (resolution.kind !== "resolved") return JSON.stringify(resolution);
  const { releaseCycle, versionMatchedBy, maintainedBy, packageEnd } = resolution;
  const by = DIRECT.has(versionMatchedBy) ? undefined : versionMatchedBy;
  const cycle = by === "older" ? gapOf(releaseCycle, catalogue) : releaseCycle.cycle;
  return JSON.stringify([releaseCycle.product, cycle, by, maintainedBy, packageEnd]);
}

/** Between which recorded release cycles an older version is, and its major version where that is recorded. */
function gapOf({ product, cycle }: CycleRef, catalogue: Catalogue): readonly unknown[] {
  const named = catalogue.product(product);
  const recorded = (named && monotonicCycles(named)) ?? [];
  const numbers = leadingNumbers(cycle);
  if (recorded.length === 0) return [cycle];
  const [major = 0] = numbers;
  return [
    recorded.findIndex((each) => compareNumbers(numbers, each.numbers) < 0),
    recorded.findIndex((each) => compareNumbers(each.numbers, numbers) >= 0),
    recorded.some((each) => each.numbers[0] === major) ? major : isCalendar(numbers),
  ];
}

/** The first of sorted days for which `holds` is true, where it stays true. */
function firstOn(days: readonly string[], holds: (day: string) => boolean): string | undefined {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(days[middle] ?? LATE)) high = middle;
    else low = middle + 1;
  }
  return days[low];
}

/** The day after the support that counts by default; of a version that is not recorded, the one on which it is known. */
function firstDay(cycle: ReleaseCycle): string {
  const { olderThan, eolNoLaterThan = null } = cycle;
  const date = olderThan === undefined ? supportThatCounts(cycle, freeTracks(cycle), EARLY).date : eolNoLaterThan;
  return date === null ? EARLY : addDays(lastDay(date), 1);
}

export const componentOf = ({ name, purl, version, kind = "other" }: ImagePart) => ({
  ...NO_COMPONENT,
  name,
  kind,
  ...(version !== undefined && { version }),
  purls: purl === undefined ? [] : [asPurl(withVersion(purl, version))],
  isPart: true as const,
});

export function productOf(resolution: Resolution): string | undefined {
  if (resolution.kind === "resolved") return resolution.releaseCycle.product;
  if (resolution.kind === "distro-maintained") return resolution.by.product;
  return resolution.kind === "unmatched" ? resolution.product : undefined;
}
