/** Everything that is said of one line on one day: step 3 of the main path. Pure; callers keep the answer per line. */
import type { IsoDate } from "../ids.ts";
import type { Assessment, Product, ReleaseCycle } from "../model.ts";
import { lastDay } from "./days.ts";
import { provenanceOf } from "./provenance.ts";
import { bandOf, factorsOf, gradeOf, scoreOf } from "./score.ts";
import { standing } from "./status.ts";
import { runningTracks } from "./support.ts";

export function assess(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Assessment {
  const stands = standing(cycle.eol, asOf);
  const [track] = runningTracks(cycle, asOf);
  const kevBasis = product.kev?.basis ?? null;
  const factors = factorsOf({
    end: cycle.eol,
    standing: stands,
    attackSurface: product.attackSurface,
    kevBasis,
    extendedSupport: track !== undefined,
  });
  const score = scoreOf(factors);
  return {
    line: { product: product.slug, cycle: cycle.name },
    productName: product.name,
    cycle,
    asOf,
    ...stands,
    eolDate: cycle.eol.kind === "dated" ? cycle.eol.date : null,
    eolBoolean: eolBoolean(cycle),
    score,
    ...gradeOf(score),
    band: bandOf(score),
    factors,
    kevExposed: factors.cisaKevExposure > 0,
    kevBasis,
    extendedSupport: { available: track !== undefined, vendor: track?.vendor || null, until: track?.end ?? null },
    provenance: provenanceOf(cycle.statements, asOf),
    cpes: product.cpes,
    purls: product.purls,
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
