/**
 * Which known exploited vulnerabilities name a product. The curated map says under which vendor and product names CISA
 * lists it, and how exactly; `named` holds entries whose description names a product that their heading does not.
 */
import type { KevBasis } from "../../core/model.ts";
import type { KevReading } from "../sources/source.ts";
import type { StoredKevEntry } from "../schema.ts";
import type { CuratedKev, CuratedProduct } from "./curated.ts";
import type { Problems } from "./problems.ts";

const RANK: readonly KevBasis[] = ["exact", "evidence", "component", "bundle"];

export function kevByProduct(
  map: CuratedKev,
  products: readonly CuratedProduct[],
  reading: KevReading,
  problems: Problems,
): ReadonlyMap<string, readonly StoredKevEntry[]> {
  const pairs = [
    ...Object.entries(map.pairs).flatMap(([slug, rows]) => rows.map((row) => [slug, ...row] as const)),
    ...products.flatMap(({ slug, kev = [] }) => kev.map((row) => [slug, ...row] as const)),
  ];
  const byPair = Map.groupBy(reading.entries, ({ vendor, product }) => heading(vendor, product));
  const byCve = new Map(reading.entries.map((entry) => [entry.cve, entry]));
  const found = new Map<string, Map<string, KevBasis>>();
  const add = (slug: string, cve: string, basis: KevBasis) => {
    const cves = found.get(slug) ?? new Map<string, KevBasis>();
    const known = cves.get(cve);
    if (known === undefined || RANK.indexOf(basis) < RANK.indexOf(known)) cves.set(cve, basis);
    found.set(slug, cves);
  };
  for (const [slug, vendor, product, basis] of pairs) {
    const entries = byPair.get(heading(vendor, product));
    if (entries === undefined) problems.note("kev-pair-gone", slug, `no entry is headed ${vendor} ${product} any more`);
    for (const { cve } of entries ?? []) add(slug, cve, basis);
  }
  for (const [slug, cves] of Object.entries(map.named)) {
    for (const cve of cves) {
      if (byCve.has(cve)) add(slug, cve, "evidence");
      else problems.note("kev-entry-gone", slug, `${cve} is not in the catalogue any more`);
    }
  }
  return new Map(
    [...found].map(([slug, cves]) => [
      slug,
      [...cves]
        .flatMap(([cve, basis]): (StoredKevEntry & { readonly 1: string })[] => {
          const entry = byCve.get(cve);
          if (entry === undefined) return [];
          return [entry.ransomware ? [cve, entry.added, basis, 1] : [cve, entry.added, basis]];
        })
        .sort((a, b) => (a[1] === b[1] ? (a[0] < b[0] ? -1 : 1) : a[1] < b[1] ? 1 : -1)),
    ]),
  );
}

/** The feed writes blanks around some names (`Windows `). */
function heading(vendor: string, product: string): string {
  return [vendor, product].map((name) => name.trim().replaceAll(/\s+/g, " ")).join("\n");
}
