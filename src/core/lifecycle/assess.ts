/** The assessment of a release cycle on a day: step 3 of the main path. Pure; callers keep the answer per cycle. */
import type { IsoDate } from "../ids.ts";
import type { Assessment, KevState, Product, ReleaseCycle } from "../model.ts";
import { lastDay } from "./days.ts";
import { kevOfCycle } from "./kev.ts";
import { provenanceOf } from "./provenance.ts";
import {
  bandOf,
  scoreFactors,
  type DateIndependentFactors,
  dateIndependentFactors,
  gradeOf,
  kevPoints,
  scoreOf,
} from "./score.ts";
import { lifecycleState } from "./status.ts";
import { runningTracks } from "./support.ts";

/** Assesses a release cycle on a day (UTC): status, score and provenance of its end date. */
export function assess(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Assessment {
  const { attackSurface } = product;
  const kev = product.kev === undefined ? NO_KEV : kevOfCycle(product.kev.entries, cycle.name);
  return {
    releaseCycle: { product: product.slug, cycle: cycle.name },
    productName: product.name,
    cycle,
    eolDate: cycle.eol.kind === "dated" ? cycle.eol.date : null,
    eolBoolean: eolBoolean(cycle),
    ...onDay(cycle, asOf, dateIndependentFactors(attackSurface, kev.state)),
    kevExposed: isExposed(kev.state),
    kevBasis: kev.state,
    kevFixedIn: kev.fixedIn,
    provenance: provenanceOf(cycle.claims, asOf),
    cpes: product.cpes,
    // Built from the whole purl map on first use, and few answers show them.
    get purls() {
      return product.purlsOfPart?.(cycle.part) ?? product.purls;
    },
  };
}

const NO_KEV = { state: null, fixedIn: null } as const;

const isExposed = (state: KevState | null): boolean => state === "affected" || state === "product";

/** The assessment for a version of which the KEV entries say something else than of its cycle. */
export function withKevState(assessment: Assessment, state: KevState): Assessment {
  const factors = { ...assessment.factors, cisaKevExposure: kevPoints(state) };
  const score = scoreOf(factors);
  // Descriptors, because a spread would read `purls`, which builds the whole map.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy has the type of the original
  const copy = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(assessment)) as Assessment;
  const changed = {
    kevBasis: state,
    kevExposed: isExposed(state),
    factors,
    score,
    band: bandOf(score),
    ...gradeOf(score),
  };
  return Object.assign(copy, changed);
}

/**
 * The assessment of the same cycle on a later day, with what is known today: end, support and score move on; the facts
 * and their sources stay. For forecasts.
 */
export function assessLater(today: Assessment, asOf: IsoDate): Assessment {
  return { ...today, ...onDay(today.cycle, asOf, today.factors) };
}

/** Everything that moves with the day. */
function onDay(cycle: ReleaseCycle, asOf: IsoDate, fixed: DateIndependentFactors) {
  const state = lifecycleState(cycle.eol, asOf);
  const [track] = runningTracks(cycle, asOf);
  const factors = scoreFactors(fixed, cycle.eol, state, track !== undefined);
  const score = scoreOf(factors);
  return {
    asOf,
    ...state,
    score,
    ...gradeOf(score),
    band: bandOf(score),
    factors,
    extendedSupport: { available: track !== undefined, vendor: track?.vendor || null, until: track?.end ?? null },
  };
}

/** Null if there is a date, and where nothing is known. */
function eolBoolean({ eol }: ReleaseCycle): boolean | null {
  if (eol.kind === "dated" || eol.kind === "unknown") return null;
  return eol.kind === "ended";
}

/**
 * The product's release cycle with the highest score; among equals the one with the most recent end, then the newest.
 * Undefined for a product without cycles.
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

/** A cycle without a date sorts before those with one. */
const endDay = ({ eolDate }: Assessment): string => (eolDate === null ? "" : lastDay(eolDate));
