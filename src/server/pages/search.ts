/** What people type: a name, a name with a version, a model, a package URL. Similar names are listed, never resolved. */
import type { IsoDate } from "../../core/ids.ts";
import type { Catalogue, CycleRef, Product, Resolution } from "../../core/model.ts";
import { normalizeName } from "../../core/resolve/normalize-name.ts";
import { productsCalled, suggest } from "../../core/resolve/product.ts";
import { purlKey } from "../../core/resolve/purl/key.ts";
import { createResolver } from "../../core/resolve/resolve.ts";
import { resolveVersion } from "../../core/resolve/version/resolve.ts";
import { purlComponent } from "../../api/lookup.ts";
import { REASON_LABELS } from "../../core/messages/reasons.ts";
import type { ProductListing, ListedProduct } from "./product-listing.ts";

export interface Found {
  readonly asked: string;
  /** The release cycles that a name with a version, a model or a package URL means. One is the answer. */
  readonly cycles: readonly CycleRef[];
  /** The version as it was typed, when `cycles` is one that has another name. */
  readonly version?: string;
  /** Why a package URL leads to no release cycle. */
  readonly refused?: string;
  /** Best first. */
  readonly products: readonly ListedProduct[];
  /** How many there are in all. */
  readonly count: number;
  /** Slugs that look like what was asked, when nothing was found. */
  readonly suggestions: readonly string[];
}

export interface SearchContext {
  readonly catalogue: Catalogue;
  readonly listing: ProductListing;
  readonly asOf: IsoDate;
}

const MOST = 100;
/** Anybody may ask: what a search costs is bounded. */
const LONGEST_PURL = 300;
const LONGEST_NAME = 100;

export function search(context: SearchContext, words: string): Found {
  const query = words.trim();
  if (query.startsWith("pkg:")) return byPurl(context, query.slice(0, LONGEST_PURL));
  const { catalogue, listing, asOf } = context;
  const asked = query.slice(0, LONGEST_NAME);
  const named = namedCycles(catalogue, asked, asOf);
  const products = productsFor(listing, asked, named.products);
  return {
    asked,
    cycles: named.cycles,
    ...(named.version !== undefined && { version: named.version }),
    products: products.slice(0, MOST),
    count: products.length,
    suggestions: products.length === 0 ? suggest(catalogue, asked) : [],
  };
}

/** Those with a similar name; else those that people call so, or whose name precedes the version. */
function productsFor(listing: ProductListing, asked: string, named: readonly Product[]): readonly ListedProduct[] {
  const normalized = normalizeName(asked);
  const ranked = listing.products
    .map((each) => ({ each, rank: rankOf(each, normalized, asked.toLowerCase()) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ each }) => each);
  const slugs = named.map(({ slug }) => slug);
  const called = slugs.flatMap((slug) => listing.products.find(({ product }) => product.slug === slug) ?? []);
  return [...new Set(ranked[0] && rankOf(ranked[0], normalized, "") === 0 ? ranked : [...called, ...ranked])];
}

const NO_MATCH = 5;

/** The whole name, its beginning, the beginning of a word in it, anything in it, a tag. */
function rankOf({ product, names, words }: ListedProduct, normalized: string, asked: string): number {
  if (normalized === "") return NO_MATCH;
  if (names.includes(normalized)) return 0;
  if (names.some((name) => name.startsWith(normalized))) return 1;
  if (asked !== "" && words.some((word) => word.startsWith(asked))) return 2;
  if (names.some((name) => name.includes(normalized))) return 3;
  return product.tags.includes(asked) ? 4 : NO_MATCH;
}

interface Named {
  readonly cycles: readonly CycleRef[];
  readonly version?: string;
  readonly products: readonly Product[];
}

/** `nodejs 18`, `Node.js v18.20.1`, `php7.4`, `debian bookworm`, `windows 10`, `java 8`, `gpt-4`. */
function namedCycles(catalogue: Catalogue, asked: string, asOf: IsoDate): Named {
  const models = [asked, asked.replaceAll(/\s+/g, "-")].map((id) => catalogue.model(id.toLowerCase()));
  const model = models.find((cycles) => cycles.length > 0);
  if (model) return { cycles: model.map(({ product, cycle }) => ({ product, cycle })), products: [] };
  let products = productsCalled(catalogue, asked);
  if (products.length > 0) return { cycles: [], products };
  for (const { name, version } of readings(asked)) {
    const called = productsCalled(catalogue, name);
    const cycles = called.flatMap((product) => cyclesOf(product, version, asOf));
    if (cycles.length > 0) return { cycles, version, products: called };
    if (products.length === 0) products = called;
  }
  return { cycles: [], products };
}

/** The ways to read a text as a name and a version, the longest name first. */
function* readings(asked: string): Generator<{ readonly name: string; readonly version: string }> {
  for (let end = asked.length - 1; end > 0; end -= 1) {
    const isBoundary = /[\s:@/_-]/.test(asked.charAt(end)) || /[a-z+#]\d/i.test(asked.slice(end - 1, end + 1));
    const name = asked.slice(0, end);
    const version = asked.slice(end).replace(/^[\s:@/_-]+(?:v(?=\d)|version\s+)?/i, "");
    if (isBoundary && version !== "" && !/[\s:@/_-]$/.test(name)) yield { name, version };
  }
}

function cyclesOf(product: Product, version: string, asOf: IsoDate): readonly CycleRef[] {
  const found = resolveVersion(product, version, { asOf });
  const names = found.kind === "cycle" ? [found.cycle.name] : (found.candidates ?? []);
  // A candidate of an unresolved version is one only where the version is ambiguous; else it is a suggestion.
  if (found.kind === "unresolved" && found.reason !== "version-ambiguous") return [];
  return names.map((cycle) => ({ product: product.slug, cycle }));
}

/** Exactly as a component of a document is resolved. */
function byPurl({ catalogue, listing }: SearchContext, asked: string): Found {
  const key = purlKey(asked);
  const version = key.kind === "purl" ? key.version : undefined;
  const resolution = createResolver(catalogue, null, { strict: true })(purlComponent(asked, version));
  const { cycle, slug, refused } = readResolution(resolution);
  const products = listing.products.filter(({ product }) => product.slug === slug);
  return {
    asked,
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
    case "covered":
      return { slug: resolution.by.product, cycle: resolution.by };
    case "unmatched":
      return { slug: resolution.product, refused: REASON_LABELS[resolution.reason] };
    case "not-applicable":
      return {};
  }
}
