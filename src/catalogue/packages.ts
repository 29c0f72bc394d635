/** The catalogue's answers about distributions' packages. A section is read when the first question needs it. */
import { type ProductSlug, asIsoDate, asProductSlug } from "../text/ids.ts";
import type {
  DistroRevision,
  PackageCatalogue,
  PackageFormat,
  PackageLifecycle,
  VendorKey,
  VendorPackages,
} from "../model/index.ts";
import { inDebian12 } from "./debian-packages.ts";
import type { References } from "./decode.ts";
import type { SectionReader } from "./format/reader.ts";
import { readDate, readEnd } from "./stored-values.ts";
import type { StoredDistroRevision, StoredPackageLifecycle, StoredVendorPackages } from "./schema.ts";

export class StoredPackages implements PackageCatalogue {
  readonly #sections: SectionReader;
  readonly #references: References;
  readonly #lifecycles = new Map<string, readonly PackageLifecycle[]>();
  readonly #vendors: StoredVendors;
  #revisions: readonly DistroRevision[] | undefined;

  constructor(sections: SectionReader, references: References) {
    this.#sections = sections;
    this.#references = references;
    this.#vendors = new StoredVendors(sections, references);
  }

  lifecycles(distribution: ProductSlug, release: string): readonly PackageLifecycle[] {
    const key = `${distribution}:${release}`;
    let rows = this.#lifecycles.get(key);
    if (rows === undefined) {
      // `sles:15` applies to every service pack.
      const stored = this.#stored(key) ?? this.#stored(`${distribution}:${release.split(".", 1)[0] ?? release}`) ?? [];
      rows = stored.map((row) => decodePackageLifecycle(row, this.#references));
      this.#lifecycles.set(key, rows);
    }
    return rows;
  }

  #stored(key: string) {
    return this.#sections.record("packageLifecycles", key);
  }

  vendors(): readonly VendorPackages[] {
    return this.#sections.all("vendorPackages").map((row) => decodeVendorPackages(row, this.#references));
  }

  vendorNames(format: PackageFormat, start: string): readonly VendorKey[] {
    return this.#vendors.names(`${format} ${start}`);
  }

  vendorPublishers(firstWord: string): readonly VendorKey[] {
    return this.#vendors.publishers(firstWord);
  }

  revisions(): readonly DistroRevision[] {
    return (this.#revisions ??= this.#sections
      .all("distroRevisions")
      .map((row) => decodeDistroRevision(row, this.#references)));
  }

  inDebian12(name: string): boolean {
    return inDebian12(name);
  }
}

// The stored vendors of packages, found by name or publisher. Only the rows that a look-up meets are decoded.

type KeySection = "vendorNames" | "vendorPublishers";

const NOBODY: readonly VendorKey[] = [];

export class StoredVendors {
  readonly #sections: SectionReader;
  readonly #references: References;
  readonly #rows = new Map<number, VendorPackages | undefined>();
  readonly #names = new Map<string, readonly VendorKey[]>();
  readonly #publishers = new Map<string, readonly VendorKey[]>();

  constructor(sections: SectionReader, references: References) {
    this.#sections = sections;
    this.#references = references;
  }

  names(key: string): readonly VendorKey[] {
    return this.#find(this.#names, "vendorNames", key);
  }

  publishers(key: string): readonly VendorKey[] {
    return this.#find(this.#publishers, "vendorPublishers", key);
  }

  #find(known: Map<string, readonly VendorKey[]>, section: KeySection, key: string): readonly VendorKey[] {
    let found = known.get(key);
    if (found === undefined) {
      found = this.#sections.record(section, key)?.flatMap(([text, position]) => this.#keyOf(text, position)) ?? NOBODY;
      known.set(key, found);
    }
    return found;
  }

  #keyOf(text: string, position: number): VendorKey | [] {
    const vendor = this.#row(position);
    return vendor === undefined ? [] : { text, vendor };
  }

  #row(position: number): VendorPackages | undefined {
    let vendor = this.#rows.get(position);
    if (vendor === undefined) {
      const stored = this.#sections.element("vendorPackages", position);
      vendor = stored && decodeVendorPackages(stored, this.#references);
      this.#rows.set(position, vendor);
    }
    return vendor;
  }
}

// Stored rows about distributions' packages become the model's. Runs once for each section that a document needs.

type Sources = Pick<References, "address" | "read">;

export function decodePackageLifecycle(stored: StoredPackageLifecycle, sources: Sources): PackageLifecycle {
  const { kind, name, packages = [] } = stored;
  const read = sources.read(stored.read);
  if (read === undefined) throw new RangeError(`no read ${stored.read}`);
  return {
    kind,
    name,
    packages,
    ...subjectOf(stored),
    ...conditionsOf(stored),
    end: readEnd(stored.eol),
    url: sources.address(read.page) ?? "",
    retrievedAt: asIsoDate(read.on),
  };
}

/** What the row is about, beyond its names. */
function subjectOf({ stream, versions, product, repository }: StoredPackageLifecycle) {
  return {
    ...(stream !== undefined && { stream }),
    ...(versions !== undefined && { versions }),
    ...(product !== undefined && { product: decodeProductRef(product) }),
    ...(repository !== undefined && { repository }),
  };
}

function conditionsOf({ start, extended, commitment, follows, ...flags }: StoredPackageLifecycle) {
  return {
    ...(start !== undefined && { start: readDate(start) }),
    ...(extended !== undefined && { extended: { name: extended[0], end: readDate(extended[1]) } }),
    ...(commitment !== undefined && { commitment }),
    ...(follows !== undefined && { follows: asProductSlug(follows) }),
    rolling: flags.rolling === true,
    fullLife: flags.fullLife === true,
    dependent: flags.dependent === true,
    weak: flags.weak === true,
  };
}

function decodeProductRef([slug, cycle]: readonly [string, string?]): NonNullable<PackageLifecycle["product"]> {
  return { slug: asProductSlug(slug), ...(cycle !== undefined && { cycle }) };
}

export function decodeVendorPackages(stored: StoredVendorPackages, { address }: Sources): VendorPackages {
  const { vendor, product, names, productNames = [], revision = {}, proof = {}, maintainers = [] } = stored;
  return {
    vendor,
    ...(product !== undefined && { product: asProductSlug(product) }),
    names,
    productNames,
    revision,
    proof,
    maintainers,
    // Few of hundreds are shown.
    get url() {
      return address(stored.page) ?? "";
    },
    retrievedAt: asIsoDate(stored.on),
  };
}

export function decodeDistroRevision(stored: StoredDistroRevision, { address }: Sources): DistroRevision {
  const { distribution, products, format, pattern, release, proves } = stored;
  return {
    distribution,
    products: products.map(asProductSlug),
    format,
    pattern,
    ...(release !== undefined && { release }),
    proves: proves ?? false,
    get url() {
      return address(stored.page) ?? "";
    },
    retrievedAt: asIsoDate(stored.on),
  };
}
