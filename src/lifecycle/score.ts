/** The EOL Risk Score: four integer factors, their sum, and its grade and band. docs/data.md describes them. */
import type { AttackSurface, Band, End, ScoreFactors, Grade, KevState } from "../model/index.ts";
import { APPROACHING_DAYS, type LifecycleState } from "./status.ts";

/** Version of the scoring method. It changes whenever the same data would get another score. */
export const SCORE_VERSION = "1.2";

/** Days until the end (at least this many) → points. */
const UNTIL: readonly (readonly [days: number, points: number])[] = [
  [180, 0],
  [91, 8],
  [0, 15],
];
/** Days since the end (at most this many) → points. */
const PAST: readonly (readonly [days: number, points: number])[] = [
  [90, 25],
  [365, 30],
  [730, 35],
  [Infinity, 40],
];
/** Points for an end on an unpublished date: as many as for the most recent ends. */
const PAST_UNKNOWN_DAY = 25;

/** Offsets in days from the end (negative: before it) of the days on which a cycle's score can change. */
export const SCORE_STEPS: readonly number[] = [
  ...UNTIL.map(([days]) => 1 - days),
  ...PAST.flatMap(([days]) => (days === Infinity ? [] : [days + 1])),
];

const SURFACE: Readonly<Record<AttackSurface, number>> = { high: 30, elevated: 20, standard: 10 };
/** Whether a known exploited vulnerability affects the version or cycle. */
const KEV: Readonly<Record<KevState, number>> = {
  affected: 20,
  "depends-on-patch": 10,
  product: 10,
  "not-analysed": 10,
  "not-affected": 0,
};
const NO_EXTENDED_SUPPORT = 10;

/** The tables of the method, for the documentation and the pages that show them. */
export const METHOD = {
  until: UNTIL,
  past: PAST,
  pastUnknownDay: PAST_UNKNOWN_DAY,
  surface: SURFACE,
  kev: KEV,
  noExtendedSupport: NO_EXTENDED_SUPPORT,
} as const;

/** The maximum of each factor; together 100. */
export const MOST_POINTS: ScoreFactors = {
  eolRecency: Math.max(...PAST.map(([, points]) => points)),
  attackSurface: Math.max(...Object.values(SURFACE)),
  cisaKevExposure: Math.max(...Object.values(KEV)),
  extendedSupport: NO_EXTENDED_SUPPORT,
};

/** Points of the factor `cisa_kev_exposure`. */
export const kevPoints = (state: KevState | null): number => (state === null ? 0 : KEV[state]);

/** The factors that do not depend on the day. */
export type DateIndependentFactors = Pick<ScoreFactors, "attackSurface" | "cisaKevExposure">;

export function dateIndependentFactors(
  attackSurface: AttackSurface,
  kevState: KevState | null,
): DateIndependentFactors {
  return { attackSurface: SURFACE[attackSurface], cisaKevExposure: kevPoints(kevState) };
}

/**
 * Computes the points of each factor. `extendedSupport`: whether support beyond the standard end is available on the
 * day.
 */
export function scoreFactors(
  fixed: DateIndependentFactors,
  end: End,
  state: LifecycleState,
  extendedSupport: boolean,
): ScoreFactors {
  return {
    eolRecency: eolRecency(end, state),
    attackSurface: fixed.attackSurface,
    cisaKevExposure: fixed.cisaKevExposure,
    extendedSupport: !extendedSupport && hasEndedOrEndsSoon(state) ? NO_EXTENDED_SUPPORT : 0,
  };
}

function eolRecency(end: End, { daysUntilEol, daysPastEol }: LifecycleState): number {
  if (daysUntilEol !== null) return UNTIL.find(([days]) => daysUntilEol >= days)?.[1] ?? 0;
  if (daysPastEol !== null) return PAST.find(([days]) => daysPastEol <= days)?.[1] ?? 0;
  return end.kind === "ended" ? PAST_UNKNOWN_DAY : 0;
}

function hasEndedOrEndsSoon({ status, daysUntilEol }: LifecycleState): boolean {
  return status === "eol" || (daysUntilEol !== null && daysUntilEol <= APPROACHING_DAYS);
}

export function scoreOf(factors: ScoreFactors): number {
  return factors.eolRecency + factors.attackSurface + factors.cisaKevExposure + factors.extendedSupport;
}

/** Up to this score → grade. */
export const GRADES: readonly (readonly [upTo: number, grade: Grade, label: string])[] = [
  [20, "A", "Low risk"],
  [40, "B", "Moderate risk"],
  [60, "C", "Elevated risk"],
  [80, "D", "High risk"],
  [100, "F", "Critical risk"],
];
/** Up to this score → band. */
export const BANDS: readonly (readonly [upTo: number, band: Band])[] = [
  [25, "Low"],
  [50, "Medium"],
  [75, "High"],
  [100, "Critical"],
];

export function gradeOf(score: number): { readonly grade: Grade; readonly gradeLabel: string } {
  const [, grade, gradeLabel] = GRADES.find(([upTo]) => score <= upTo) ?? [100, "F", "Critical risk"];
  return { grade, gradeLabel };
}

export function bandOf(score: number): Band {
  return BANDS.find(([upTo]) => score <= upTo)?.[1] ?? "Critical";
}
