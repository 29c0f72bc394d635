/** The list of all products, created once per edition, and the search: release cycles that a text names, then products. */
import type { Assessment, Catalogue, CycleRef, Product, Resolution } from "../../../model/index.ts";
import { normalizeName } from "../../../resolve/normalize-name.ts";
import type { Edition } from "../../http/editions.ts";
import { categoryOrder } from "../labels.ts";
import type { IsoDate } from "../../../text/ids.ts";
import { namedCycles, type NamedInQuery } from "../../../resolve/typed.ts";
import { suggest } from "../../../resolve/product.ts";
import { assessComponent, createAssessContext, purlComponent } from "../../../resolve/answer.ts";
import { REASON_LABELS } from "../../../messages/support.ts";
import { byText, rememberedOf } from "../../../text/values.ts";

export interface ListedProduct {
  readonly product: Product;
  readonly cycleCount: number;
  /** The newest supported release cycle, or the newest one if none is supported. Undefined for a product without cycles. */
  readonly current: Assessment | undefined;
}

export interface ProductListing {
  /** Sorted by name. */
  readonly products: readonly ListedProduct[];
  readonly bySlug: ReadonlyMap<string, ListedProduct>;
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
    bySlug: new Map(products.map((each) => [each.product.slug, each])),
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

export interface SearchResult extends Omit<NamedInQuery, "products"> {
  readonly query: string;
  /** The best matches, best first, at most 100. */
  readonly products: readonly ListedProduct[];
  /** Number of all matches. */
  readonly count: number;
  /** Similar slugs, if nothing was found. */
  readonly suggestions: readonly string[];
}

const MAX_RESULTS = 100;
/** Characters. They limit the cost of a search, which needs no key. */
const MAX_PURL = 300;
const MAX_NAME = 100;

export function search({ served: { catalogue }, asOf }: Edition, listing: ProductListing, text: string): SearchResult {
  const query = text.trim();
  const found = searchCatalogue(catalogue, query, asOf);
  const products = found.products.flatMap(({ slug }) => listing.bySlug.get(slug) ?? []);
  return {
    ...found,
    query,
    products: products.slice(0, MAX_RESULTS),
    count: products.length,
    suggestions: products.length === 0 && !query.startsWith("pkg:") ? suggest(catalogue, query) : [],
  };
}

/** The search of pages, suggestions and MCP: the release cycles and products that a text names, the best first. */
export function searchCatalogue(catalogue: Catalogue, text: string, asOf: IsoDate): NamedInQuery {
  if (text.startsWith("pkg:")) return byPurl(catalogue, text.slice(0, MAX_PURL), asOf);
  const query = text.slice(0, MAX_NAME);
  const named = namedCycles(catalogue, query, asOf);
  return { ...named, products: productsFor(catalogue, query, named.products) };
}

/** The products that the query names, if none has exactly this name, and those with a matching name. */
function productsFor(catalogue: Catalogue, query: string, named: readonly Product[]): readonly Product[] {
  const normalized = normalizeName(query);
  const ranked = namesOf(catalogue)
    .map((each) => ({ product: each.product, rank: rankOf(each, normalized, query.toLowerCase()) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank);
  return [...new Set([...(ranked[0]?.rank === 0 ? [] : named), ...ranked.map(({ product }) => product)])];
}

/** By product: its normalized slug, name and aliases, and the words of its name and slug in lower case. */
const namesOf = rememberedOf((catalogue: Catalogue) =>
  allOf(catalogue)
    .toSorted(compare)
    .map((product) => ({
      product,
      names: [product.slug, product.name, ...product.aliases].map(normalizeName).filter(Boolean),
      words: `${product.name} ${product.slug}`.toLowerCase().split(/[^a-z0-9+#.]+/),
    })),
);
type SearchNames = ReturnType<typeof namesOf>[number];

const NO_MATCH = 5;

/** 0 for the whole name, 1 for its beginning, 2 for the beginning of a word, 3 for a part of the name, 4 for a tag. */
function rankOf({ product, names, words }: SearchNames, normalized: string, query: string): number {
  if (normalized === "") return NO_MATCH;
  if (names.includes(normalized)) return 0;
  if (names.some((name) => name.startsWith(normalized))) return 1;
  if (words.some((word) => word.startsWith(query))) return 2;
  if (names.some((name) => name.includes(normalized))) return 3;
  return product.category === query || product.tags.includes(query) ? 4 : NO_MATCH;
}

/** Resolves a package URL like a component of a document. */
function byPurl(catalogue: Catalogue, query: string, asOf: IsoDate): NamedInQuery {
  const { resolution } = assessComponent(purlComponent(query), createAssessContext(catalogue, { strict: false, asOf }));
  const cycle = cycleOf(resolution);
  const refused = resolution.kind === "unmatched" ? resolution : undefined;
  const product = catalogue.product(cycle?.product ?? refused?.product ?? "");
  return {
    cycles: cycle ? [cycle] : [],
    products: product ? [product] : [],
    ...(refused && { refused: REASON_LABELS[refused.reason] }),
  };
}

function cycleOf(resolution: Resolution): CycleRef | undefined {
  if (resolution.kind === "resolved") return resolution.releaseCycle;
  return resolution.kind === "distro-maintained" ? resolution.by : undefined;
}
