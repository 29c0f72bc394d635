/** The release cycles and packages of a watch list: their limits, and their assessment with the catalogue in use. */
import { doubtOn } from "../../lifecycle/doubts.ts";
import { formatDoubtTitle } from "../../messages/doubts.ts";
import { type IsoDate, asProductSlug } from "../../text/ids.ts";
import { assess } from "../../lifecycle/assess.ts";
import type { Assessment, Catalogue, KevEntry, End, Product } from "../../model/index.ts";
import { lastDay } from "../../lifecycle/days.ts";
import { cycleByName } from "../../resolve/version/resolve.ts";
import { upgradeAdvice } from "../../compare/upgrade-targets.ts";
import { formatDate } from "../../messages/format.ts";
import { formatCycle } from "../../report/labels.ts";
import type { KevPair, WatchedCycle } from "../store/store.ts";
import type { CycleDetails, NamedCycle, UpgradeDetails } from "../mail/content.ts";
import { uniqueCycles, type ProductCycle } from "../services.ts";
import { EolgateError } from "../../messages/error.ts";

/** The assessments in the given order, without cycles that the catalogue does not contain any more. */
export const assessCycles = (
  catalogue: Catalogue,
  releaseCycles: readonly ProductCycle[],
  day: IsoDate,
): readonly Assessment[] =>
  releaseCycles.flatMap((releaseCycle) => {
    const product = catalogue.product(releaseCycle.product);
    const cycle = product && cycleByName(product, releaseCycle.cycle, day);
    return product && cycle ? [assess(product, cycle, day)] : [];
  });

/** CVEs that were added since the last run, by product. */
export type NewCveIds = ReadonlyMap<string, readonly string[]>;

/** All pairs of a product and a known exploited vulnerability in the catalogue. */
export const kevPairs = (catalogue: Catalogue): readonly KevPair[] =>
  catalogue.slugs().flatMap((product) => {
    const entries: readonly KevEntry[] = catalogue.product(product)?.kev?.entries ?? [];
    return entries.map(({ cve }) => ({ product, cve }));
  });

/** CVEs of pairs that are not in `known`, by product. */
export function findNewCveIds(pairs: readonly KevPair[], known: readonly KevPair[]): NewCveIds {
  const before = new Set(known.map(({ product, cve }) => `${product} ${cve}`));
  const newCveIds = new Map<string, string[]>();
  for (const { product, cve } of pairs) {
    if (before.has(`${product} ${cve}`)) continue;
    newCveIds.set(product, [...(newCveIds.get(product) ?? []), cve]);
  }
  return newCveIds;
}

/** Release cycles with display labels; for cycles that the catalogue does not contain any more, their identifiers. */
export const namedCycles = (catalogue: Catalogue, releaseCycles: readonly WatchedCycle[]): readonly NamedCycle[] =>
  releaseCycles.map(({ product, cycle }) => {
    const known = catalogue.product(product);
    const record = known?.cycles.find(({ name }) => name === cycle);
    const label = known && record ? formatCycle({ productName: known.name, cycle: record }) : `${product} ${cycle}`;
    return { product, cycle, label };
  });

/** The facts about a release cycle in a mail, with its source and upgrade targets. */
export function cycleDetails(assessment: Assessment, catalogue: Catalogue): CycleDetails {
  const { releaseCycle, productName, cycle, score, provenance } = assessment;
  const { status, date, track, daysUntilEol, daysPastEol } = assessment.support;
  const product = catalogue.product(releaseCycle.product);
  const upgrade = product ? upgradeDetails(product, assessment) : null;
  return {
    product: releaseCycle.product,
    productName,
    cycle: releaseCycle.cycle,
    label: formatCycle(assessment),
    status,
    eolDate: date && lastDay(date),
    precision: date?.precision ?? null,
    track: track?.name ?? null,
    daysUntilEol,
    daysPastEol,
    doubt: formatDoubtTitle(track === null ? doubtOn(assessment.doubts, assessment.asOf) : undefined),
    score,
    source: provenance.source,
    sourceUrl: provenance.url,
    verifiedAt: provenance.verifiedAt,
    confidence: provenance.confidence,
    latest: cycle.latest?.name ?? null,
    support: assessment.extendedSupport.vendor,
    upgrade,
  };
}

function upgradeDetails(product: Product, { cycle, asOf }: Assessment): UpgradeDetails | null {
  const advice = upgradeAdvice(product, cycle, asOf);
  if (!advice) return null;
  const targets = [advice.longest, advice.nearest].flatMap((target) => {
    const record = target && product.cycles.find(({ name }) => name === target.releaseCycle.cycle);
    return record ? [{ label: formatCycle({ productName: product.name, cycle: record }), end: endOf(target.eol) }] : [];
  });
  return { targets, endsSoon: advice.endsSoon === true, successor: advice.successor ?? null };
}

const endOf = (end: End): string | null => (end.kind === "dated" ? formatDate(end.date) : null);

/** Maximum release cycles of a watch list. */
export const WATCH_LIMIT = 50;

export const distinctCycles = (releaseCycles: readonly ProductCycle[]): readonly WatchedCycle[] =>
  uniqueCycles(releaseCycles).map(({ product, cycle }) => ({ product: asProductSlug(product), cycle }));

export const nothingToWatch = (where: string): EolgateError =>
  EolgateError.of("nothing-to-watch", {
    problem: "no component of the document belongs to a tracked release cycle",
  }).at(where);
