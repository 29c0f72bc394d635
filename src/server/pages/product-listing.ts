/** The products as the home page lists and finds them: made once per edition, because it assesses every release cycle. */
import type { Assessment, Catalogue, Product } from "../../core/model.ts";
import { normalizeName } from "../../core/resolve/normalize-name.ts";
import type { Edition } from "../editions.ts";
import { categoryOrder } from "./labels.ts";

export interface ListedProduct {
  readonly product: Product;
  readonly cycleCount: number;
  /** The newest release cycle that is supported; else the newest of all. Undefined for a product without cycles. */
  readonly current: Assessment | undefined;
  /** Normalized slug, name, aliases: what a search compares. */
  readonly names: readonly string[];
  /** The words of its name and slug, in lower case. */
  readonly words: readonly string[];
}

export interface ProductListing {
  /** By name. */
  readonly products: readonly ListedProduct[];
  readonly categories: readonly { readonly name: string; readonly products: readonly ListedProduct[] }[];
  readonly cycleCount: number;
  readonly past: number;
  readonly approaching: number;
  /** Release cycles that end next, the nearest first. */
  readonly next: readonly Assessment[];
}

const NEXT = 8;

export function createProductListing({ local, served: { catalogue } }: Edition): ProductListing {
  const every = local.everyAssessment();
  const bySlug = Map.groupBy(every, ({ releaseCycle }) => releaseCycle.product);
  const products = allOf(catalogue)
    .map((product) => listed(product, bySlug.get(product.slug) ?? []))
    .toSorted((a, b) => compare(a.product, b.product));
  const categories = [...Map.groupBy(products, ({ product }) => product.category)]
    .map(([name, products]) => ({ name, products }))
    .toSorted((a, b) => categoryOrder(a.name) - categoryOrder(b.name) || (a.name < b.name ? -1 : 1));
  const approaching = every.filter(({ status }) => status === "approaching");
  return {
    products,
    categories,
    cycleCount: every.length,
    past: every.filter(({ status }) => status === "eol").length,
    approaching: approaching.length,
    next: approaching.toSorted((a, b) => (a.daysUntilEol ?? 0) - (b.daysUntilEol ?? 0)).slice(0, NEXT),
  };
}

const allOf = (catalogue: Catalogue): readonly Product[] =>
  catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);

function listed(product: Product, assessments: readonly Assessment[]): ListedProduct {
  const supported = assessments.find(({ status }) => status === "active" || status === "approaching");
  return {
    product,
    cycleCount: assessments.length,
    current: supported ?? assessments[0],
    names: [...new Set([product.slug, product.name, ...product.aliases].map(normalizeName))].filter(Boolean),
    words: `${product.name} ${product.slug}`.toLowerCase().split(/[^a-z0-9+#.]+/),
  };
}

/** By name, whatever its case; the same on every machine. */
function compare(a: Product, b: Product): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return left === right ? (a.slug < b.slug ? -1 : 1) : left < right ? -1 : 1;
}

/** One listing for each edition. */
export function createProductListings(): (edition: Edition) => ProductListing {
  let last: { readonly tag: string; readonly listing: ProductListing } | undefined;
  return (edition) => {
    if (last?.tag !== edition.tag) last = { tag: edition.tag, listing: createProductListing(edition) };
    return last.listing;
  };
}
