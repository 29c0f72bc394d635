/**
 * The keys by which packages of vendors are looked up. The catalogue's compiler writes two sections by these keys, so
 * that a check reads only the vendors that its packages may come from.
 */
import type { PackageFormat } from "../../model/index.ts";
import { normalizeName } from "../normalize-name.ts";

/** A vendor in the catalogue's file, as far as the index needs it. */
interface VendorRow {
  readonly vendor: string;
  readonly names: Readonly<Partial<Record<PackageFormat, readonly string[]>>>;
  readonly maintainers?: readonly string[];
}

/** A text, and the position of its row. */
export type KeyedRow = readonly [text: string, row: number];
export type KeyedRows = Readonly<Record<string, readonly KeyedRow[]>>;

/** Maximum length of a key in characters; names are looked up by this prefix and by each shorter one. */
export const START_LENGTH = 5;

/** Not a vendor: Debian publishes its backports itself, and they have a support period of their own. */
const OWN_REPOSITORY = "Debian backports";

/** By format and literal start of the name: `deb ngin`. */
export function keyVendorNames(vendors: readonly VendorRow[]): KeyedRows {
  return keyed(vendors, ({ names }) =>
    Object.entries(names).flatMap(([format, patterns]) =>
      patterns.map((pattern) => [`${format} ${literalStart(pattern)}`, pattern] as const),
    ),
  );
}

/** By the first word of the publisher. */
export function keyVendorPublishers(vendors: readonly VendorRow[]): KeyedRows {
  return keyed(vendors, (row) => publishersOf(row).map((publisher) => [firstWord(publisher), publisher] as const));
}

function keyed(
  vendors: readonly VendorRow[],
  entriesOf: (row: VendorRow) => readonly (readonly [key: string, text: string])[],
): KeyedRows {
  const index = new Map<string, KeyedRow[]>();
  for (const [position, row] of vendors.entries()) {
    if (row.vendor === OWN_REPOSITORY) continue;
    for (const [key, text] of entriesOf(row)) {
      const known = index.get(key);
      if (known) known.push([text, position]);
      else index.set(key, [[text, position]]);
    }
  }
  return Object.fromEntries(index);
}

/** The characters before the first wildcard. */
function literalStart(pattern: string): string {
  let length = 0;
  while (length < START_LENGTH && length < pattern.length && !"*[".includes(pattern.charAt(length))) length += 1;
  return pattern.slice(0, length);
}

/**
 * The letters and digits at the start of a publisher. Equal for two names if one of them starts with the other as a
 * whole word.
 */
export const firstWord = (publisher: string): string => /^[a-z\d]*/.exec(publisher)?.[0] ?? "";

/** The first word of a vendor's name, normalised like names of products. */
export const vendorWord = (vendor: string): string => normalizeName(vendor.split(/[\s(/.]/, 1)[0] ?? "");

/**
 * The maintainers that are the vendor itself, in lower case. A person may also publish for a distribution, so only
 * names that start with the vendor's name count: `Grafana Labs`, `docker.com`.
 */
function publishersOf({ vendor, maintainers = [] }: VendorRow): readonly string[] {
  const first = vendorWord(vendor);
  if (first.length < 3) return [];
  return maintainers.filter((name) => normalizeName(name).startsWith(first)).map((name) => name.toLowerCase());
}
