/** The catalogue's answers about distributions' packages. A section is read when the first question needs it. */
import { type ProductSlug, asProductSlug } from "../text/ids.ts";
import type {
  DistroRevision,
  PackageCatalogue,
  PackageFormat,
  PackageLifecycle,
  VendorKey,
  VendorPackages,
} from "../model/index.ts";
import { compact, lazy, MOST_ANSWERS, remembered } from "../text/values.ts";
import { inDebian } from "./debian-packages.ts";
import { readDay, type References, sourceAt, type Sources } from "./decode.ts";
import type { SectionReader } from "./format/reader.ts";
import { readDate, readEnd } from "./stored-values.ts";
import type { StoredDistroRevision, StoredPackageLifecycle, StoredVendorPackages } from "./schema.ts";

export class StoredPackages implements PackageCatalogue {
  readonly #sections: SectionReader;
  readonly #references: References;
  readonly #lifecycles: (release: string) => readonly PackageLifecycle[];
  readonly #vendor: (position: number) => VendorPackages | undefined;
  readonly #names: Partial<Record<PackageFormat, (start: string) => readonly VendorKey[]>> = {};
  readonly revisions: () => readonly DistroRevision[];
  readonly inDebian = inDebian;

  constructor(sections: SectionReader, references: References) {
    this.#sections = sections;
    this.#references = references;
    const stored = (release: string) => sections.record("packageLifecycles", release);
    // `sles:15` applies to every service pack.
    this.#lifecycles = remembered((release: string) =>
      (stored(release) ?? stored(release.replace(/\.[^:]*$/, "")) ?? []).map((row) =>
        decodePackageLifecycle(row, references),
      ),
    );
    this.#vendor = remembered((position: number) => {
      const stored = sections.element("vendorPackages", position);
      return stored && decodeVendorPackages(stored, references);
    });
    this.revisions = lazy(() => sections.all("distroRevisions").map((row) => decodeDistroRevision(row, references)));
  }

  lifecycles(distribution: ProductSlug, release: string): readonly PackageLifecycle[] {
    return this.#lifecycles(`${distribution}:${release}`);
  }

  vendors(): readonly VendorPackages[] {
    return this.#sections.all("vendorPackages").map((row) => decodeVendorPackages(row, this.#references));
  }

  vendorNames(format: PackageFormat, start: string): readonly VendorKey[] {
    this.#names[format] ??= remembered(
      (key: string) => this.#vendorKeys("vendorNames", `${format} ${key}`),
      MOST_ANSWERS,
    );
    return this.#names[format](start);
  }

  readonly vendorPublishers = remembered(
    (firstWord: string) => this.#vendorKeys("vendorPublishers", firstWord),
    MOST_ANSWERS,
  );

  /** Only the vendors that a look-up meets are decoded. */
  #vendorKeys(section: "vendorNames" | "vendorPublishers", key: string): readonly VendorKey[] {
    return (this.#sections.record(section, key) ?? NONE).flatMap(([text, position]) => {
      const vendor = this.#vendor(position);
      return vendor === undefined ? [] : { text, vendor };
    });
  }
}

const NONE: readonly (readonly [string, number])[] = [];

// Stored rows about distributions' packages become the model's. Runs once for each section that a document needs.

export function decodePackageLifecycle(stored: StoredPackageLifecycle, sources: Sources): PackageLifecycle {
  const {
    kind,
    name,
    packages = [],
    stream,
    versions,
    product,
    repository,
    start,
    extended,
    commitment,
    follows,
  } = stored;
  const read = sourceAt(stored.read, sources);
  const optional = compact({
    stream,
    versions,
    product: product && compact({ slug: asProductSlug(product[0]), cycle: product[1] }),
    repository,
    start: start === undefined ? undefined : readDate(start),
    extended: extended && { name: extended[0], end: readDate(extended[1]) },
    commitment,
    follows: follows === undefined ? undefined : asProductSlug(follows),
  });
  return {
    kind,
    name,
    packages,
    ...optional,
    rolling: stored.rolling === true,
    fullLife: stored.fullLife === true,
    dependent: stored.dependent === true,
    weak: stored.weak === true,
    end: readEnd(stored.eol),
    url: sources.address(read.page) ?? "",
    retrievedAt: read.on,
  };
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
    retrievedAt: readDay(stored.on),
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
    retrievedAt: readDay(stored.on),
  };
}
