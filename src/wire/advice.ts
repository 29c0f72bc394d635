/** Converts known exploitation, upcoming ends and upgrade targets to their wire objects. */
import { byText, compact } from "../text/values.ts";
import { lastDay } from "../lifecycle/days.ts";
import { kevOfProduct } from "../lifecycle/kev.ts";
import type { Advice, Assessment, CatalogueMetadata, KevEntry, UpgradeTarget, Product } from "../model/index.ts";
import { dayOf } from "./lifecycle.ts";
import type { Links } from "./links.ts";
import type { UpgradeTargetObject, KevObject, UpcomingObject, UpgradeObject } from "./schemas.ts";
import { requestedFields, type Requested } from "./score.ts";

export function kevObject(product: Product, metadata: CatalogueMetadata, links: Links): KevObject {
  const entries = product.kev?.entries ?? [];
  return {
    product: product.slug,
    name: product.name,
    kev_exposed: product.kev !== undefined,
    kev_basis: kevOfProduct(entries),
    count: entries.length,
    entries: entries.map(kevEntryObject),
    kev_catalog: metadata.kevVersion,
    product_url: links.product(product.slug),
    docs: links.docs,
  };
}

function kevEntryObject({ cve, added, ransomware, basis, versions }: KevEntry): KevObject["entries"][number] {
  const named = { cve, added, ransomware, basis };
  return versions === undefined ? named : { ...named, cycles: versions.cycles, fixed_in: versions.fixedIn };
}

export interface UpcomingWindow {
  readonly days: number;
  /** Days back: cycles that have ended since then are listed too. */
  readonly past: number;
  readonly limit: number;
  readonly asOf: string;
}

/** Lists the assessments whose end is in the window, the earliest first, then by product and cycle. */
export function upcomingObject(
  assessments: readonly Assessment[],
  { days, past, limit, asOf }: UpcomingWindow,
  links: Links,
): UpcomingObject {
  const ending = assessments.flatMap(({ eolDate, daysUntilEol, daysPastEol, releaseCycle, ...assessment }) => {
    const isListed = (daysUntilEol ?? Infinity) <= days || (daysPastEol ?? Infinity) <= past;
    if (!eolDate || !isListed) return [];
    return {
      product: releaseCycle.product,
      product_name: assessment.productName,
      version: releaseCycle.cycle,
      eol_date: lastDay(eolDate),
      days_until_eol: daysUntilEol,
      days_past_eol: daysPastEol,
      status: assessment.status,
      score: assessment.score,
      score_card_url: links.scoreCard(releaseCycle),
    };
  });
  const lines = ending
    .toSorted((a, b) => byText(a.eol_date, b.eol_date) || byText(a.product, b.product) || byText(a.version, b.version))
    .slice(0, limit);
  return { days, total: ending.length, count: lines.length, lines, as_of: asOf, docs: links.docs };
}

export function upgradeObject(
  assessment: Assessment,
  advice: Advice | undefined,
  links: Links,
  requested?: Requested,
): UpgradeObject {
  return {
    product: assessment.releaseCycle.product,
    version: assessment.releaseCycle.cycle,
    ...requestedFields(requested),
    status: assessment.status,
    eol_date: dayOf(assessment.eolDate),
    longest: advice?.longest ? targetObject(advice.longest, links) : null,
    nearest: advice?.nearest ? targetObject(advice.nearest, links) : null,
    ends_soon: advice?.endsSoon === true,
    ...compact({ or_newer: advice?.orNewer?.cycle, successor: advice?.successor }),
    as_of: assessment.asOf,
    docs: links.docs,
  };
}

export const targetObject = ({ releaseCycle, eol, days, lts }: UpgradeTarget, links: Links): UpgradeTargetObject => ({
  version: releaseCycle.cycle,
  eol_date: eol.kind === "dated" ? dayOf(eol.date) : null,
  days_until_eol: days,
  lts,
  score_card_url: links.scoreCard(releaseCycle),
});
