/**
 * The catalogue's data about packages of distributions: support periods of their own, builds by other vendors,
 * revisions. And the newest versions of packages in registries.
 */
import type { IsoDate, ProductSlug, StatementDay } from "../text/ids.ts";
import type { End, LifecycleDate } from "./dates.ts";
import type { NewestVersion } from "./support.ts";

/** Package formats of Linux distributions: Debian, RPM, Alpine, Arch. */
export type PackageFormat = "deb" | "rpm" | "apk" | "alpm";

/** Where a fact about packages was read. */
export interface PackageSource {
  /** https address of the page or file. */
  readonly url: string;
  /** Day on which it was read, or its month or year. */
  readonly retrievedAt: StatementDay;
}

/**
 * A module, application stream, package or repository of a distribution's release with a support period of its own. The
 * most specific row decides: module label, then package name, then repository, then release.
 */
export interface PackageLifecycle extends PackageSource {
  readonly kind: "module" | "application-stream" | "package" | "repository";
  /** Module, package or repository: `nodejs`, `mariadb1011`, `community`. */
  readonly name: string;
  /** Module stream or version: `18`, `10.11`. */
  readonly stream?: string;
  /** Globs over binary package names (`*`: any text, `[0-9]`: one of the characters). `["*"]`: every package that no other row names. */
  readonly packages: readonly string[];
  /** Globs over package versions instead of names: Debian backports (`*~bpo12+*`). */
  readonly versions?: readonly string[];
  /** The product whose alternative version this is. Without `cycle` the stream does not name one. */
  readonly product?: { readonly slug: ProductSlug; readonly cycle?: string };
  readonly start?: LifecycleDate;
  /** `unknown`: no date is stated. */
  readonly end: End;
  /** End of the paid extension of this repository (Ubuntu Pro). */
  readonly extended?: { readonly name: string; readonly end: LifecycleDate };
  /** Only the newest version is supported. */
  readonly rolling: boolean;
  /** Supported as long as the release. */
  readonly fullLife: boolean;
  /** Supported only as a dependency of another stream. */
  readonly dependent: boolean;
  /** The repository that contains the package (Alpine: `main`, `community`). */
  readonly repository?: string;
  /** What the distribution promises for the repository. */
  readonly commitment?: "vendor" | "best-effort" | "limited";
  /** The rows of this distribution's release of the same number apply here. */
  readonly follows?: ProductSlug;
  /** Not stated by the distribution itself. */
  readonly weak: boolean;
}

/** What shows that a vendor other than the distribution built a package. */
export type VendorProof = "name" | "revision" | "name-and-revision";

/** Packages that a software vendor publishes for distributions in a repository of its own. */
export interface VendorPackages extends PackageSource {
  readonly vendor: string;
  /** The product that the packages are, where the catalogue has it. */
  readonly product?: ProductSlug;
  /** Globs over package names, by format. */
  readonly names: Readonly<Partial<Record<PackageFormat, readonly string[]>>>;
  /** Globs over the names that contain the product's own version. Empty: none does. */
  readonly productNames: readonly string[];
  /** Source of a regular expression over the version with its revision, by format. */
  readonly revision: Readonly<Partial<Record<PackageFormat, string>>>;
  /** What is enough as evidence, by format. Absent: neither name nor revision is; only a publisher or a repository. */
  readonly proof: Readonly<Partial<Record<PackageFormat, VendorProof>>>;
  /** Names and addresses in the package's maintainer or vendor field. */
  readonly maintainers: readonly string[];
}

/** A pattern of the package revisions that a distribution writes. */
export interface DistroRevision extends PackageSource {
  /** What the pattern describes: `debian`, `rhel and rebuilds, modular`, `kali`. */
  readonly distribution: string;
  /** Tracked products that write it. Several: the revision does not show which one. Empty: none of them is tracked. */
  readonly products: readonly ProductSlug[];
  readonly format: PackageFormat;
  /** Source of a regular expression. The groups `release` and `rel2` contain the release, as the distribution writes it. */
  readonly pattern: string;
  /** The release, where the pattern itself names it. */
  readonly release?: string;
  /**
   * No other distribution writes it, so it proves the origin. Otherwise it is evidence only in combination with other
   * evidence.
   */
  readonly proves: boolean;
}

/** A text by which packages of a vendor are found. */
export interface VendorKey {
  /** A glob over package names, or the start of a publisher in lower case. */
  readonly text: string;
  /** The same object for each of the vendor's texts. */
  readonly vendor: VendorPackages;
}

/** The look-ups for packages of distributions. */
export interface PackageCatalogue {
  /** Support periods of the release's own streams, packages and repositories. `release` is the catalogue's cycle. */
  lifecycles(distribution: ProductSlug, release: string): readonly PackageLifecycle[];
  vendors(): readonly VendorPackages[];
  /** The vendors' globs over package names that start, up to a wildcard, with exactly these characters (`vendor-index.ts`). */
  vendorNames(format: PackageFormat, start: string): readonly VendorKey[];
  /** The vendors' publishers whose first word is this one. */
  vendorPublishers(firstWord: string): readonly VendorKey[];
  revisions(): readonly DistroRevision[];
  /** Whether `release` of Debian, by default any, ships a binary package of this name; undefined: its names are not known. */
  inDebian(name: string, release?: string): boolean | undefined;
}

/** The newest versions of packages in registries, for support levels. */
export interface NewestVersions {
  /** Type of a purl → the day on which its registry was read. */
  readonly listedOn: Readonly<Record<string, IsoDate>>;
  /**
   * The newest stable version, and the month of its release where that is known.
   * @param path The package as its registry names it.
   */
  find(type: string, path: string): ListedVersion | undefined;
  /** The same by the hash of a purl's key, for counts: as much of the version as counting majors needs. */
  byHash?(): ((hash: number) => ListedVersion | undefined) | undefined;
}

/** The newest version of a package in a list, and the month of its release where that is known. */
export type ListedVersion = Omit<NewestVersion, "atLeast" | "behind">;
