/** Counts of a catalogue for `catalogue info`, from its stored form: nothing is decoded for them. */
import type { IsoDate } from "../core/ids.ts";
import { daysBetween } from "../core/lifecycle/days.ts";
import { asIsoDate } from "../core/ids.ts";
import { openCatalogue, readContent } from "./file.ts";
import { catalogueQuality, type CatalogueQuality } from "./info-quality.ts";
import type { StoredContent, StoredCycle, StoredProduct } from "./schema.ts";

/** The JSON output of `catalogue info`. */
export interface CatalogueInfo {
  readonly date: string;
  readonly digest: string;
  readonly signed_by: string | null;
  readonly age_days: number;
  readonly origin: string;
  readonly products: number;
  readonly dated_products: number;
  readonly cycles: number;
  /** With an end date, or a declared end, that has a source, an address and a day. */
  readonly dated_cycles: number;
  readonly purls: number;
  readonly models: number;
  readonly kev: { readonly version: string; readonly entries: number };
  /** How well the dates are founded. */
  readonly quality: CatalogueQuality;
  readonly sources: readonly SourceInfo[];
}
export interface SourceInfo {
  readonly id: string;
  /** Claims of this source, over all cycles and fields. */
  readonly statements: number;
  /** Oldest and newest day on which one of its pages was read. */
  readonly read_on: { readonly oldest: string; readonly newest: string };
}

export function catalogueInfo(bytes: Buffer, origin: string, today: IsoDate): CatalogueInfo {
  const { head } = openCatalogue(bytes, origin);
  const content = readContent(bytes, origin);
  const products = Object.values(content.products);
  const cycles = products.flatMap(({ lines }) => lines);
  const isDated = (cycle: StoredCycle, product: StoredProduct) => dated(cycle, product, content);
  const cves = products.flatMap(({ kev = [] }) => kev.map(([cve]) => cve));
  return {
    date: content.stamp.date,
    digest: head.digest,
    signed_by: head.signature?.key ?? null,
    age_days: daysBetween(asIsoDate(content.stamp.date), today),
    origin,
    products: products.length,
    dated_products: products.filter((product) => product.lines.some((cycle) => isDated(cycle, product))).length,
    cycles: cycles.length,
    dated_cycles: products.reduce(
      (sum, product) => sum + product.lines.filter((cycle) => isDated(cycle, product)).length,
      0,
    ),
    purls: Object.keys(content.purls).length,
    models: products.filter(({ models }) => models).reduce((sum, { lines }) => sum + lines.length, 0),
    kev: { version: content.stamp.kevVersion, entries: new Set(cves).size },
    quality: catalogueQuality(content, today),
    sources: sourcesOf(content),
  };
}

function dated(cycle: StoredCycle, product: StoredProduct, { reads, addresses }: StoredContent): boolean {
  const claims = [[cycle.read ?? product.read, cycle.eol] as const, ...(cycle.also ?? [])];
  return claims.some(([index, end]) => {
    const read = reads[index];
    return (typeof end === "string" || end === true) && read !== undefined && addresses[read.page] !== undefined;
  });
}

/** The read of each claim on a cycle. */
function readsOf(cycle: StoredCycle, product: StoredProduct): readonly number[] {
  const lists = [cycle.also, cycle.alsoEoas, cycle.alsoEoes, cycle.quarantined];
  return [
    ...(cycle.eol === undefined ? [] : [cycle.read ?? product.read]),
    ...lists.flatMap((claims = []) => claims.map(([read]) => read)),
    ...(cycle.tracks ?? []).flatMap(({ read }) => read ?? []),
  ];
}

/** Every source with the number of its claims. The pages of our own records count as one source. */
function sourcesOf({ products, reads, earlyEnds }: StoredContent): readonly SourceInfo[] {
  const counts = new Map<number, number>();
  for (const product of Object.values(products)) {
    for (const read of product.lines.flatMap((cycle) => readsOf(cycle, product)))
      counts.set(read, (counts.get(read) ?? 0) + 1);
  }
  for (const { read, packages } of Object.values(earlyEnds)) {
    counts.set(read, (counts.get(read) ?? 0) + Object.keys(packages).length);
  }
  const sources = new Map<string, { statements: number; days: string[] }>();
  for (const [index, statements] of counts) {
    const read = reads[index];
    if (read === undefined) continue;
    const source = sources.get(read.source) ?? { statements: 0, days: [] };
    source.statements += statements;
    source.days.push(read.on);
    sources.set(read.source, source);
  }
  return [...sources]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { statements, days }]) => {
      const sorted = days.toSorted();
      return { id, statements, read_on: { oldest: sorted[0] ?? "", newest: sorted.at(-1) ?? "" } };
    });
}
