/** Counts of a catalogue for `catalogue info`, from its stored form: nothing is decoded for them. */
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { type IsoDate, asIsoDate } from "../../text/ids.ts";
import { daysBetween } from "../../lifecycle/days.ts";
import type { CatalogueCardData } from "../../report/cards/catalogue.ts";
import { openCatalogue, readContent } from "../file.ts";
import type { StoredContent, StoredCycle, StoredProduct } from "../schema.ts";
import { readPackageFile } from "../../platform/package-files.ts";
import { DOCUMENT_COVERAGE } from "../places.ts";
import { type SourceInfo, sourceInfo } from "./sources.ts";

/** The JSON output of `catalogue info`. */
export interface CatalogueInfo extends CatalogueCardData {
  /** Null if no measurement is bundled. */
  readonly documents: DocumentCoverage | null;
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
    newest_versions: { on: content.metadata.newestOn, packages: Object.keys(content.newestVersions).length },
    documents: documentCoverage(),
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

// How many packages of real documents the catalogue resolves: measured by `bench/document-verdicts.ts`.

const DocumentCoverage = Type.Object({
  measured_on: Type.String(),
  documents: Type.Integer(),
  distinct_purls: Type.Integer(),
  /** Share with a release cycle of their own, in percent. */
  by_cycle: Type.Number(),
  /** The same with packages that a distribution maintains. */
  with_distributions: Type.Number(),
});
export type DocumentCoverage = Static<typeof DocumentCoverage>;

/** The measurement that is part of the package; null if it is missing. */
export function documentCoverage(): DocumentCoverage | null {
  try {
    const value: unknown = JSON.parse(readPackageFile(DOCUMENT_COVERAGE).toString("utf8"));
    return Value.Check(DocumentCoverage, value) ? value : null;
  } catch {
    return null;
  }
}
