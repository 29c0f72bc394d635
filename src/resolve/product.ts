/** Products as resolution needs them: found by a name that a person typed, one part of a product, and rebuilds by vendors. */
import type { ProductSlug } from "../text/ids.ts";
import type { Catalogue, Product, Resolution, Tracer } from "../model/index.ts";
import { getOwn, remembered, rememberedOf } from "../text/values.ts";
import { nearest } from "../text/nearest.ts";
import { normalizeName } from "./normalize-name.ts";
import { type Unresolved, unresolved } from "./unresolved.ts";

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

type PartResolution = Extract<Resolution, { readonly kind: "resolved" }> | Unresolved;

/**
 * Views of products that are released as packages with support periods of their own (the Azure SDK): a package resolves
 * among its own release cycles only, whose names begin with the package's name.
 */
const viewsOf = rememberedOf((product: Product) => remembered((part: string) => createView(product, part)));

/** Returns the product with the cycles of one part only, named without the part: `@azure/cosmos@4` becomes `4`. */
export const partOf = (product: Product, part: string | undefined): Product =>
  part === undefined ? product : viewsOf(product)(part);

function createView(product: Product, part: string): Product {
  const cycles = product.cycles
    .filter((cycle) => cycle.part === part)
    .map((cycle) => ({ ...cycle, name: cycle.name.slice(part.length + 1) }));
  const { slug, name, aliases, category, tags, attackSurface, record, models } = product;
  // `purls` is left out, because reading it builds the list.
  const head = { slug, name, aliases, category, tags, attackSurface, record, models };
  return { ...head, cycles, cpes: [], purls: [], split: new Map<string, readonly string[]>() };
}

/**
 * Converts a resolution within a part to the cycle names of the product. A cycle that is not recorded has no such name.
 */
export function inProduct(found: PartResolution, product: Product, part: string | undefined): PartResolution {
  if (part === undefined) return found;
  if (found.kind !== "resolved") {
    const candidates = found.candidates?.map((name) => `${part}@${name}`);
    return unresolved(found.reason, { product: product.slug, candidates });
  }
  const cycle = `${part}@${found.releaseCycle.cycle}`;
  if (!product.cycles.some(({ name }) => name === cycle))
    return unresolved("version-not-tracked", { product: product.slug });
  return { ...found, releaseCycle: { product: product.slug, cycle } };
}

/**
 * Refuses a version that a vendor rebuilt (`4.1.63.Final-redhat-00001`), unless the product is the vendor's own: the
 * vendor patches and supports it, so the dates of the project do not apply.
 */
export function refuseRebuild(
  { slug, name }: Product,
  version: string | undefined,
  { facts }: Catalogue,
  trace?: Tracer,
): Unresolved | undefined {
  if (version === undefined) return undefined;
  const vendor = facts.packageEvidence.rebuilds.find(([pattern]) => pattern.test(version))?.[1];
  if (vendor === undefined) return undefined;
  const word = normalizeName(vendor);
  if ([slug, name].some((each) => normalizeName(each).startsWith(word))) return undefined;
  trace?.("candidate-rejected", `${version} is a rebuild by ${vendor}`);
  return unresolved("vendor-rebuild", { product: slug, evidence: [`version ${version}`] });
}
