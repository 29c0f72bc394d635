/**
 * Packages of software vendors, found by package name or by publisher. The compiler of the catalogue writes two sections
 * by the keys of this file, so that a check reads only the vendors that its packages may come from.
 */
import type { PackageCatalogue, PackageFormat, VendorKey, VendorPackages } from "../../model/index.ts";
import { MOST_ANSWERS, remembered, rememberedOf } from "../../text/values.ts";
import { normalizeName } from "../normalize-name.ts";
import type { ProductSlug } from "../../text/ids.ts";
import { literalStart, matchesAny, matchesGlob, START_LENGTH } from "./shipped.ts";

/** A vendor in the catalogue's file, as far as the index needs it. */
interface VendorRow {
  readonly vendor: string;
  readonly names: Readonly<Partial<Record<PackageFormat, readonly string[]>>>;
  readonly maintainers?: readonly string[];
}

export type KeyedRow = readonly [text: string, row: number];
export type KeyedRows = Readonly<Record<string, readonly KeyedRow[]>>;

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

export interface Vendor {
  readonly name: string;
  /** The property that identified the vendor: `its name`, `its revision`, `its publisher`. */
  readonly evidence: string;
  /** The product to which the package's version belongs. */
  readonly product?: ProductSlug | undefined;
}

/** A package by the name under which its package manager lists it. */
interface FormatAndName {
  readonly format: PackageFormat;
  readonly name: string;
}

/** The distribution of a package; empty when it is not known. */
interface PublishedFor {
  readonly product?: ProductSlug | undefined;
  /** Vendors that make the distribution. */
  readonly makers?: readonly string[] | undefined;
}

const NO_KEYS: readonly VendorKey[] = [];

export const vendorIndex: (packages: PackageCatalogue) => VendorIndex = rememberedOf(
  (packages) => new VendorIndex(packages),
);

export class VendorIndex {
  private readonly packages: PackageCatalogue;
  private readonly toExpression = remembered((source: string) => new RegExp(source));
  private readonly named = remembered((format: PackageFormat) =>
    remembered((name: string) => this.namedBy(format, name), MOST_ANSWERS),
  );

  constructor(packages: PackageCatalogue) {
    this.packages = packages;
  }

  /**
   * The vendor of a package by name and revision. A vendor whose revision matches is preferred to one that matches by
   * name alone.
   */
  byPackage(format: PackageFormat, name: string, version: string): Vendor | undefined {
    const named = this.named(format)(name);
    // If one of the vendors is recognised only by its revision, distributions ship packages of this name too.
    const isSharedName = named.some(({ vendor }) => vendor.proof[format] !== "name");
    const proven = named
      .filter(({ text, vendor }) => this.isProven(vendor, format, isSharedName ? "*" : text, version))
      .map(({ vendor }) => vendor);
    const best = proven.find((vendor) => this.hasRevision(vendor, format, version)) ?? proven[0];
    if (best === undefined) return undefined;
    const evidence = best.proof[format] === "name" ? "its name" : "its revision";
    return { name: best.vendor, evidence, product: productOf(best, name) };
  }

  /** The vendor that publishes packages of exactly this name. */
  byExactName(format: PackageFormat, name: string): Vendor | undefined {
    const found = this.named(format)(name).find(({ text }) => text === name)?.vendor;
    return found && { name: found.vendor, evidence: "its name", product: productOf(found, name) };
  }

  /** Most names belong to no vendor: nothing is allocated for them. */
  private namedBy(format: PackageFormat, name: string): readonly VendorKey[] {
    let found = NO_KEYS;
    for (let length = Math.min(START_LENGTH, name.length); length >= 0; length -= 1) {
      const listed = this.packages.vendorNames(format, name.slice(0, length));
      const matching = listed.length === 0 ? NO_KEYS : listed.filter(({ text }) => matchesGlob(text, name));
      if (matching.length > 0) found = found.concat(matching);
    }
    return found;
  }

  private isProven(vendor: VendorPackages, format: PackageFormat, pattern: string, version: string): boolean {
    const proof = vendor.proof[format];
    if (proof === undefined) return false;
    // A vendor whose pattern matches every name is recognised by its revision or its publisher.
    if (proof === "name" && pattern !== "*") return true;
    return this.hasRevision(vendor, format, version);
  }

  private hasRevision(vendor: VendorPackages, format: PackageFormat, version: string): boolean {
    const source = vendor.revision[format];
    return source !== undefined && this.toExpression(source).test(version);
  }

  /**
   * The vendor that a publisher or supplier field names. The distribution of the package, and the vendors that make it,
   * are no vendors of its packages.
   */
  byPublisher(publisher: string, { format, name }: FormatAndName, distribution: PublishedFor = {}): Vendor | undefined {
    const text = publisher
      .replace(/^(?:Organization|Person|Tool):/i, "")
      .trim()
      .toLowerCase();
    const named = this.packages
      .vendorPublishers(firstWord(text))
      .filter(({ text: known, vendor }) => startsWithWord(text, known) && !isVendorOf(vendor, distribution));
    const vendors = [...new Set(named.map(({ vendor }) => vendor))];
    const [first] = vendors;
    if (first === undefined) return undefined;
    // A vendor publishes packages of several products: only a record that names the package leads to its product.
    const own = this.named(format)(name).filter((key) => vendors.some(({ vendor }) => vendor === key.vendor.vendor));
    const product = own.map((key) => productOf(key.vendor, name)).find((each) => each !== undefined);
    return { name: first.vendor, evidence: "its publisher", product };
  }
}

const productOf = ({ product, productNames }: VendorPackages, name: string): ProductSlug | undefined =>
  product !== undefined && matchesAny(productNames, name) ? product : undefined;

/** Oracle Linux is published by Oracle, Amazon Linux by Amazon. */
const isVendorOf = ({ vendor }: VendorPackages, { product, makers = [] }: PublishedFor): boolean =>
  makers.includes(vendor) || (product !== undefined && normalizeName(product).startsWith(vendorWord(vendor)));

const startsWithWord = (text: string, word: string): boolean =>
  text.startsWith(word) && !/[a-z\d]/.test(text.charAt(word.length));
