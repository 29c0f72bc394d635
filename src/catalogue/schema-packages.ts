/** Rows of the catalogue about distributions' packages, as `schema.ts` stores them. */
import type { PackageFormat, VendorProof } from "../model/packages.ts";

/** A package, stream or repository with a support period of its own; stored by `distribution:release`. */
export interface StoredPackageLifecycle {
  readonly kind: "module" | "application-stream" | "package" | "repository";
  readonly name: string;
  readonly stream?: string;
  /** Absent: the row is about versions. */
  readonly packages?: readonly string[];
  readonly versions?: readonly string[];
  readonly product?: readonly [slug: string, cycle?: string];
  readonly start?: string;
  /** As `StoredEnd`; absent: no date is stated. */
  readonly eol?: string | boolean;
  readonly extended?: readonly [name: string, end: string];
  readonly rolling?: true;
  readonly fullLife?: true;
  readonly dependent?: true;
  readonly repository?: string;
  readonly commitment?: "vendor" | "best-effort" | "limited";
  readonly follows?: string;
  readonly weak?: true;
  /** Index into `reads`. */
  readonly read: number;
}

export interface StoredVendorPackages {
  readonly vendor: string;
  readonly product?: string;
  readonly names: Readonly<Partial<Record<PackageFormat, readonly string[]>>>;
  readonly productNames?: readonly string[];
  readonly revision?: Readonly<Partial<Record<PackageFormat, string>>>;
  readonly proof?: Readonly<Partial<Record<PackageFormat, VendorProof>>>;
  readonly maintainers?: readonly string[];
  /** Index into `addresses`, and the day on which it was read. */
  readonly page: number;
  readonly on: string;
}

export interface StoredDistroRevision {
  readonly distribution: string;
  readonly products: readonly string[];
  readonly format: PackageFormat;
  readonly pattern: string;
  readonly release?: string;
  readonly proves?: true;
  readonly page: number;
  readonly on: string;
}
