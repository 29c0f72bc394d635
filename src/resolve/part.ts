/**
 * Products that are released as packages with support periods of their own (the Azure SDK, NServiceBus): a package is
 * resolved among its own release cycles only, whose names begin with the package's name.
 */
import type { Product, Resolution } from "../model/index.ts";
import { unresolved, type Unresolved } from "./unresolved.ts";

type PartResolution = Extract<Resolution, { readonly kind: "resolved" }> | Unresolved;

const views = new WeakMap<Product, Map<string, Product>>();

/** Returns the product with the cycles of one part only, named without the part: `@azure/cosmos@4` becomes `4`. */
export function partOf(product: Product, part: string | undefined): Product {
  if (part === undefined) return product;
  const known = views.get(product) ?? new Map<string, Product>();
  views.set(product, known);
  const view = known.get(part) ?? createView(product, part);
  known.set(part, view);
  return view;
}

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
