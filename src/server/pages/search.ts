/** What a reader may type: a name, a name with a version, a package URL. Names are found by likeness, lines never are. */
import type { Catalogue, CycleRef, Resolution } from "../../core/model.ts";
import { normalizeName } from "../../core/resolve/normalize-name.ts";
import { findProduct, suggest } from "../../core/resolve/product.ts";
import { purlKey } from "../../core/resolve/purl/key.ts";
import { createResolver } from "../../core/resolve/resolve.ts";
import { resolveVersion } from "../../core/resolve/version/resolve.ts";
import { purlComponent } from "../../api/lookup.ts";
import { REASON_LABELS } from "../../core/messages/reasons.ts";
import type { ProductListing, ListedProduct } from "./product-listing.ts";

export interface Found {
  readonly asked: string;
  /** The line that was meant, when the words name one exactly. */
  readonly line?: CycleRef;
  /** Why a package URL leads to no line. */
  readonly refused?: string;
  /** Best first. */
  readonly products: readonly ListedProduct[];
  /** How many there are in all. */
  readonly count: number;
  /** Slugs that look like what was asked, when nothing was found. */
  readonly suggestions: readonly string[];
}

const MOST = 100;
/** Anybody may ask: what a search costs is bounded. */
const LONGEST_PURL = 300;
const LONGEST_NAME = 100;

export function search(catalogue: Catalogue, listing: ProductListing, words: string): Found {
  const query = words.trim();
  if (query.startsWith("pkg:")) return byPurl(catalogue, listing, query.slice(0, LONGEST_PURL));
  const asked = query.slice(0, LONGEST_NAME);
  const line = namedLine(catalogue, asked);
  const folded = normalizeName(asked);
  const ranked = listing.products
    .map((each) => ({ each, rank: rankOf(each, folded, asked.toLowerCase()) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ each }) => each);
  const named = line && listing.products.find(({ product }) => product.slug === line.product);
  const products = named && ranked.length === 0 ? [named] : ranked;
  return {
    asked,
    ...(line && { line }),
    products: products.slice(0, MOST),
    count: products.length,
    suggestions: products.length === 0 ? suggest(catalogue, asked) : [],
  };
}

const NO_MATCH = 5;

/** The whole name, its beginning, the beginning of a word in it, anything in it, a tag. */
function rankOf({ product, names, words }: ListedProduct, folded: string, asked: string): number {
  if (folded === "") return NO_MATCH;
  if (names.includes(folded)) return 0;
  if (names.some((name) => name.startsWith(folded))) return 1;
  if (words.some((word) => word.startsWith(asked))) return 2;
  if (names.some((name) => name.includes(folded))) return 3;
  return product.tags.includes(asked) ? 4 : NO_MATCH;
}

/** `nodejs 18`, `Node.js v18.20.1`, `nodejs:18`, `debian@12`. */
function namedLine(catalogue: Catalogue, asked: string): CycleRef | undefined {
  const parts = /^(?<name>.*[^\s:@])(?:\s*[:@]\s*|\s+)v?(?<version>\S+)$/.exec(asked)?.groups;
  const product = parts?.["name"] === undefined ? undefined : findProduct(catalogue, parts["name"]);
  if (product === undefined || parts?.["version"] === undefined) return undefined;
  const found = resolveVersion(product, parts["version"]);
  return found.kind === "cycle" ? { product: product.slug, cycle: found.cycle.name } : undefined;
}

/** Exactly as a component of a document is resolved. */
function byPurl(catalogue: Catalogue, listing: ProductListing, asked: string): Found {
  const key = purlKey(asked);
  const version = key.kind === "purl" ? key.version : undefined;
  const resolution = createResolver(catalogue, null, { strict: true })(purlComponent(asked, version));
  const { line, slug, refused } = readResolution(resolution);
  const products = listing.products.filter(({ product }) => product.slug === slug);
  return {
    asked,
    ...(line && { line }),
    ...(refused && { refused }),
    products,
    count: products.length,
    suggestions: [],
  };
}

function readResolution(resolution: Resolution): {
  readonly slug?: string | undefined;
  readonly line?: CycleRef;
  readonly refused?: string;
} {
  switch (resolution.kind) {
    case "resolved":
      return { slug: resolution.releaseCycle.product, line: resolution.releaseCycle };
    case "covered":
      return { slug: resolution.by.product, line: resolution.by };
    case "unmatched":
      return { slug: resolution.product, refused: REASON_LABELS[resolution.reason] };
    case "not-applicable":
      return {};
  }
}
