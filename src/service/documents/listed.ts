/** Parses lists that people type. An entry is a product with a version, or a package URL. */
import { uniqueCycles } from "../services.ts";
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { Catalogue, CycleRef, Product } from "../../model/index.ts";
import { productsCalled, suggest } from "../../resolve/product.ts";
import { purlKey } from "../../resolve/purl/key.ts";
import { createResolver } from "../../resolve/resolve.ts";
import { findCycle, purlComponent, unresolvedError } from "../../api/operations/lookup.ts";

/** An entry of a list with its location. */
export type ListedEntry = EntryLocation &
  (
    | { readonly kind: "version"; readonly slug: string; readonly version: string }
    | { readonly kind: "purl"; readonly purl: string }
  );

interface EntryLocation {
  /** For messages: `list, entry 3`. */
  readonly where: string;
  /** Offset of the entry, in UTF-16 code units. */
  readonly at: number;
  readonly length: number;
}

const MAX_ENTRIES = 500;
const MAX_LENGTH = 500;
/** `nodejs 18`, `Node.js v18.20.1`, `nodejs:18`, `debian@12`. */
const ENTRY = /^(?<name>.*[^\s:@])(?:\s*[:@]\s*|\s+)v?(?<version>[^\s:@,]+)$/;

/**
 * The entries of a list, separated by commas, semicolons or newlines; `#` begins a comment.
 * @throws EolgateError `invalid-request` for an empty list, for an entry without a version, and for an unknown or
 * ambiguous product, with the number of the entry
 */
export function readListed(text: string, catalogue: Catalogue): readonly ListedEntry[] {
  const pieces = [...text.matchAll(/[^,;\n]+/g)].flatMap(({ 0: piece, index }) => {
    const entry = piece.replace(/#.*/, "").trim();
    return entry === "" ? [] : [{ entry, at: index + piece.indexOf(entry) }];
  });
  if (pieces.length === 0)
    throw EolgateError.of("invalid-request", {
      problem: "the list is empty",
      advice: "Write one product and version on each line, for example nodejs 18.",
    }).at("list");
  if (pieces.length > MAX_ENTRIES)
    throw EolgateError.of("invalid-request", {
      problem: `the stack has ${pieces.length} pairs, more than the limit of ${MAX_ENTRIES}`,
    }).at("list");
  return pieces.map(({ entry, at }, index) =>
    readEntry(entry, { where: `list, entry ${index + 1}`, at, length: entry.length }, catalogue),
  );
}

function readEntry(entry: string, location: EntryLocation, catalogue: Catalogue): ListedEntry {
  const text = entry.slice(0, MAX_LENGTH);
  if (text.startsWith("pkg:")) return { ...location, kind: "purl", purl: text };
  const exact = exactCycle(text, catalogue);
  if (exact) return { ...location, kind: "version", ...exact };
  const { where } = location;
  const { name, version } = ENTRY.exec(text.slice(0, 200))?.groups ?? {};
  if (name === undefined || version === undefined)
    throw EolgateError.of("invalid-request", {
      problem: `${JSON.stringify(text.slice(0, 60))} is not a product with a version`,
      advice: "Write one product and version on each line, for example nodejs 18.",
    }).at(where);
  return { ...location, kind: "version", slug: slugOf(name, where, catalogue), version };
}

/** The only product that is called so. @throws EolgateError `invalid-request`, with suggestions. */
function slugOf(name: string, where: string, catalogue: Catalogue): Product["slug"] {
  const products = productsCalled(catalogue, name);
  const [product] = products;
  if (product !== undefined && products.length === 1) return product.slug;
  const candidates = products.length > 0 ? products.map(({ slug }) => slug) : suggest(catalogue, name);
  const suggestions = candidates.slice(0, 5).join(", ");
  throw EolgateError.of("invalid-request", {
    problem: `the catalogue has no product ${JSON.stringify(name)}, or several`,
    advice: suggestions === "" ? "Search for the product first." : `Did you mean ${suggestions}?`,
  }).at(where);
}

/** An exact slug and cycle. Checked first, because names of cycles can contain separators: `openstack nova@2024.1`. */
function exactCycle(text: string, catalogue: Catalogue): { slug: string; version: string } | undefined {
  const [, slug = "", version = ""] = /^([^\s:]+)[\s:]\s*(\S+)$/.exec(text) ?? [];
  const isCycle = catalogue.product(slug)?.cycles.some(({ name }) => name === version) === true;
  return isCycle ? { slug, version } : undefined;
}

/**
 * The distinct release cycles of a list, in its order.
 * @throws EolgateError as `readListed`; of kind `not-found` or `ambiguous` for an entry without a single release cycle
 */
export const listedCycles = (text: string, catalogue: Catalogue, asOf: IsoDate): readonly CycleRef[] =>
  entryCycles(readListed(text, catalogue), catalogue, asOf);

/** The distinct release cycles of parsed entries, see `listedCycles`. */
export const entryCycles = (
  entries: readonly ListedEntry[],
  catalogue: Catalogue,
  asOf: IsoDate,
): readonly CycleRef[] => uniqueCycles(entries.map((entry) => cycleOf(entry, catalogue, asOf)));

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
  if (!product)
    throw EolgateError.of("invalid-request", {
      problem: `the catalogue has no product ${JSON.stringify(slug)}, or several`,
      advice: "Search for the product first.",
    });
  return { product: product.slug, cycle: findCycle(product, version, asOf).cycle.name };
}

/** Resolves like a component of a document: a distro-maintained package gives the cycle of its distribution. @throws EolgateError */
export function purlCycle(purl: string, catalogue: Catalogue): CycleRef {
  const key = purlKey(purl);
  const version = key.kind === "purl" ? key.version : undefined;
  const resolution = createResolver(catalogue, null, { strict: true })(purlComponent(purl, version));
  if (resolution.kind === "resolved") return resolution.releaseCycle;
  if (resolution.kind === "distro-maintained") return resolution.by;
  throw unresolvedError(purl, resolution);
}
