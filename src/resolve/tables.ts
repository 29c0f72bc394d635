/** All tables of rules of the resolver in one value, so that a test can remove a row and observe the effect. */
import type { OsVersionRule, VersionTransform } from "../model/index.ts";
import { SYSTEM_VERSIONS, type SystemVersion } from "./distro/system-versions.ts";
import { VENDOR_BUILDS, type VendorBuild } from "./distro/vendor-build.ts";
import { NAMED_VERSIONS } from "./version/from-name.ts";
import { PACKAGING_RULES, type PackagingRule } from "./version/packaging.ts";
import { TRANSFORMS, type Transform } from "./version/product-numbers.ts";
import { VERSION_SCHEMES, type VersionScheme } from "./version/schemes.ts";

/** The tables of rules, each by the name under which the catalogue or a purl refers to a rule. */
export interface ResolverTables {
  /** By the product's `versionRule`. */
  readonly schemes: Readonly<Record<string, VersionScheme>>;
  /** By purl type. */
  readonly packaging: Readonly<Record<string, PackagingRule>>;
  /** By the `transform` of an entry of the purl map. */
  readonly transforms: Readonly<Partial<Record<VersionTransform, Transform>>>;
  /** Versions in package names. */
  readonly namedVersions: Readonly<Record<string, RegExp>>;
  /** By the rule of an operating system's versions. */
  readonly systems: Readonly<Partial<Record<OsVersionRule, SystemVersion>>>;
  /** Marks of vendors that build for a distribution. */
  readonly builds: Readonly<Record<string, VendorBuild>>;
}

export const RESOLVER_TABLES: ResolverTables = {
  schemes: VERSION_SCHEMES,
  packaging: PACKAGING_RULES,
  transforms: TRANSFORMS,
  namedVersions: NAMED_VERSIONS,
  systems: SYSTEM_VERSIONS,
  builds: VENDOR_BUILDS,
};
