/** A product by its slug or alias, for people who type. Likeness serves messages only; nothing is ever resolved by it. */
import type { ProductSlug } from "../ids.ts";
import type { Catalogue, Product } from "../model.ts";
import { nearest } from "../nearest.ts";
import { normalizeName } from "./normalize-name.ts";

/** The product of this slug, title or alias, exactly (after folding); undefined when none or several have it. */
export function findProduct(catalogue: Catalogue, slugOrAlias: string): Product | undefined {
  const direct = catalogue.product(slugOrAlias) ?? catalogue.product(slugOrAlias.toLowerCase());
  if (direct) return direct;
  const slugs = catalogue.named(normalizeName(slugOrAlias));
  const [only] = slugs;
  return only !== undefined && slugs.length === 1 ? catalogue.product(only) : undefined;
}

/** Slugs that look like `text`, the nearest first, for "did you mean". */
export function suggest(catalogue: Catalogue, text: string, limit = 5): readonly ProductSlug[] {
  return nearest(text, catalogue.slugs(), limit);
}
