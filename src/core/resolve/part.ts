/**
 * Products that are released as packages with support periods of their own (the Azure SDK, NServiceBus): a package is
 * resolved among its own release cycles only, whose names begin with the package's name.
 */
import type { Product, Resolution } from "../model.ts";
import { unresolved, type Unresolved } from "./unresolved.ts";

type Found = Extract<Resolution, { readonly kind: "resolved" }> | Unresolved;

const views = new WeakMap<Product, Map<string, Product>>();

/** The product with the cycles of one part only, under their names within the part: `@azure/cosmos@4` is called `4`. */
export function partOf(product: Product, part: string | undefined): Product {
  if (part === undefined) return product;
  const known = views.get(product) ?? new Map<string, Product>();
  views.set(product, known);
  const view = known.get(part) ?? cutPart(product, part);
  known.set(part, view);
  return view;
}

function cutPart(product: Product, part: string): Product {
  const cycles = product.cycles
    .filter((cycle) => cycle.part === part)
    .map((cycle) => ({ ...cycle, name: cycle.name.slice(part.length + 1) }));
  const { slug, name, aliases, category, tags, attackSurface, record, models } = product;
  // Purls are read on demand: the view does not ask for them.
  const head = { slug, name, aliases, category, tags, attackSurface, record, models };
  return { ...head, cycles, cpes: [], purls: [], split: new Map<string, readonly string[]>() };
}

/** A resolution within a part, with cycles named as the whole product names them. Only recorded cycles have such a name. */
export function inProduct(found: Found, product: Product, part: string | undefined): Found {
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
