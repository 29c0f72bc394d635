/**
 * Curated and refreshed layers become one catalogue. Pure: readings in, content out, the same bytes for the same input.
 * What contradicts itself is refused with its place; what gives way, or is gone, is noted.
 */
import type { Curated, CuratedPlatform, CuratedProduct } from "./compile/curated.ts";
import { cpeIndex, modelIndex, nameIndex, systemIndex } from "./compile/indexes.ts";
import { checkDates, checkNames } from "./compile/checks.ts";
import { withCorrections } from "./compile/corrections.ts";
import { kevByProduct } from "./compile/kev.ts";
import { Problems, type Problem } from "./compile/problems.ts";
import {
  type CopiedPages,
  customProduct,
  platformProduct,
  recordedProduct,
  type CompileContext,
} from "./compile/products.ts";
import { distroPackages, purlMap } from "./compile/purl-map.ts";
import { SharedTables } from "./compile/tables.ts";
import { type VendorReading, vendorClaims, withVendors } from "./compile/vendor.ts";
import type { StoredContent, StoredProduct } from "./schema.ts";
import type { EarlyEndClaim, KevReading, RecordReading } from "./sources/source.ts";

export interface CompileInputs {
  readonly curated: Curated;
  readonly record: { readonly reading: RecordReading; readonly readOn: string; readonly copied: CopiedPages };
  readonly kev: KevReading;
  readonly vendors: readonly VendorReading[];
  readonly earlyEnds: readonly EarlyEndReading[];
}
export interface EarlyEndReading {
  readonly source: string;
  readonly url: string;
  readonly readOn: string;
  readonly facts: readonly EarlyEndClaim[];
}
export interface Compilation {
  readonly content: StoredContent;
  readonly notes: readonly Problem[];
}

/** @throws Fault `catalogue`, code `contradiction`, with every problem in `facts.problems`. */
export function compile(inputs: CompileInputs): Compilation {
  const { curated } = inputs;
  const shop: CompileContext = { curated, tables: new SharedTables(), problems: new Problems() };
  const { tables, problems } = shop;
  const recorded = inputs.record.reading.products;
  const upstream = new Set<string>(recorded.map(({ slug }) => slug));
  const custom = ownProducts(curated.products, upstream, problems);
  const products = drafts(shop, inputs, custom, upstream);
  const kev = kevByProduct(curated.kev, custom, inputs.kev, problems);
  const words = vendorClaims(inputs.vendors);
  const finished = new Map<string, StoredProduct>();
  for (const [slug, draft] of [...products].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const spoken = withCorrections(shop, slug, withVendors(slug, draft, words, tables));
    const entries = kev.get(slug);
    finished.set(slug, entries ? { ...spoken, kev: entries } : spoken);
  }
  const names = nameIndex(finished);
  checkNames(names, problems);
  const dated = new Map([...finished].map(([slug, product]) => [slug, checkDates(shop, slug, product)]));
  const slugs = new Set(finished.keys());
  const lines = (slug: string) => finished.get(slug)?.lines.map(({ name }) => name) ?? [];
  const content: StoredContent = {
    stamp: {
      date: inputs.record.readOn,
      purlMapDate: inputs.record.readOn,
      kevVersion: inputs.kev.version,
    },
    products: Object.fromEntries(dated),
    purls: purlMap(curated, recorded, custom, slugs, problems),
    distroPackages: distroPackages(curated.distroPackages, lines, problems),
    names,
    cpes: cpeIndex(finished, curated, problems),
    models: modelIndex(curated.platforms),
    systems: systemIndex(curated, slugs, problems),
    earlyEnds: earlyEnds(inputs.earlyEnds, tables),
    // Last: the rows above fill them.
    addresses: tables.addresses,
    reads: tables.reads,
  };
  problems.throwIfAny();
  return { content, notes: problems.notes };
}

/** A product that upstream takes up gives way to upstream. */
function ownProducts(
  products: readonly CuratedProduct[],
  upstream: ReadonlySet<string>,
  problems: Problems,
): readonly CuratedProduct[] {
  return products.filter(({ slug }) => {
    if (!upstream.has(slug)) return true;
    problems.note("taken-up-upstream", slug, `${slug} is in the upstream record now: our own entry gives way`);
    return false;
  });
}

function drafts(
  shop: CompileContext,
  { record, curated }: CompileInputs,
  custom: readonly CuratedProduct[],
  upstream: ReadonlySet<string>,
): ReadonlyMap<string, StoredProduct> {
  const products = new Map<string, StoredProduct>();
  const put = (slug: string, product: StoredProduct) => {
    if (products.has(slug)) shop.problems.refuse("duplicate-slug", slug, `${slug} is recorded twice`);
    products.set(slug, product);
  };
  const platforms = new Map<string, CuratedPlatform>(curated.platforms.map((platform) => [platform.slug, platform]));
  for (const product of record.reading.products)
    put(product.slug, recordedProduct(shop, product, record.readOn, record.copied, platforms.get(product.slug)));
  for (const product of custom) put(product.slug, customProduct(shop, product));
  for (const platform of curated.platforms)
    if (!upstream.has(platform.slug)) put(platform.slug, platformProduct(shop, platform));
  return products;
}

function earlyEnds(readings: readonly EarlyEndReading[], tables: SharedTables): StoredContent["earlyEnds"] {
  const lines: Record<string, { read: number; packages: Record<string, string> }> = {};
  for (const { source, url, readOn, facts } of readings) {
    const read = tables.read({ kind: "vendor-feed", source, url, on: readOn });
    for (const { distro, cycle, package: name, isPattern, kind, from } of facts) {
      const line = (lines[`${distro}:${cycle}`] ??= { read, packages: {} });
      line.packages[isPattern ? `/${name}/` : name] = kind === "ended" ? (from ?? "ended") : kind;
    }
  }
  return lines;
}
