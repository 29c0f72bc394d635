/**
 * Which known exploited vulnerabilities name a product, and which of its versions they affect. The curated map holds the
 * vendor and product names under which CISA lists a product, and how exactly they name it; `named` contains entries whose
 * description names a product that their heading does not; the curated ranges add products that the CVE record names.
 */
import { compact } from "../../text/values.ts";
import type { KevBasis } from "../../model/index.ts";
import type { StoredKevEntry, StoredKevVersions, StoredProduct } from "../../catalogue/schema.ts";
import type { KevReading } from "../sources/source.ts";
import type { Curated, CuratedKev, CuratedProduct } from "./curated.ts";
import { Problems, type RowContext } from "../problems.ts";
import { parseKevRange } from "../../catalogue/stored-values.ts";
import type { CuratedKevVersions } from "./curated-schemas.ts";

const RANK: readonly KevBasis[] = ["exact", "evidence", "component", "bundle"];

/** The part of a stored product with its known exploited vulnerabilities. */
export type StoredKev = Pick<StoredProduct, "kev" | "kevCycles">;

export interface KevInputs {
  readonly map: CuratedKev;
  readonly products: readonly CuratedProduct[];
  readonly reading: KevReading;
  readonly versions: KevVersionFacts;
}

export function kevByProduct(inputs: KevInputs, problems: Problems): ReadonlyMap<string, StoredKev> {
  const entries = new Map(inputs.reading.entries.map((entry) => [entry.cve, entry]));
  const found = basisByCve(inputs, entries, problems);
  const products = [...found].map(([slug, cves]): [string, StoredKev] => {
    const lists = new CycleLists();
    const rows = [...cves].flatMap(([cve, basis]): StoredKevEntry[] => {
      const entry = entries.get(cve);
      return entry === undefined ? [] : [storedEntry(entry, basis, inputs.versions.get(slug)?.get(cve), lists)];
    });
    return [slug, compact({ kev: rows.sort(newestFirst), kevCycles: lists.all.length > 0 ? lists.all : undefined })];
  });
  return new Map(products);
}

/** Which entries name which product, and how exactly, before any ranges are known. */
export function kevMentions(
  { kev: map, products }: Pick<Curated, "kev" | "products">,
  reading: KevReading,
): ReadonlyMap<string, ReadonlyMap<string, KevBasis>> {
  const entries = new Map(reading.entries.map((entry) => [entry.cve, entry]));
  return basisByCve({ map, products, reading, versions: new Map() }, entries, new Problems());
}

type KevListing = KevReading["entries"][number];

/** How exactly each CVE names each product: the most exact of all that do. */
function basisByCve(
  inputs: KevInputs,
  entries: ReadonlyMap<string, KevListing>,
  problems: Problems,
): ReadonlyMap<string, ReadonlyMap<string, KevBasis>> {
  const found = new Map<string, Map<string, KevBasis>>();
  const mentions = [...byHeading(inputs, problems), ...byDescription(inputs, entries, problems)];
  for (const [slug, cve, basis] of mentions) {
    const cves = found.get(slug) ?? new Map<string, KevBasis>();
    found.set(slug, cves);
    const known = cves.get(cve);
    if (known === undefined || RANK.indexOf(basis) < RANK.indexOf(known)) cves.set(cve, basis);
  }
  for (const [slug, cve, basis] of byRecord(inputs, entries, problems)) {
    const cves = found.get(slug) ?? new Map<string, KevBasis>();
    found.set(slug, cves);
    // What CISA itself writes comes first.
    if (!cves.has(cve)) cves.set(cve, basis);
  }
  return found;
}

type Mention = readonly [slug: string, cve: string, basis: KevBasis];

function byHeading({ map, products, reading }: KevInputs, problems: Problems): readonly Mention[] {
  const pairs = [
    ...Object.entries(map.pairs).flatMap(([slug, rows]) => rows.map((row) => [slug, ...row] as const)),
    ...products.flatMap(({ slug, kev = [] }) => kev.map((row) => [slug, ...row] as const)),
  ];
  const headings = Map.groupBy(reading.entries, ({ vendor, product }) => heading(vendor, product));
  return pairs.flatMap(([slug, vendor, product, basis]) => {
    const headed = headings.get(heading(vendor, product));
    if (headed === undefined) problems.note("kev-pair-gone", slug, `no entry is headed ${vendor} ${product} any more`);
    return (headed ?? []).map(({ cve }): Mention => [slug, cve, basis]);
  });
}

function byDescription(
  { map }: KevInputs,
  entries: ReadonlyMap<string, KevListing>,
  problems: Problems,
): readonly Mention[] {
  const named = Object.entries(map.named).flatMap(([slug, cves]) =>
    cves.map((cve): Mention => [slug, cve, "evidence"]),
  );
  return named.filter((mention) => isListed(mention, entries, problems));
}

/** Products that the CVE record or the vendor names and CISA does not. */
function byRecord(
  { versions }: KevInputs,
  entries: ReadonlyMap<string, KevListing>,
  problems: Problems,
): readonly Mention[] {
  const named = [...versions].flatMap(([slug, facts]) =>
    [...facts].flatMap(([cve, { basis }]): Mention[] => (basis === undefined ? [] : [[slug, cve, basis]])),
  );
  return named.filter((mention) => isListed(mention, entries, problems));
}

function isListed([slug, cve]: Mention, entries: ReadonlyMap<string, KevListing>, problems: Problems): boolean {
  if (entries.has(cve)) return true;
  problems.note("kev-entry-gone", slug, `${cve} is not in the catalogue any more`);
  return false;
}

/** Many entries of a product affect the same cycles: each list is stored once. */
class CycleLists {
  readonly all: (readonly number[])[] = [];
  readonly #index = new Map<string, number>();

  indexOf(cycles: readonly number[]): number {
    const key = cycles.join(" ");
    const known = this.#index.get(key) ?? this.all.length;
    if (known === this.all.length) this.all.push(cycles);
    this.#index.set(key, known);
    return known;
  }
}

function storedEntry(
  { cve, added, ransomware }: KevListing,
  basis: KevBasis,
  fact: KevVersionFact | undefined,
  lists: CycleLists,
): StoredKevEntry {
  const versions = fact?.versions;
  if (versions !== undefined)
    return [cve, added, basis, ransomware ? 1 : 0, storedVersions(versions, lists.indexOf(versions.cycles))];
  return ransomware ? [cve, added, basis, 1] : [cve, added, basis];
}

function storedVersions({ read, ranges, fixed }: CompiledKevVersions, cycles: number): StoredKevVersions {
  if (fixed !== undefined) return [read, cycles, ranges ?? [], fixed];
  return ranges === undefined ? [read, cycles] : [read, cycles, ranges];
}

function newestFirst([leftCve, leftDay]: StoredKevEntry, [rightCve, rightDay]: StoredKevEntry): number {
  if (leftDay !== rightDay) return leftDay < rightDay ? 1 : -1;
  return leftCve < rightCve ? -1 : 1;
}

/** The feed writes blanks around some names (`Windows `). */
function heading(vendor: string, product: string): string {
  return [vendor, product].map((name) => name.trim().replaceAll(/\s+/g, " ")).join("\n");
}

// Which versions the known exploited vulnerabilities affect: curated ranges, checked, in their stored form.

/** A curated row about one CVE and product. */
export interface KevVersionFact {
  /** How exactly the record names the product, where CISA's heading does not. */
  readonly basis?: "evidence" | "component";
  /** Absent: no version is named. */
  readonly versions?: CompiledKevVersions;
}
export interface CompiledKevVersions {
  readonly ranges?: readonly string[];
  /** Indexes of the product's cycles. */
  readonly cycles: readonly number[];
  readonly fixed?: Readonly<Record<string, string>>;
  /** Index into `reads`. */
  readonly read: number;
}

/** Slug, then CVE. */
export type KevVersionFacts = ReadonlyMap<string, ReadonlyMap<string, KevVersionFact>>;

export function kevVersionFacts(files: readonly CuratedKevVersions[], context: RowContext): KevVersionFacts {
  const facts = new Map<string, Map<string, KevVersionFact>>();
  for (const file of files) {
    for (const [slug, rows] of Object.entries(file.products)) {
      const known = facts.get(slug) ?? new Map<string, KevVersionFact>();
      facts.set(slug, known);
      for (const row of rows) {
        const where = `${slug} ${row.cve}`;
        if (known.has(row.cve)) context.problems.refuse("duplicate-range", where, `${where} is stated twice`);
        known.set(row.cve, factOf(file, slug, row, context));
      }
    }
  }
  return facts;
}

export type CuratedKevRow = CuratedKevVersions["products"][string][number];

function factOf({ reads }: CuratedKevVersions, slug: string, row: CuratedKevRow, context: RowContext): KevVersionFact {
  const { tables, problems, cyclesOf } = context;
  const where = `${slug} ${row.cve}`;
  const basis = row.basis === undefined ? {} : { basis: row.basis };
  if (row.unknown) return basis;
  const source = reads[row.read ?? 0];
  if (source === undefined) {
    problems.refuse("no-source", where, `${where} names no read`);
    return basis;
  }
  for (const range of row.ranges ?? [])
    if (parseKevRange(range) === undefined) problems.refuse("range-invalid", where, `${range} is no range of versions`);
  const names = cyclesOf(slug);
  const cycles = (row.cycles ?? []).flatMap((cycle) => {
    const index = names.indexOf(cycle);
    if (index >= 0) return [index];
    problems.note("kev-cycle-gone", where, `${slug} has no release cycle ${cycle} any more`);
    return [];
  });
  const { page, ...rest } = source;
  const read = tables.read({ kind: "custom", url: context.addressOf(slug, page), ...rest });
  return { ...basis, versions: compact({ ranges: row.ranges, cycles, fixed: row.fixed, read }) };
}
