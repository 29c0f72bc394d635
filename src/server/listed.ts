/** Lists that people type: a product and version, or a package URL, for each entry. */
import { EolgateError } from "../core/errors.ts";
import type { IsoDate } from "../core/ids.ts";
import type { Catalogue, CycleRef } from "../core/model.ts";
import { productsCalled, suggest } from "../core/resolve/product.ts";
import { purlKey } from "../core/resolve/purl/key.ts";
import { createResolver } from "../core/resolve/resolve.ts";
import { findCycle, purlComponent, unresolvedError } from "../api/lookup.ts";

/** Either a version of a product, or a package URL. */
export type ListedEntry = ListedPlace &
  (
    | { readonly kind: "version"; readonly slug: string; readonly version: string }
    | { readonly kind: "purl"; readonly purl: string }
  );

interface ListedPlace {
  /** `list, entry 3`. */
  readonly where: string;
  /** In UTF-16 units of the list. */
  readonly at: number;
  readonly length: number;
}

const MAX_ENTRIES = 500;
const MAX_LENGTH = 500;
/** `nodejs 18`, `Node.js v18.20.1`, `nodejs:18`, `debian@12`. */
const ENTRY = /^(?<name>.*[^\s:@])(?:\s*[:@]\s*|\s+)v?(?<version>[^\s:@,]+)$/;

/**
 * The entries of a list, separated by commas, semicolons or line ends; `#` begins a comment.
 * @throws EolgateError `usage` for an entry that names no product, several, or no version, with its number.
 */
export function readListed(text: string, catalogue: Catalogue): readonly ListedEntry[] {
  const pieces = [...text.matchAll(/[^,;\n]+/g)].flatMap(({ 0: piece, index }) => {
    const entry = piece.replace(/#.*/, "").trim();
    return entry === "" ? [] : [{ entry, at: index + piece.indexOf(entry) }];
  });
  if (pieces.length === 0) throw EolgateError.of("empty-list", {}, { where: "list" });
  if (pieces.length > MAX_ENTRIES)
    throw EolgateError.of("too-many-pairs", { count: pieces.length, maxPairs: MAX_ENTRIES }, { where: "list" });
  return pieces.map(({ entry, at }, index) =>
    readEntry(entry, { where: `list, entry ${index + 1}`, at, length: entry.length }, catalogue),
  );
}

function readEntry(entry: string, place: ListedPlace, catalogue: Catalogue): ListedEntry {
  const text = entry.slice(0, MAX_LENGTH);
  if (text.startsWith("pkg:")) return { ...place, kind: "purl", purl: text };
  const exact = exactCycle(text, catalogue);
  if (exact) return { ...place, kind: "version", ...exact };
  const { where } = place;
  const { name, version } = ENTRY.exec(text.slice(0, 200))?.groups ?? {};
  if (name === undefined || version === undefined)
    throw EolgateError.of("list-entry", { entry: JSON.stringify(text.slice(0, 60)) }, { where });
  const products = productsCalled(catalogue, name);
  const [product] = products;
  if (product !== undefined && products.length === 1) return { ...place, kind: "version", slug: product.slug, version };
  const candidates = products.length > 0 ? products.map(({ slug }) => slug) : suggest(catalogue, name);
  const suggestions = candidates.slice(0, 5).join(", ");
  throw EolgateError.of("list-product", { name: JSON.stringify(name), suggestions }, { where });
}

/** `openstack nova@2024.1`: names of cycles may contain what else separates a version, so they are compared first. */
function exactCycle(text: string, catalogue: Catalogue): { slug: string; version: string } | undefined {
  const [, slug = "", version = ""] = /^([^\s:]+)[\s:]\s*(\S+)$/.exec(text) ?? [];
  const isCycle = catalogue.product(slug)?.cycles.some(({ name }) => name === version) === true;
  return isCycle ? { slug, version } : undefined;
}

/**
 * The release cycles of a list, each once, in its order.
 * @throws EolgateError also `not-found` and `ambiguous`, for an entry that belongs to no single release cycle.
 */
export function listedCycles(text: string, catalogue: Catalogue, asOf: IsoDate): readonly CycleRef[] {
  return entryCycles(readListed(text, catalogue), catalogue, asOf);
}

/** The same for some entries of a list. */
export function entryCycles(entries: readonly ListedEntry[], catalogue: Catalogue, asOf: IsoDate): readonly CycleRef[] {
  const cycles = entries.map((entry) => cycleOf(entry, catalogue, asOf));
  return [...new Map(cycles.map((each) => [`${each.product}:${each.cycle}`, each])).values()];
}

function cycleOf(entry: ListedEntry, catalogue: Catalogue, asOf: IsoDate): CycleRef {
  try {
    return entry.kind === "purl" ? purlCycle(entry.purl, catalogue) : versionCycle(entry, catalogue, asOf);
  } catch (error) {
    throw error instanceof EolgateError ? error.at(entry.where) : error;
  }
}

function versionCycle(
  { slug, version }: { readonly slug: string; readonly version: string },
  catalogue: Catalogue,
  asOf: IsoDate,
): CycleRef {
  const product = catalogue.product(slug);
  if (!product) throw EolgateError.of("list-product", { name: JSON.stringify(slug), suggestions: "" });
  const own = product.cycles.find(({ name }) => name === version);
  return { product: product.slug, cycle: (own ?? findCycle(product, version, asOf).cycle).name };
}

/** Exactly as a component of a document: a package that its distribution maintains is watched by the distribution. */
function purlCycle(purl: string, catalogue: Catalogue): CycleRef {
  const key = purlKey(purl);
  const version = key.kind === "purl" ? key.version : undefined;
  const resolution = createResolver(catalogue, null, { strict: true })(purlComponent(purl, version));
  if (resolution.kind === "resolved") return resolution.releaseCycle;
  if (resolution.kind === "covered") return resolution.by;
  throw unresolvedError(purl, resolution);
}
