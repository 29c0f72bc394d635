/** The feed of devices at the edge of a network, which CISA's Binding Operational Directive 26-02 is about. */
import { addMonths, daysBetween, firstDay, lastDay } from "../lifecycle/days.ts";
import type { Assessment, Product } from "../model/index.ts";
import { asIsoDate, type IsoDate } from "../text/ids.ts";
import { byText } from "../text/values.ts";
import { dayOf } from "./lifecycle.ts";
import type { Links } from "./links.ts";
import type { EdgeDevices } from "./schemas.ts";

type EdgePlatform = EdgeDevices["platforms"][number];
type EdgeLine = EdgePlatform["lines"][number];

/** Products that are no such devices are left out. */
export const edgeDevicesObject = (
  products: readonly Product[],
  assess: (product: Product) => readonly Assessment[],
  asOf: IsoDate,
  links: Links,
): EdgeDevices => ({
  generated: `${asOf}T00:00:00Z`,
  schema_version: "2.0",
  bod_26_02: {
    title: "Mitigating Risk From End-of-Support Edge Devices",
    issued: "2026-02-05",
    url: "https://www.cisa.gov/news-events/directives/bod-26-02-mitigating-risk-end-support-edge-devices",
  },
  platforms: products.flatMap((each) => (each.edge ? platform(each, each.edge, assess(each), links) : [])),
});

function platform(product: Product, category: string, assessments: readonly Assessment[], links: Links): EdgePlatform {
  const provenances = assessments.map(({ provenance }) => provenance);
  const read = provenances
    .flatMap(({ verifiedAt }) => (verifiedAt === null ? [] : firstDay(verifiedAt)))
    .toSorted(byText);
  const levels = ["low", "medium", "high"] as const;
  return {
    slug: product.slug,
    name: product.name,
    category,
    product_url: links.product(product.slug),
    kev: product.kev !== undefined,
    kev_summary: kevSummary(product),
    successor: product.cycles.find(({ successor }) => successor)?.successor ?? null,
    verification: {
      verified_at: read[0] ?? null,
      confidence: levels.find((level) => provenances.some(({ confidence }) => confidence === level)) ?? "low",
    },
    sources: [...new Set(provenances.flatMap(({ url }) => url ?? []))],
    lines: assessments.map(line),
  };
}

/** Null: no entry of CISA's catalogue of known exploited vulnerabilities names the product. */
export function kevSummary({ kev }: Product): EdgePlatform["kev_summary"] {
  if (kev === undefined) return null;
  return {
    cve_count: kev.entries.length,
    latest_added:
      kev.entries
        .map(({ added }) => added)
        .toSorted(byText)
        .at(-1) ?? "",
    known_ransomware_use: kev.entries.some(({ ransomware }) => ransomware),
  };
}

function line({ cycle, productName, support, provenance, asOf }: Assessment): EdgeLine {
  const eos = dayOf(support.date);
  return {
    cycle: cycle.name,
    label: cycle.label ?? `${productName} ${cycle.name}`,
    latest: cycle.latest?.name ?? null,
    status: statusOf(support, asOf),
    eos,
    days_to_eos: eos === null ? null : daysBetween(asOf, asIsoDate(eos)),
    support_end: cycle.eoasFrom?.kind === "dated" ? dayOf(cycle.eoasFrom.date) : null,
    eol_final: cycle.eoesFrom?.kind === "dated" ? dayOf(cycle.eoesFrom.date) : null,
    release_date: dayOf(cycle.releaseDate),
    link: provenance.url,
  };
}

/** What has ended by a doubt alone has no announced date. */
function statusOf({ status, date }: Assessment["support"], asOf: IsoDate): EdgeLine["status"] {
  if (status === "eol") return "eos";
  if (date === null) return "no-date-announced";
  return lastDay(date) <= addMonths(asOf, 12) ? "within-12-months" : "scheduled";
}
