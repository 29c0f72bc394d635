/** Assesses release cycles: step 3 of the main path. Pure; callers cache the assessment of each cycle. */
import type { IsoDate } from "../text/ids.ts";
import type { Assessment, Catalogue, KevState, Policy, Product, ReleaseCycle } from "../model/index.ts";
import { lastDay } from "./days.ts";
import { doubtsOf, doubtsUnder } from "./doubts.ts";
import { type Kev, kevOf } from "./kev.ts";
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
import { freeTracks, runningTracks, type SupportSetting, supportThatCounts, supportUnder } from "./support.ts";

/** Assesses a release cycle on a day (UTC): status, score and provenance of its end date. */
export function assess(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Assessment {
  const { attackSurface } = product;
  const kev = kevOf(product, cycle) ?? NO_KEV;
  const provenance = provenanceOf(cycle.claims, asOf);
  const doubts = doubtsOf(product, cycle, provenance);
  return {
    releaseCycle: { product: product.slug, cycle: cycle.name },
    productName: product.name,
    cycle,
    eolDate: cycle.eol.kind === "dated" ? cycle.eol.date : null,
    eolBoolean: eolBoolean(cycle),
    ...dateDependentFields({ cycle, doubts }, asOf, dateIndependentFactors(attackSurface, kev.state)),
    kevExposed: isExposed(kev.state),
    kevBasis: kev.state,
    kevFixedIn: kev.fixedIn,
    kevEntries: kev.entries,
    provenance,
    doubts,
    cpes: product.cpes,
    // A getter: the list is built from the whole purl map, and few reports show it.
    get purls() {
      return product.purlsOfPart?.(cycle.part) ?? product.purls;
    },
  };
}

const NO_KEV = { state: null, fixedIn: null, entries: [] } as const;

const isExposed = (state: KevState | null): boolean => kevPoints(state) > 0;

/**
 * Returns a copy of the assessment with the KEV state of one version, for a version whose state differs from its
 * cycle's.
 */
export function withKevState(assessment: Assessment, { state, fixedIn, entries }: Kev): Assessment {
  const factors = { ...assessment.factors, cisaKevExposure: kevPoints(state) };
  const score = scoreOf(factors);
  return changed(assessment, {
    kevBasis: state,
    kevExposed: isExposed(state),
    kevFixedIn: entries.length === 0 ? assessment.kevFixedIn : fixedIn,
    kevEntries: entries,
    factors,
    score,
    band: bandOf(score),
    ...gradeOf(score),
  });
}

/**
 * Returns a copy of the assessment with the support and the age of statements that a policy accepts; the assessment itself
 * where they are the same.
 */
export function withSupport(assessment: Assessment, setting: SupportSetting): Assessment {
  const support = supportUnder(assessment, setting);
  const doubts = doubtsUnder(assessment.doubts, setting);
  const isSame = support === assessment.support && doubts === assessment.doubts;
  return isSame ? assessment : changed(assessment, { support, doubts });
}

/** The products whose release cycles are places from which software is taken. */
export const PLACES = {
  images: "image-repositories",
  charts: "chart-repositories",
  actions: "action-repositories",
} as const;
const PLACE_PRODUCTS: ReadonlySet<string> = new Set(Object.values(PLACES));

/** Whether this is the assessment of a place: it ends what is taken from it, and maintains nothing. */
export const isPlace = (assessment: Assessment | undefined): boolean =>
  assessment !== undefined && PLACE_PRODUCTS.has(assessment.releaseCycle.product);

/**
 * The assessment of the distribution's release, where the distribution decides because it backports fixes. A release
 * without a known end does not decide.
 */
export function backportingDistribution(
  distroAssessment: Assessment | undefined,
  { distroPackages }: Pick<Policy, "distroPackages">,
): Assessment | undefined {
  const isUndecided = distroAssessment?.cycle.eol.kind === "unknown" || isPlace(distroAssessment);
  return isUndecided || distroPackages === "upstream" ? undefined : distroAssessment;
}

/** Copies the descriptors, because a spread would read `purls`, which builds the whole map. */
function changed(assessment: Assessment, fields: Partial<Assessment>): Assessment {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy has the type of the original
  const copy = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(assessment)) as Assessment;
  return Object.assign(copy, fields);
}

/** What KEV means for one version of an assessed cycle; undefined if what it means for the cycle applies. */
export type KevOfVersion = (assessment: Assessment, version: string) => Kev | undefined;

/** Determines the KEV state of versions by the affected ranges in the catalogue. */
export function kevFromCatalogue(catalogue: Pick<Catalogue, "product">): KevOfVersion {
  return ({ releaseCycle, cycle }, version) => {
    const product = catalogue.product(releaseCycle.product);
    return product && kevOf(product, cycle, version);
  };
}

/**
 * Returns the function that assesses a version of an assessed cycle. Every surface that is given a version uses it; the
 * assessment of the cycle itself answers only those who ask for the cycle by its name. Versions with the same answer
 * share one object, which later steps use as a key.
 */
export function createVersionAssessment(kevOf: KevOfVersion): (assessment: Assessment, version: string) => Assessment {
  const variants = new Map<Assessment, Map<string, Assessment>>();
  return (assessment, version) => {
    if (assessment.kevBasis === null) return assessment;
    const kev = kevOf(assessment, version);
    if (kev === undefined) return assessment;
    const key = kevKey(kev);
    if (key === kevKey({ state: assessment.kevBasis, entries: assessment.kevEntries })) return assessment;
    const ofCycle = variants.get(assessment) ?? new Map<string, Assessment>();
    const variant = ofCycle.get(key) ?? withKevState(assessment, kev);
    variants.set(assessment, ofCycle.set(key, variant));
    return variant;
  };
}

const kevKey = ({ state, entries }: Pick<Kev, "state" | "entries">): string =>
  `${state} ${entries.map(({ cve, fixedIn }) => `${cve} ${fixedIn}`).join()}`;

/**
 * Assesses the same cycle on a later day with today's data: status, support and score are computed again, the dates and
 * their sources stay the same. For forecasts.
 */
export function assessLater(today: Assessment, asOf: IsoDate): Assessment {
  // Until then its page is read again: only a statement that is too old today stays so.
  const doubts = today.doubts.filter(({ kind, from }) => kind !== "not-checked" || from === null || from <= today.asOf);
  return changed(today, { doubts, ...dateDependentFields({ cycle: today.cycle, doubts }, asOf, today.factors) });
}

/** The fields that depend on the day. */
function dateDependentFields(
  { cycle, doubts }: Pick<Assessment, "cycle" | "doubts">,
  asOf: IsoDate,
  fixed: DateIndependentFactors,
) {
  const state = lifecycleState(cycle.eol, asOf, doubts);
  const [track] = runningTracks(cycle, asOf);
  const factors = scoreFactors(fixed, cycle.eol, state, track !== undefined);
  const score = scoreOf(factors);
  return {
    asOf,
    ...state,
    support: supportThatCounts(cycle, freeTracks(cycle), asOf, doubts),
    score,
    ...gradeOf(score),
    band: bandOf(score),
    factors,
    extendedSupport: { available: track !== undefined, vendor: track?.vendor || null, until: track?.end ?? null },
  };
}

/** Null when the end has a date, and when nothing is known about it. */
function eolBoolean({ eol }: ReleaseCycle): boolean | null {
  if (eol.kind === "dated" || eol.kind === "unknown") return null;
  return eol.kind === "ended";
}

/**
 * Assesses every release cycle of a product and returns the one with the highest score; among equals the one with the
 * latest end, then the newest. Undefined for a product without cycles.
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
