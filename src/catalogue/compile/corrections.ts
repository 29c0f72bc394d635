/** Overrides and human checks: curated words on single lines, each with its page, its day and its reason. */
import type { StoredProduct, StoredClaim } from "../schema.ts";
import { address, type CompileContext } from "./products.ts";

export function withCorrections(shop: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const corrections = shop.curated.corrections.filter((correction) => correction.product === slug);
  if (corrections.length === 0) return product;
  const known = new Set(product.lines.map(({ name }) => name));
  for (const { cycle } of corrections)
    if (!known.has(cycle))
      shop.problems.refuse(
        "unknown-line",
        `${slug}:${cycle}`,
        `corrections.json speaks of ${slug}:${cycle}, which is in no record`,
      );
  const lines = product.lines.map((line) => {
    const words = corrections
      .filter(({ cycle }) => cycle === line.name)
      .map(({ kind, page, on, reason, eol }): StoredClaim => {
        const url = address(shop, page);
        return [shop.tables.read({ kind, source: "eolgate", url, on, reason }), eol];
      });
    return words.length === 0 ? line : { ...line, also: [...(line.also ?? []), ...words] };
  });
  return { ...product, lines };
}
