/** Everything that is said of one line on one day: step 3 of the main path. Pure; callers keep the answer per line. */
import type { IsoDate } from "../ids.ts";
import type { Assessment, Product, ReleaseCycle } from "../model.ts";
import { lastDay } from "./days.ts";
import { provenanceOf } from "./provenance.ts";
import {
  bandOf,
  scoreFactors,
  type DateIndependentFactors,
  dateIndependentFactors,
  gradeOf,
  scoreOf,
} from "./score.ts";
import { lifecycleState } from "./status.ts";
import { runningTracks } from "./support.ts";

export function assess(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Assessment {
  const { attackSurface } = product;
  const kevBasis = product.kev?.basis ?? null;
  return {
    releaseCycle: { product: product.slug, cycle: cycle.name },
    productName: product.name,
    cycle,
    eolDate: cycle.eol.kind === "dated" ? cycle.eol.date : null,
    eolBoolean: eolBoolean(cycle),
    ...onDay(cycle, asOf, dateIndependentFactors(attackSurface, kevBasis)),
    kevExposed: kevBasis !== null,
    kevBasis,
    provenance: provenanceOf(cycle.claims, asOf),
    cpes: product.cpes,
    // Made of the whole map when first asked for, and few answers show them.
    get purls() {
      return product.purls;
    },
  };
}

/**
 * The same line on a later day, with what is known today: end, support and score move on, facts and sources stay.
 * For forecasts.
 */
export function assessLater(today: Assessment, asOf: IsoDate): Assessment {
  return { ...today, ...onDay(today.cycle, asOf, today.factors) };
}

/** Everything that moves with the day. */
function onDay(cycle: ReleaseCycle, asOf: IsoDate, fixed: DateIndependentFactors) {
  const stands = lifecycleState(cycle.eol, asOf);
  const [track] = runningTracks(cycle, asOf);
  const factors = scoreFactors(fixed, cycle.eol, stands, track !== undefined);
  const score = scoreOf(factors);
  return {
    asOf,
    ...stands,
    score,
    ...gradeOf(score),
    band: bandOf(score),
    factors,
    extendedSupport: { available: track !== undefined, vendor: track?.vendor || null, until: track?.end ?? null },
  };
}

/** Null where a date says more, and where nothing is known: neither "ended" nor "not ended" would be true. */
function eolBoolean({ eol }: ReleaseCycle): boolean | null {
  if (eol.kind === "dated" || eol.kind === "unknown") return null;
  return eol.kind === "ended";
}

/**
 * The product's line with the highest score; among equals the one whose end is the most recent, and then the newest.
 * Undefined for a product without lines.
 */
export function riskiest(product: Product, asOf: IsoDate): Assessment | undefined {
  let worst: Assessment | undefined;
  for (const cycle of product.cycles) {
    const assessment = assess(product, cycle, asOf);
    if (worst === undefined || riskier(assessment, worst)) worst = assessment;
  }
  return worst;
}

function riskier(a: Assessment, b: Assessment): boolean {
  return a.score === b.score ? endDay(a) > endDay(b) : a.score > b.score;
}

/** A line without a day sorts before each that has one. */
const endDay = ({ eolDate }: Assessment): string => (eolDate === null ? "" : lastDay(eolDate));
