/** How exposed a kind of product is: by slug, else by its most exposed tag, else by category. */
import type { AttackSurface } from "../../model/index.ts";
import type { CuratedSurfaces } from "./curated.ts";

const RANK: readonly AttackSurface[] = ["high", "elevated", "standard"];

export function attackSurface(
  table: CuratedSurfaces,
  product: { readonly slug: string; readonly category: string; readonly tags: readonly string[] },
): AttackSurface {
  const own = table.products[product.slug];
  if (own) return own;
  const byTags = product.tags.flatMap((tag) => table.tags[tag] ?? []);
  const classes = new Set([...byTags, table.categories[product.category] ?? "standard"]);
  return RANK.find((surface) => classes.has(surface)) ?? "standard";
}
