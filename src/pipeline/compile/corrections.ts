/** Overrides and human checks: curated claims on single release cycles, each with its page, day and reason. */
import type { StoredProduct, StoredClaim } from "../../catalogue/schema.ts";
import { address, type CompileContext } from "./products.ts";

export function withCorrections(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const corrections = context.curated.corrections.filter((correction) => correction.product === slug);
  if (corrections.length === 0) return product;
  const known = new Set(product.cycles.map(({ name }) => name));
  for (const { cycle } of corrections)
    if (!known.has(cycle))
      context.problems.refuse(
        "unknown-cycle",
        `${slug}:${cycle}`,
        `corrections.json corrects ${slug}:${cycle}, which is in no record`,
      );
  const cycles = product.cycles.map((storedCycle) => {
    const claims = corrections
      .filter(({ cycle }) => cycle === storedCycle.name)
      .map(({ kind, page, on, reason, eol }): StoredClaim => {
        const url = address(context, page);
        return [context.tables.read({ kind, source: "eolgate", url, on, reason }), eol];
      });
    return claims.length === 0 ? storedCycle : { ...storedCycle, also: [...(storedCycle.also ?? []), ...claims] };
  });
  return { ...product, cycles };
}
