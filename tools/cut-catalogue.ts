/**
 * Extracts a small catalogue from the bundled one, for tests whose results must not change with a refresh.
 * Run: node tools/cut-catalogue.ts test/fixtures/catalogue.json debian nodejs …
 */
import { readFileSync, writeFileSync } from "node:fs";
import { encodeCatalogue, readContent } from "../src/catalogue/file.ts";
import { decodePart } from "../src/catalogue/purls.ts";
import { BUNDLED } from "../src/catalogue/places.ts";
import type {
  StoredContent,
  StoredCycle,
  StoredProduct,
  StoredPurl,
  StoredClaim,
  StoredKevEntry,
} from "../src/catalogue/schema.ts";

const [target, ...slugs] = process.argv.slice(2);
if (target === undefined || slugs.length === 0) throw new Error("usage: node tools/cut-catalogue.ts FILE SLUG…");

const content = readContent(readFileSync(BUNDLED), "bundled");
const kept = new Set(slugs);

const pick = <Value>(
  record: Readonly<Record<string, Value>>,
  keep: (key: string, value: Value) => boolean,
): Record<string, Value> => Object.fromEntries(Object.entries(record).filter(([key, value]) => keep(key, value)));

/** Old index → new index, in the order of first use. */
class Remap {
  readonly #at = new Map<number, number>();
  take(old: number): number {
    const known = this.#at.get(old);
    if (known !== undefined) return known;
    this.#at.set(old, this.#at.size);
    return this.#at.size - 1;
  }
  get order(): readonly number[] {
    return [...this.#at.keys()];
  }
}
const addresses = new Remap();
const reads = new Remap();

const statement = ([read, end]: StoredClaim): StoredClaim => [reads.take(read), end];

function storedCycle(row: StoredCycle): StoredCycle {
  return {
    ...row,
    ...(row.read !== undefined && { read: reads.take(row.read) }),
    ...(row.also && { also: row.also.map(statement) }),
    ...(row.quarantined && { quarantined: row.quarantined.map(statement) }),
    ...(row.notBeforeRead !== undefined && { notBeforeRead: reads.take(row.notBeforeRead) }),
    ...(row.alsoEoas && { alsoEoas: row.alsoEoas.map(statement) }),
    ...(row.alsoEoes && { alsoEoes: row.alsoEoes.map(statement) }),
    ...(row.tracks && {
      tracks: row.tracks.map((track) => ({
        ...track,
        ...(track.read !== undefined && { read: reads.take(track.read) }),
      })),
    }),
  };
}

function kevEntry(entry: StoredKevEntry): StoredKevEntry {
  const [cve, added, basis, ransomware = 0, versions] = entry;
  if (versions === undefined) return entry;
  const [read, ...rest] = versions;
  return [cve, added, basis, ransomware, [reads.take(read), ...rest]];
}

function product(row: StoredProduct): StoredProduct {
  return {
    ...row,
    ...(row.policy !== undefined && { policy: addresses.take(row.policy) }),
    read: reads.take(row.read),
    ...(row.kev && { kev: row.kev.map(kevEntry) }),
    cycles: row.cycles.map(storedCycle),
  };
}

const productOf = (entry: StoredPurl): string =>
  typeof entry === "string" ? decodePart("", entry).slug : entry.product;
const products = Object.fromEntries(
  Object.entries(pick(content.products, (slug) => kept.has(slug))).map(([slug, row]) => [slug, product(row)]),
);
const packageEnds = Object.fromEntries(
  Object.entries(pick(content.packageEnds, (key) => kept.has(key.split(":")[0] ?? ""))).map(([key, row]) => [
    key,
    { ...row, read: reads.take(row.read) },
  ]),
);
const packageLifecycles = Object.fromEntries(
  Object.entries(pick(content.packageLifecycles, (key) => kept.has(key.split(":")[0] ?? ""))).map(([key, rows]) => [
    key,
    rows.map((row) => ({ ...row, read: reads.take(row.read) })),
  ]),
);
const cutReads = reads.order
  .flatMap((old) => content.reads[old] ?? [])
  .map((read) => ({
    ...read,
    page: addresses.take(read.page),
    ...(read.via !== undefined && { via: addresses.take(read.via) }),
  }));

const cut: StoredContent = {
  ...content,
  products,
  purls: pick(content.purls, (_, entry) => kept.has(productOf(entry))),
  distroPackages: Object.fromEntries(
    Object.entries(content.distroPackages).map(([type, { namespaces, names }]) => [
      type,
      { namespaces, names: pick(names, (_, entry) => kept.has(productOf(entry))) },
    ]),
  ),
  names: pick(content.names, (slug) => kept.has(slug)),
  cpes: pick(content.cpes, (_, slug) => kept.has(slug)),
  models: pick(content.models, (_, entries) => entries.every(([slug]) => kept.has(slug))),
  systems: pick(content.systems, (_, entry) => entry === "rolling" || kept.has(entry[0])),
  packageEnds,
  packageLifecycles,
  vendorPackages: content.vendorPackages.map((row) => ({ ...row, page: addresses.take(row.page) })),
  distroRevisions: content.distroRevisions.map((row) => ({ ...row, page: addresses.take(row.page) })),
  addresses: addresses.order.flatMap((old) => content.addresses[old] ?? []),
  reads: cutReads,
};
writeFileSync(target, encodeCatalogue(cut));
