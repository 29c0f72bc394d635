/** A product by its slug or alias, for input that a person typed. Similar names serve messages only. */
import type { ProductSlug } from "../ids.ts";
import type { Catalogue, Product } from "../model.ts";
import { nearest } from "../nearest.ts";
import { normalizeName } from "./normalize-name.ts";

/** The product with exactly this slug, title or alias (after normalization); undefined when none or several have it. */
export function findProduct(catalogue: Catalogue, slugOrAlias: string): Product | undefined {
  const direct = catalogue.product(slugOrAlias) ?? catalogue.product(slugOrAlias.toLowerCase());
  if (direct) return direct;
  const normalized = normalizeName(slugOrAlias);
  const slugs = normalized === "" ? [] : catalogue.named(normalized);
  const [only] = slugs;
  return only !== undefined && slugs.length === 1 ? catalogue.product(only) : undefined;
}

/** Slugs that are similar to `text`, the nearest first, for "did you mean". */
export function suggest(catalogue: Catalogue, text: string, limit = 5): readonly ProductSlug[] {
  return nearest(text, catalogue.slugs(), limit);
}
