/** Readings that are restored from the catalogue in use: the state of a source that cannot be read today. */
import { asIsoDate, asProductSlug, parseCycleKey } from "../../text/ids.ts";
import type { PackageEndReading } from "../compile/compile.ts";
import { readDate, readEnd } from "../../catalogue/stored-values.ts";
import type { CopiedPages } from "../compile/products.ts";
import type { VendorReading } from "../compile/vendor.ts";
import { ReadTables } from "../../catalogue/read-tables.ts";
import type {
  StoredContent,
  StoredCycle,
  StoredEnd,
  StoredProduct,
  StoredRead,
  StoredClaim,
} from "../../catalogue/schema.ts";
import { type PackageEndClaim, type SourceClaim, tablePages } from "../sources/source.ts";
import { findSource } from "../sources/sources.ts";

/** Claims of vendors, one reading for each row of `reads`, with the day on which they were read. */
export function previousVendors({ products, reads, addresses }: StoredContent): readonly VendorReading[] {
  const byRead = new Map<number, SourceClaim[]>();
  const add = (read: number | undefined, make: (basis: "stated" | "rule") => SourceClaim | undefined) => {
    const row = read === undefined ? undefined : reads[read];
    if (read === undefined || row?.kind !== "vendor-feed") return;
    const claim = make(row.basis === "rule" ? "rule" : "stated");
    if (claim) byRead.set(read, [...(byRead.get(read) ?? []), claim]);
  };
  for (const [slug, product] of Object.entries(products))
    for (const cycle of product.cycles) for (const { read, make } of claimsOf(slug, cycle)) add(read, make);
  return [...byRead].flatMap(([index, claims]) => {
    const row = reads[index];
    return row === undefined ? [] : [readingOf(row, addresses, claims)];
  });
}

interface RestoredClaim {
  readonly read: number | undefined;
  readonly make: (basis: "stated" | "rule") => SourceClaim | undefined;
}

function claimsOf(slug: string, cycle: StoredCycle): readonly RestoredClaim[] {
  const head = { product: asProductSlug(slug), cycle: cycle.name };
  const ends = (field: "eol" | "eoas" | "eoes", statements: readonly StoredClaim[] = []): RestoredClaim[] =>
    statements.map(([read, stored]) => ({
      read,
      make: (basis) => {
        const end = readEnd(stored);
        return end.kind === "unknown" ? undefined : { ...head, field, basis, end };
      },
    }));
  const { notBefore, notBeforeRead } = cycle;
  return [
    ...ownClaims(cycle, head, ends),
    ...ends("eol", cycle.also),
    ...ends("eol", cycle.quarantined),
    ...ends("eoas", cycle.alsoEoas),
    ...ends("eoes", cycle.alsoEoes),
    ...(cycle.tracks ?? []).map(({ read, name, vendor, cost, end }): RestoredClaim => {
      const track = { name, vendor: vendor ?? "", cost, end: end === null ? null : readDate(end) };
      return { read, make: (basis) => ({ ...head, field: "track", basis, track }) };
    }),
    {
      read: notBeforeRead,
      make: (basis) =>
        notBefore === undefined ? undefined : { ...head, field: "notBefore", basis, date: readDate(notBefore) },
    },
  ];
}

/** A cycle that a feed added to one of our own products: the feed states its days of release and of the ends. */
function ownClaims(
  { read, released, eol, eoas, eoes }: StoredCycle,
  head: Pick<SourceClaim, "product" | "cycle">,
  ends: (field: "eol" | "eoas" | "eoes", statements: readonly StoredClaim[]) => readonly RestoredClaim[],
): readonly RestoredClaim[] {
  if (read === undefined || released === undefined) return [];
  const stated = (end: StoredEnd | undefined): readonly StoredClaim[] => (end === undefined ? [] : [[read, end]]);
  return [
    { read, make: (basis) => ({ ...head, field: "releaseDate", basis, date: readDate(released) }) },
    ...ends("eol", stated(eol)),
    ...ends("eoas", stated(eoas)),
    ...ends("eoes", stated(eoes)),
  ];
}

function readingOf(row: StoredRead, addresses: readonly string[], claims: readonly SourceClaim[]): VendorReading {
  return {
    source: row.source,
    origin: findSource(row.source)?.origin ?? row.source,
    url: addresses[row.page] ?? "",
    readOn: row.on,
    ...(row.content !== undefined && { contentOn: row.content }),
    extent: row.objection ? "excerpt" : "whole",
    pages: tablePages(findSource(row.source)),
    claims,
  };
}

export function previousPackageEnds({ packageEnds, reads, addresses }: StoredContent): readonly PackageEndReading[] {
  return Object.entries(packageEnds).flatMap(([key, { read, packages }]): PackageEndReading[] => {
    const row = reads[read];
    const { product: distro, cycle = "" } = parseCycleKey(key);
    if (row === undefined) return [];
    const claims = Object.entries(packages).map(([name, state]): PackageEndClaim => {
      const isPattern = name.startsWith("/");
      const from = /^\d{4}-/.test(state) ? { from: asIsoDate(state) } : {};
      const kind = state === "limited" || state === "supported" ? state : ("ended" as const);
      return {
        distro: asProductSlug(distro),
        cycle,
        package: isPattern ? name.slice(1, -1) : name,
        isPattern,
        kind,
        ...from,
      };
    });
    return [{ source: row.source, url: addresses[row.page] ?? "", readOn: row.on, claims }];
  });
}

/** The KEV entries of the catalogue in use, for an update in which CISA's feed could not be read. */
export function previousKev(content: StoredContent, before: StoredContent): StoredContent {
  const tables = new ReadTables(content);
  const products = Object.entries(content.products).map(([slug, product]): [string, StoredProduct] => {
    const known = before.products[slug];
    if (known?.kev === undefined) return [slug, product];
    const { kev } = tables.take({ ...known, cycles: [] }, before);
    // They refer to cycles by index, and the new content may have cycles before or between them.
    const at = new Map(product.cycles.map(({ name }, index) => [name, index]));
    const kevCycles = known.kevCycles?.map((list) =>
      list.flatMap((index) => at.get(known.cycles[index]?.name ?? "") ?? []),
    );
    return [slug, { ...product, ...(kev && { kev }), ...(kevCycles && { kevCycles }) }];
  });
  return { ...content, products: Object.fromEntries(products), addresses: tables.addresses, reads: tables.reads };
}

/**
 * Products whose cycles the record's robots copy from a vendor's page. The record's answer does not state it. A cycle that
 * was a copy stays one, and a new cycle of such a product counts as one: to count too few independent sources is safer than
 * to count too many.
 */
export function previousCopies({ products, reads, addresses }: StoredContent, readOn: string): CopiedPages {
  const copies: Record<string, CopiedPages[string]> = {};
  for (const [slug, { cycles }] of Object.entries(products)) {
    const page = cycles
      .map(({ read }) => (read === undefined ? undefined : reads[read]))
      .find((row) => row?.copied)?.page;
    const address = page === undefined ? undefined : addresses[page];
    if (address === undefined) continue;
    const own = cycles.filter(({ read }) => read === undefined || !reads[read]?.copied);
    copies[slug] = {
      cycles: "all",
      except: own.map(({ name, eol }) => ({ name, eol })),
      read_on: readOn,
      source_url: address,
    };
  }
  return copies;
}
