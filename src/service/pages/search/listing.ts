/** The list of all products for the home page and the search. It is created once per edition, because it assesses every release cycle. */
import type { Assessment, Catalogue, Product } from "../../../model/index.ts";
import { normalizeName } from "../../../resolve/normalize-name.ts";
import type { Edition } from "../../http/editions.ts";
import { categoryOrder } from "../labels.ts";

export interface ListedProduct {
  readonly product: Product;
  readonly cycleCount: number;
  /** The newest supported release cycle, or the newest one if none is supported. Undefined for a product without cycles. */
  readonly current: Assessment | undefined;
  /** Normalized slug, name and aliases, for the search. */
  readonly names: readonly string[];
  /** The words of its name and slug, in lower case. */
  readonly words: readonly string[];
}

export interface ProductListing {
  /** Sorted by name. */
  readonly products: readonly ListedProduct[];
  readonly categories: readonly { readonly name: string; readonly products: readonly ListedProduct[] }[];
  readonly cycleCount: number;
  /** Number of ended release cycles. */
  readonly past: number;
  /** Number of release cycles that end soon. */
  readonly approaching: number;
  /** The next release cycles that end, the nearest first. */
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
  const approaching = every.filter(({ support }) => support.status === "approaching");
  return {
    products,
    categories,
    cycleCount: every.length,
    past: every.filter(({ support }) => support.status === "eol").length,
    approaching: approaching.length,
    next: approaching.toSorted((a, b) => daysLeft(a) - daysLeft(b)).slice(0, NEXT),
  };
}

const daysLeft = ({ support }: Assessment): number => support.daysUntilEol ?? 0;

const allOf = (catalogue: Catalogue): readonly Product[] =>
  catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);

function listed(product: Product, assessments: readonly Assessment[]): ListedProduct {
  const supported = assessments.find(({ support: { status } }) => status === "active" || status === "approaching");
  return {
    product,
    cycleCount: assessments.length,
    current: supported ?? assessments[0],
    names: [...new Set([product.slug, product.name, ...product.aliases].map(normalizeName))].filter(Boolean),
    words: `${product.name} ${product.slug}`.toLowerCase().split(/[^a-z0-9+#.]+/),
  };
}

/** Sorts by name, ignoring case and independent of the locale. */
function compare(a: Product, b: Product): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return left === right ? (a.slug < b.slug ? -1 : 1) : left < right ? -1 : 1;
}

/** Returns a function that creates the listing of an edition and caches the last one. */
export function createProductListings(): (edition: Edition) => ProductListing {
  let last: { readonly tag: string; readonly listing: ProductListing } | undefined;
  return (edition) => {
    if (last?.tag !== edition.tag) last = { tag: edition.tag, listing: createProductListing(edition) };
    return last.listing;
  };
}
