/**
 * New release cycles of our own products. Our files change with a release of this software; where the vendor's feed is the
 * table that a product was read from, a cycle that it lists besides becomes a cycle of the product.
 */
import { compact } from "../../text/values.ts";
import type { SourceClaim } from "../sources/source.ts";
import type { StoredCycle, StoredProduct } from "../../catalogue/schema.ts";
import { storeDate, storeEnd } from "../../catalogue/ends.ts";
import type { SharedTables } from "./tables.ts";
import { readIndex, type VendorReading } from "./vendor.ts";

export function withFeedCycles(
  slug: string,
  product: StoredProduct,
  readings: readonly VendorReading[],
  tables: SharedTables,
): StoredProduct {
  if (product.parts || product.models) return product;
  const page = tables.addresses[tables.reads[product.read]?.page ?? -1] ?? "";
  const known = new Set(product.cycles.map(({ name }) => name));
  const added = readings
    .filter(({ extent, pages }) => extent === "whole" && pages.some((start) => page.startsWith(start)))
    .flatMap((reading) => cyclesOf(slug, reading, tables).filter(({ name }) => !known.has(name) && known.add(name)));
  return added.length === 0 ? product : { ...product, cycles: added.reduce(inserted, product.cycles) };
}

function cyclesOf(slug: string, reading: VendorReading, tables: SharedTables): readonly StoredCycle[] {
  const facts = reading.facts.filter(({ product }) => product === slug);
  return [...Map.groupBy(facts, ({ cycle }) => cycle)].flatMap(([name, claims]) => {
    const [first] = claims;
    const [released] = claims.flatMap((claim) => (claim.field === "releaseDate" ? [claim.date] : []));
    // A planned release is not a release cycle yet, and neither is what was never released.
    if (first === undefined || released === undefined || released.value > reading.readOn) return [];
    const cycle = compact({
      name,
      released: storeDate(released),
      eoas: endOf(claims, "eoas"),
      eol: endOf(claims, "eol"),
      eoes: endOf(claims, "eoes"),
      read: readIndex(tables, reading, first),
    });
    return [cycle];
  });
}

function endOf(claims: readonly SourceClaim[], field: "eoas" | "eol" | "eoes") {
  const claim = claims.find((each) => each.field === field);
  return claim && "end" in claim ? storeEnd(claim.end) : undefined;
}

/** Before the first cycle that was released earlier. */
function inserted(cycles: readonly StoredCycle[], cycle: StoredCycle): readonly StoredCycle[] {
  const at = cycles.findIndex(({ released }) => released !== undefined && released < (cycle.released ?? ""));
  return at === -1 ? [...cycles, cycle] : cycles.toSpliced(at, 0, cycle);
}
