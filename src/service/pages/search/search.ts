/** The list of all products, created once per edition, and the search: release cycles that a text names, then products. */
import type { Assessment, Catalogue, CycleRef, Product, Resolution } from "../../../model/index.ts";
import { normalizeName } from "../../../resolve/normalize-name.ts";
import type { Edition } from "../../http/editions.ts";
import { categoryOrder } from "../labels.ts";
import type { IsoDate } from "../../../text/ids.ts";
import { namedCycles } from "../../../resolve/typed.ts";
import { suggest } from "../../../resolve/product.ts";
import { assessComponent, createAssessContext, purlComponent } from "../../../resolve/answer.ts";
import { REASON_LABELS } from "../../../messages/support.ts";
import { byText } from "../../../text/values.ts";

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
  readonly past: number;
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
    .toSorted((a, b) => categoryOrder(a.name) - categoryOrder(b.name) || byText(a.name, b.name));
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
const compare = (a: Product, b: Product): number =>
  byText(a.name.toLowerCase(), b.name.toLowerCase()) || byText(a.slug, b.slug);

/** Returns a function that creates the listing of an edition and caches the last one. */
export function createProductListings(): (edition: Edition) => ProductListing {
  let last: { readonly tag: string; readonly listing: ProductListing } | undefined;
  return (edition) => {
    if (last?.tag !== edition.tag) last = { tag: edition.tag, listing: createProductListing(edition) };
    return last.listing;
  };
}

export interface SearchResult {
  readonly query: string;
  /** The release cycles that a name with a version, a model or a package URL means. */
  readonly cycles: readonly CycleRef[];
  /** The version in the query, if it was resolved to `cycles`. */
  readonly version?: string;
  /** Why a package URL could not be resolved to a release cycle. */
  readonly refused?: string;
  /** The best matches, best first, at most 100. */
  readonly products: readonly ListedProduct[];
  /** Number of all matches. */
  readonly count: number;
  /** Similar slugs, if nothing was found. */
  readonly suggestions: readonly string[];
}

export interface SearchContext {
  readonly catalogue: Catalogue;
  readonly listing: ProductListing;
  readonly asOf: IsoDate;
}

const MAX_RESULTS = 100;
/** Characters. They limit the cost of a search, which needs no key. */
const MAX_PURL = 300;
const MAX_NAME = 100;

export function search(context: SearchContext, text: string): SearchResult {
  const trimmed = text.trim();
  if (trimmed.startsWith("pkg:")) return byPurl(context, trimmed.slice(0, MAX_PURL));
  const { catalogue, listing, asOf } = context;
  const query = trimmed.slice(0, MAX_NAME);
  const named = namedCycles(catalogue, query, asOf);
  const products = productsFor(listing, query, named.products);
  return {
    query,
    cycles: named.cycles,
    ...(named.version !== undefined && { version: named.version }),
    products: products.slice(0, MAX_RESULTS),
    count: products.length,
    suggestions: products.length === 0 ? suggest(catalogue, query) : [],
  };
}

/** The products that the query names, if none has exactly this name, and those with a matching name. */
function productsFor(listing: ProductListing, query: string, named: readonly Product[]): readonly ListedProduct[] {
  const normalized = normalizeName(query);
  const ranked = listing.products
    .map((each) => ({ each, rank: rankOf(each, normalized, query.toLowerCase()) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ each }) => each);
  const slugs = named.map(({ slug }) => slug);
  const called = slugs.flatMap((slug) => listing.products.find(({ product }) => product.slug === slug) ?? []);
  return [...new Set(ranked[0] && rankOf(ranked[0], normalized, "") === 0 ? ranked : [...called, ...ranked])];
}

const NO_MATCH = 5;

/** 0 for the whole name, 1 for its beginning, 2 for the beginning of a word, 3 for a part of the name, 4 for a tag. */
function rankOf({ product, names, words }: ListedProduct, normalized: string, query: string): number {
  if (normalized === "") return NO_MATCH;
  if (names.includes(normalized)) return 0;
  if (names.some((name) => name.startsWith(normalized))) return 1;
  if (query !== "" && words.some((word) => word.startsWith(query))) return 2;
  if (names.some((name) => name.includes(normalized))) return 3;
  return product.tags.includes(query) ? 4 : NO_MATCH;
}

/** Resolves a package URL like a component of a document. */
function byPurl({ catalogue, listing, asOf }: SearchContext, query: string): SearchResult {
  const { resolution } = assessComponent(purlComponent(query), createAssessContext(catalogue, { strict: false, asOf }));
  const { cycle, slug, refused } = readResolution(resolution);
  const products = listing.products.filter(({ product }) => product.slug === slug);
  return {
    query,
    cycles: cycle ? [cycle] : [],
    ...(refused && { refused }),
    products,
    count: products.length,
    suggestions: [],
  };
}

function readResolution(resolution: Resolution): {
  readonly slug?: string | undefined;
  readonly cycle?: CycleRef;
  readonly refused?: string;
} {
  switch (resolution.kind) {
    case "resolved":
      return { slug: resolution.releaseCycle.product, cycle: resolution.releaseCycle };
    case "distro-maintained":
      return { slug: resolution.by.product, cycle: resolution.by };
    case "unmatched":
      return { slug: resolution.product, refused: REASON_LABELS[resolution.reason] };
    case "not-applicable":
      return {};
  }
}
