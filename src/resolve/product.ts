/** Finds products by slug, name or alias, for input that a person typed. Similar names are used only in messages. */
import type { ProductSlug } from "../text/ids.ts";
import type { Catalogue, Product } from "../model/index.ts";
import { getOwn } from "../text/values.ts";
import { nearest } from "../text/nearest.ts";
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

/** The products that `name` may mean: the one of that name, or several with that common name (`java`). */
export function productsCalled(catalogue: Catalogue, name: string): readonly Product[] {
  const product = findProduct(catalogue, name);
  if (product !== undefined) return [product];
  const common = name.toLowerCase().replaceAll(/[\s_-]+/g, "");
  const slugs = getOwn(catalogue.facts.commonNames, common) ?? [];
  return slugs.flatMap((slug) => catalogue.product(slug) ?? []);
}

/** A version at the end of a name: `python3`, `php7.4`, `node 18`, `debian:12`. */
const VERSION_AT_END = /[\s:@_-]*v?\d[\w.]*$/i;

/**
 * Slugs for "did you mean": products with this common name, with or without a version at the end; else the platforms of
 * a model with this id; else slugs that are similar to `text`, the nearest first.
 */
export function suggest(catalogue: Catalogue, text: string, limit = 5): readonly ProductSlug[] {
  const query = text.slice(0, MAX_LENGTH);
  const exact = productsCalled(catalogue, query);
  const meant = exact.length > 0 ? exact : productsCalled(catalogue, query.replace(VERSION_AT_END, ""));
  if (meant.length > 0) return meant.map(({ slug }) => slug);
  const models = catalogue.model(query.toLowerCase()).map(({ product }) => product);
  return models.length > 0 ? [...new Set(models)] : nearest(query, catalogue.slugs(), limit);
}

const MAX_LENGTH = 100;
