/**
 * What the catalogue file contains, section by section, and how each is laid out. `StoredContent` is what the compiler
 * writes; the file differs from it so that a name and a distribution's package are found by one look-up, and in the rows
 * at the end of this file, which are shorter.
 */
import { normalizeName } from "../../resolve/normalize-name.ts";
import { keyVendorNames, keyVendorPublishers, type KeyedRows } from "../../resolve/distro/vendor-index.ts";
import { packNewest, type PackedNewest } from "./newest-index.ts";
import { keysOf } from "../../text/values.ts";
import type { StoredContent, StoredPurl, StoredCycle, StoredProduct, StoredRead } from "../schema.ts";

/**
 * `value`: one row. `records`: one row for each key, sorted by key. `list`: one row for each element.
 * A look-up in records and lists reads one block of a few rows.
 */
export type SectionForm = "value" | "records" | "list";

type SharedSections = Omit<StoredContent, "distroPackages" | "names" | "products" | "purls" | "reads">;

export interface FileSections extends SharedSections {
  readonly products: Readonly<Record<string, PackedProduct>>;
  readonly purls: StoredContent["purls"];
  readonly reads: readonly PackedRead[];
  /** Purl type → namespaces in which the packages are found; also without a namespace. */
  readonly distroNamespaces: Readonly<Record<string, readonly string[]>>;
  /** `deb/perl` → entry. */
  readonly distroPackages: Readonly<Record<string, StoredPurl>>;
  /** Folded title, alias or slug → slugs. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Made of `newestVersions`. */
  readonly newestIndex: PackedNewest;
  /** `deb ngin` → globs over package names, each with its index into `vendorPackages`. */
  readonly vendorNames: KeyedRows;
  /** First word of a publisher → publishers, each with its index into `vendorPackages`. */
  readonly vendorPublishers: KeyedRows;
}

export type SectionName = keyof FileSections;

/** Sections in the order of the file. */
export const SECTION_FORMS = {
  metadata: "value",
  distroNamespaces: "value",
  addresses: "list",
  reads: "list",
  products: "records",
  purls: "records",
  distroPackages: "records",
  names: "records",
  cpes: "records",
  models: "records",
  systems: "records",
  packageEnds: "records",
  packageLifecycles: "records",
  newestVersions: "records",
  newestIndex: "value",
  vendorPackages: "list",
  vendorNames: "records",
  vendorPublishers: "records",
  distroRevisions: "list",
  commonNames: "value",
  modelPlatforms: "value",
  packageMoves: "value",
  alternativeVersions: "value",
  releaseEvidence: "value",
  packageEvidence: "value",
  shippedVersions: "value",
  tools: "value",
  imageVariables: "value",
} as const satisfies Readonly<Record<SectionName, SectionForm>>;

export const SECTION_NAMES: readonly SectionName[] = keysOf(SECTION_FORMS);

export function toFileSections(content: StoredContent): FileSections {
  const { distroPackages, names, products, purls, reads, ...shared } = content;
  const types = Object.entries(distroPackages);
  return {
    ...shared,
    products: mapValues(products, packProduct),
    purls: mapValues(purls, packPurl),
    reads: reads.map(packRead),
    distroNamespaces: Object.fromEntries(types.map(([type, { namespaces }]) => [type, namespaces])),
    distroPackages: Object.fromEntries(
      types.flatMap(([type, table]) => Object.entries(table.names).map(([name, entry]) => [`${type}/${name}`, entry])),
    ),
    names: foldedNames(names),
    newestIndex: packNewest(shared.newestVersions),
    vendorNames: keyVendorNames(shared.vendorPackages),
    vendorPublishers: keyVendorPublishers(shared.vendorPackages),
  };
}

/** The compiler's form again. Titles and aliases are those of the products. */
export function toStoredContent(sections: FileSections): StoredContent {
  const { distroNamespaces, distroPackages, products, purls, reads, ...others } = sections;
  // These are made of other sections when the file is written.
  const { names: _, newestIndex: _index, vendorNames: _names, vendorPublishers: _publishers, ...shared } = others;
  const tables = new Map<string, { namespaces: readonly string[]; names: Record<string, StoredPurl> }>(
    Object.entries(distroNamespaces).map(([type, namespaces]) => [type, { namespaces, names: {} }]),
  );
  for (const [key, entry] of Object.entries(distroPackages)) {
    const slash = key.indexOf("/");
    const table = tables.get(key.slice(0, slash));
    if (table !== undefined) table.names[key.slice(slash + 1)] = entry;
  }
  return {
    ...shared,
    products: mapValues(products, unpackProduct),
    purls: mapValues(purls, unpackPurl),
    reads: reads.map(unpackRead),
    distroPackages: Object.fromEntries(tables),
    names: Object.fromEntries(
      Object.entries(sections.products).map(([slug, { name, aliases = [] }]) => [slug, [name, ...aliases]]),
    ),
  };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** Every name under which a product is looked up. A name that several products share lists all of them. */
export function foldedNames(names: StoredContent["names"]): FileSections["names"] {
  const index = new Map<string, string[]>();
  for (const [slug, titles] of Object.entries(names)) {
    for (const folded of new Set([slug, ...titles].map(normalizeName))) {
      // A name with characters beyond ASCII matches nothing.
      if (folded === "") continue;
      const known = index.get(folded);
      if (known) known.push(slug);
      else index.set(folded, [slug]);
    }
  }
  return Object.fromEntries(index);
}

// Rows that occur thousands of times are written without the names of their usual fields: a cycle as
// `[name, released, eol, {other fields}]`, an entry of the purl map with a product and a basis as `slug basis`.

// Rows of another shape than their type are written as they are: the reader refuses them.
const isObject = (row: unknown): row is object => typeof row === "object" && row !== null;
const isList = (rows: unknown): rows is readonly unknown[] => Array.isArray(rows);

export function packProduct(product: StoredProduct): PackedProduct {
  if (!isObject(product)) return product;
  const { cycles } = product;
  return { ...product, cycles: isList(cycles) ? cycles.map(packCycle) : cycles };
}

export function unpackProduct(product: PackedProduct): StoredProduct {
  return { ...product, cycles: product.cycles.map(unpackCycle) };
}

function packCycle(cycle: StoredCycle): PackedCycle {
  if (!isObject(cycle)) return cycle;
  const { name, released, eol, ...others } = cycle;
  const usual = [name, released ?? null, eol ?? null] as const;
  return Object.keys(others).length === 0 ? usual : [...usual, others];
}

function unpackCycle([name, released, eol, others]: PackedCycle): StoredCycle {
  return { name, ...(released !== null && { released }), ...(eol !== null && { eol }), ...others };
}

/** Entries of these two fields and no other. A slug has no blank. */
export function packPurl(entry: StoredPurl): StoredPurl {
  if (typeof entry === "string" || !isObject(entry)) return entry;
  const { product, basis, ...others } = entry;
  return Object.keys(others).length === 0 ? `${product} ${basis}` : entry;
}

export function unpackPurl(entry: StoredPurl): StoredPurl {
  if (typeof entry !== "string") return entry;
  // The name of a part can have a blank.
  const [, product, basis] = /^([^ #]+) ([^ ]+)$/.exec(entry) ?? [];
  return product === undefined || basis === undefined ? entry : { product, basis };
}

const OWN = { kind: "custom", source: "eolgate" } as const;

export function packRead(read: StoredRead): PackedRead {
  if (!isObject(read)) return read;
  const { kind, source, ...others } = read;
  return kind === OWN.kind && source === OWN.source ? others : read;
}

export function unpackRead(read: PackedRead): StoredRead {
  return { ...OWN, ...read };
}

// The rows of the file that are shorter than the compiler's form.

type OtherFields = Omit<StoredCycle, "name" | "released" | "eol">;
/** Null: the field is missing. */
export type PackedCycle =
  | readonly [name: string, released: string | null, eol: string | boolean | null]
  | readonly [name: string, released: string | null, eol: string | boolean | null, others: OtherFields];
export type PackedProduct = Omit<StoredProduct, "cycles"> & { readonly cycles: readonly PackedCycle[] };

/** Most reads are of our own records: their kind and source are left out. */
export type PackedRead = Omit<StoredRead, "kind" | "source"> & Partial<Pick<StoredRead, "kind" | "source">>;
