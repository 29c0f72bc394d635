/** Assesses watched release cycles by the catalogue in use on a day. */
import type { IsoDate } from "../../core/ids.ts";
import { assess } from "../../core/lifecycle/assess.ts";
import type { Assessment, Catalogue, KevEntry } from "../../core/model.ts";
import { lastDay } from "../../core/lifecycle/days.ts";
import { cycleByName } from "../../core/resolve/version/older.ts";
import type { KevPair, WatchedCycle } from "../../store/store.ts";
import type { CycleDetails } from "../mail/content.ts";
import type { NewCves } from "./plan.ts";

/** In the given order; cycles that the catalogue no longer contains are left out. */
export function assessCycles(
  catalogue: Catalogue,
  releaseCycles: readonly WatchedCycle[],
  day: IsoDate,
): readonly Assessment[] {
  return releaseCycles.flatMap((releaseCycle) => {
    const product = catalogue.product(releaseCycle.product);
    const cycle = product && cycleByName(product, releaseCycle.cycle, day);
    return product && cycle ? [assess(product, cycle, day)] : [];
  });
}

/** Every pair of product and known-exploited vulnerability in the catalogue. */
export function kevPairs(catalogue: Catalogue): readonly KevPair[] {
  return catalogue.slugs().flatMap((product) => {
    const entries: readonly KevEntry[] = catalogue.product(product)?.kev?.entries ?? [];
    return entries.map(({ cve }) => ({ product, cve }));
  });
}

/** The pairs that are not known yet, by product. */
export function newCves(pairs: readonly KevPair[], known: readonly KevPair[]): NewCves {
  const before = new Set(known.map(({ product, cve }) => `${product} ${cve}`));
  const landed = new Map<string, string[]>();
  for (const { product, cve } of pairs) {
    if (before.has(`${product} ${cve}`)) continue;
    landed.set(product, [...(landed.get(product) ?? []), cve]);
  }
  return landed;
}

/** What a mail states about a release cycle, with its source. */
export function cycleDetails(assessment: Assessment): CycleDetails {
  const { releaseCycle, productName, cycle, status, eolDate, daysUntilEol, daysPastEol, score, provenance } =
    assessment;
  return {
    product: releaseCycle.product,
    productName,
    cycle: releaseCycle.cycle,
    status,
    eolDate: eolDate && lastDay(eolDate),
    precision: eolDate?.precision ?? null,
    daysUntilEol,
    daysPastEol,
    score,
    source: provenance.source,
    sourceUrl: provenance.url,
    verifiedAt: provenance.verifiedAt,
    confidence: provenance.confidence,
    latest: cycle.latest?.name ?? null,
    support: assessment.extendedSupport.vendor,
  };
}
