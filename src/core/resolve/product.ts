/** A product by its slug or alias, for input that a person typed. Similar names serve messages only. */
import type { ProductSlug } from "../ids.ts";
import type { Catalogue, Product } from "../model.ts";
import { nearest } from "../nearest.ts";
import { COMMON_NAMES } from "./common-names.ts";
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

/** The products that `name` may mean: the one of that name, or those that people call so (`java`). For people's input. */
export function productsCalled(catalogue: Catalogue, name: string): readonly Product[] {
  const product = findProduct(catalogue, name);
  if (product !== undefined) return [product];
  const common = name.toLowerCase().replaceAll(/[\s_-]+/g, "");
  const slugs = Object.hasOwn(COMMON_NAMES, common) ? (COMMON_NAMES[common] ?? []) : [];
  return slugs.flatMap((slug) => catalogue.product(slug) ?? []);
}

/** A version at the end of a name: `python3`, `php7.4`, `node 18`, `debian:12`. */
const VERSION_AT_END = /[\s:@_-]*v?\d[\w.]*$/i;

/**
 * Slugs for "did you mean": the products that people call so, with or without a version at the end; else the
 * vendors of a model of that name; else those that are similar to `text`, the nearest first.
 */
export function suggest(catalogue: Catalogue, text: string, limit = 5): readonly ProductSlug[] {
  const asked = text.slice(0, LONGEST);
  const called = productsCalled(catalogue, asked);
  const meant = called.length > 0 ? called : productsCalled(catalogue, asked.replace(VERSION_AT_END, ""));
  if (meant.length > 0) return meant.map(({ slug }) => slug);
  const models = catalogue.model(asked.toLowerCase()).map(({ product }) => product);
  return models.length > 0 ? [...new Set(models)] : nearest(asked, catalogue.slugs(), limit);
}

const LONGEST = 100;
