/** Packages of software vendors, found by package name or by publisher. */
import type { ProductSlug } from "../../ids.ts";
import type { PackageCatalogue, PackageFormat, VendorPackages } from "../../model.ts";
import { normalizeName } from "../normalize-name.ts";
import { matchesAny, matchesGlob } from "./glob.ts";

export interface Vendor {
  readonly name: string;
  /** What showed it: `its name`, `its revision`, `its publisher`. */
  readonly evidence: string;
  /** The product whose versions this package has. */
  readonly product?: ProductSlug | undefined;
}

/** A vendor, with its regular expressions: each is compiled when a package has a name of the vendor. */
class Row {
  readonly vendor: VendorPackages;
  private readonly expressions = new Map<PackageFormat, RegExp>();

  constructor(vendor: VendorPackages) {
    this.vendor = vendor;
  }

  hasRevision(format: PackageFormat, version: string): boolean {
    const source = this.vendor.revision[format];
    if (source === undefined) return false;
    let expression = this.expressions.get(format);
    if (expression === undefined) this.expressions.set(format, (expression = new RegExp(source)));
    return expression.test(version);
  }
}

interface NamedRow {
  readonly pattern: string;
  readonly row: Row;
}

const NOBODY: readonly NamedRow[] = [];
const START_LENGTH = 5;

/** The characters before the first wildcard. */
function literalStart(pattern: string): string {
  let length = 0;
  while (length < START_LENGTH && length < pattern.length && !"*[".includes(pattern.charAt(length))) length += 1;
  return pattern.slice(0, length);
}

/** Debian publishes its backports itself; they have a support period of their own. */
const OWN_REPOSITORY = "Debian backports";

const indexes = new WeakMap<PackageCatalogue, VendorIndex>();

export function vendorIndex(packages: PackageCatalogue): VendorIndex {
  let index = indexes.get(packages);
  if (index === undefined) indexes.set(packages, (index = new VendorIndex(packages.vendors())));
  return index;
}

export class VendorIndex {
  private readonly rows: readonly Row[];
  /** By format and the literal start of the name, which has up to five characters. */
  private readonly byStart = new Map<string, NamedRow[]>();
  private publishers: ReadonlyMap<string, readonly PublisherRow[]> | undefined;

  constructor(vendors: readonly VendorPackages[]) {
    this.rows = vendors.filter(({ vendor }) => vendor !== OWN_REPOSITORY).map((vendor) => new Row(vendor));
    for (const row of this.rows) this.addRow(row);
  }

  /** A function of its own: V8 optimizes a long loop in one that runs once, which takes longer than the loop. */
  private addRow(row: Row): void {
    for (const [format, patterns] of Object.entries(row.vendor.names))
      for (const pattern of patterns) this.add(format, pattern, row);
  }

  private add(format: string, pattern: string, row: Row): void {
    const key = `${format} ${literalStart(pattern)}`;
    const known = this.byStart.get(key);
    if (known) known.push({ pattern, row });
    else this.byStart.set(key, [{ pattern, row }]);
  }

  /** By name and revision. A row whose revision fits is more exact than one that proves by name alone. */
  byPackage(format: PackageFormat, name: string, version: string): Vendor | undefined {
    const named = this.named(format, name);
    // Where one vendor is known by its revision only, distributions ship the name too.
    const isSharedName = named.some(({ row }) => row.vendor.proof[format] !== "name");
    const proven = named
      .filter(({ pattern, row }) => isProven(row, format, isSharedName ? "*" : pattern, version))
      .map(({ row }) => row);
    const best = proven.find((row) => row.hasRevision(format, version)) ?? proven[0];
    if (best === undefined) return undefined;
    const evidence = best.vendor.proof[format] === "name" ? "its name" : "its revision";
    return { name: best.vendor.vendor, evidence, product: productOf(best.vendor, name) };
  }

  /** Most names are no vendor's: nothing is allocated for them. */
  private named(format: PackageFormat, name: string): readonly NamedRow[] {
    let found = NOBODY;
    for (let length = Math.min(START_LENGTH, name.length); length >= 0; length -= 1) {
      const listed = this.byStart.get(`${format} ${name.slice(0, length)}`);
      const matching = listed?.filter(({ pattern }) => matchesGlob(pattern, name));
      if (matching !== undefined && matching.length > 0) found = found.concat(matching);
    }
    return found;
  }

  /** By the text of a publisher or supplier field. `distribution` is not a vendor of its own packages. */
  byPublisher(publisher: string, name: string, distribution: ProductSlug | undefined): Vendor | undefined {
    const text = publisher
      .replace(/^(?:Organization|Person|Tool):/i, "")
      .trim()
      .toLowerCase();
    this.publishers ??= Map.groupBy(this.rows.flatMap(publisherRows), ({ known }) => startOf(known));
    const named = this.publishers.get(startOf(text))?.filter(({ known }) => startsWithWord(text, known)) ?? [];
    const rows = [...new Set(named.map(({ row }) => row))].filter(({ vendor }) => !isVendorOf(vendor, distribution));
    const [first] = rows;
    if (first === undefined) return undefined;
    const product = rows.map(({ vendor }) => productOf(vendor, name)).find((each) => each !== undefined);
    return { name: first.vendor.vendor, evidence: "its publisher", product };
  }
}

interface PublisherRow {
  /** In lower case. */
  readonly known: string;
  readonly row: Row;
}

const publisherRows = (row: Row): readonly PublisherRow[] => namesOf(row.vendor).map((known) => ({ known, row }));

/** The first letters and digits: names of which one starts with the other as a word have the same. */
const startOf = (text: string): string => /^[a-z\d]*/.exec(text)?.[0] ?? "";

function isProven(row: Row, format: PackageFormat, pattern: string, version: string): boolean {
  const proof = row.vendor.proof[format];
  if (proof === undefined) return false;
  // A vendor of packages with any name is known by its revision or its publisher.
  if (proof === "name" && pattern !== "*") return true;
  return row.hasRevision(format, version);
}

const productOf = ({ product, productNames }: VendorPackages, name: string): ProductSlug | undefined =>
  product !== undefined && matchesAny(productNames, name) ? product : undefined;

const firstWord = (vendor: string): string => normalizeName(vendor.split(/[\s(/.]/, 1)[0] ?? "");

/**
 * The maintainers that are the vendor itself. A person may publish for a distribution too, so only a name that starts like
 * the vendor's counts: `Grafana Labs`, `docker.com`.
 */
function namesOf({ vendor, maintainers }: VendorPackages): readonly string[] {
  const first = firstWord(vendor);
  if (first.length < 3) return [];
  return maintainers.filter((name) => normalizeName(name).startsWith(first)).map((name) => name.toLowerCase());
}

/** Oracle Linux is published by Oracle, Amazon Linux by Amazon. */
const isVendorOf = ({ vendor }: VendorPackages, distribution: ProductSlug | undefined): boolean =>
  distribution !== undefined && normalizeName(distribution).startsWith(firstWord(vendor));

const startsWithWord = (text: string, word: string): boolean =>
  text.startsWith(word) && !/[a-z\d]/.test(text.charAt(word.length));
