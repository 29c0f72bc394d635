/** Counts of a catalogue for `catalogue info`, from its stored form: nothing is decoded for them. */
import type { IsoDate } from "../text/ids.ts";
import { daysBetween } from "../lifecycle/days.ts";
import { asIsoDate } from "../text/ids.ts";
import { openCatalogue, readContent } from "./file.ts";
import { catalogueQuality, type CatalogueQuality } from "./info-quality.ts";
import { documentCoverage, type DocumentCoverage } from "./document-coverage.ts";
import { sourceInfo, type SourceInfo } from "./info-sources.ts";
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
  /** Null if no measurement is bundled. */
  readonly documents: DocumentCoverage | null;
  /** How well the dates are founded. */
  readonly quality: CatalogueQuality;
  readonly sources: readonly SourceInfo[];
}
export function catalogueInfo(bytes: Buffer, origin: string, today: IsoDate): CatalogueInfo {
  const { head } = openCatalogue(bytes, origin);
  const content = readContent(bytes, origin);
  const products = Object.values(content.products);
  const cycles = products.flatMap((product) => product.cycles);
  const isDated = (cycle: StoredCycle, product: StoredProduct) => dated(cycle, product, content);
  const cves = products.flatMap(({ kev = [] }) => kev.map(([cve]) => cve));
  return {
    date: content.metadata.date,
    digest: head.digest,
    signed_by: head.signature?.key ?? null,
    age_days: daysBetween(asIsoDate(content.metadata.date), today),
    origin,
    products: products.length,
    dated_products: products.filter((product) => product.cycles.some((cycle) => isDated(cycle, product))).length,
    cycles: cycles.length,
    dated_cycles: products.reduce(
      (sum, product) => sum + product.cycles.filter((cycle) => isDated(cycle, product)).length,
      0,
    ),
    purls: Object.keys(content.purls).length,
    models: products.filter(({ models }) => models).reduce((sum, { cycles }) => sum + cycles.length, 0),
    kev: { version: content.metadata.kevVersion, entries: new Set(cves).size },
    documents: documentCoverage(),
    quality: catalogueQuality(content, today),
    sources: sourceInfo(content, today),
  };
}

function dated(cycle: StoredCycle, product: StoredProduct, { reads, addresses }: StoredContent): boolean {
  const claims = [[cycle.read ?? product.read, cycle.eol] as const, ...(cycle.also ?? [])];
  return claims.some(([index, end]) => {
    const read = reads[index];
    return (typeof end === "string" || end === true) && read !== undefined && addresses[read.page] !== undefined;
  });
}
