/**
 * Format 2 named some sections and fields differently. Files of that format are in caches, channels and archives: they
 * are still read, and everything that is written has the current format.
 */
import type { PackedProduct } from "./packed.ts";

export const EARLIER_FORMAT = "eolgate-catalogue/2";

/** A product as format 2 packs it. */
export type EarlierProduct = Omit<PackedProduct, "cycles"> & { readonly lines: PackedProduct["cycles"] };

/** The sections of a file of format 2 under their current names. */
export function currentSections<Sections extends Readonly<Record<string, unknown>>>(sections: Sections): Sections {
  const { stamp } = sections;
  return { ...sections, ...(stamp !== undefined && { metadata: stamp }) };
}

/** The current form of a product of either format. */
export function currentProduct(product: PackedProduct | EarlierProduct): PackedProduct {
  if (!("lines" in product)) return product;
  const { lines, rule, ...others } = product;
  return {
    ...others,
    ...(rule !== undefined && { rule: rule === "line-names" ? "cycle-names" : rule }),
    cycles: lines,
  };
}
