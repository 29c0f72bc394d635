/** The catalogue's answers about distributions' packages. A section is read when the first question needs it. */
import type { ProductSlug } from "../text/ids.ts";
import type {
  DistroRevision,
  PackageCatalogue,
  PackageFormat,
  PackageLifecycle,
  VendorKey,
  VendorPackages,
} from "../model/index.ts";
import { inDebian12 } from "./debian-packages.ts";
import { decodeDistroRevision, decodePackageLifecycle, decodeVendorPackages } from "./decode-packages.ts";
import type { References } from "./decode.ts";
import type { SectionReader } from "./format/reader.ts";
import { StoredVendors } from "./vendors.ts";

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
