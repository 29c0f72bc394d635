/** Every table of rules that resolving rests on, in one value, so that a test can take a row away and see what it held. */
import type { OsVersionRule, VersionTransform } from "../model.ts";
import { CARRIED } from "./version-from-name.ts";
import { SYSTEM_VERSIONS, type SystemVersion } from "./os.ts";
import { VERSION_RULES, type VersionRule } from "./rules.ts";
import { TRANSFORMS, type Transform } from "./transform.ts";
import { VENDOR_BUILDS, type VendorBuild } from "./vendor-build.ts";
import { PACKAGING_SUFFIXES, type StripPackagingSuffix } from "./packaging-suffix.ts";

export interface ResolverTables {
  /** By the product's `versionRule`. */
  readonly rules: Readonly<Record<string, VersionRule>>;
  /** By purl type. */
  readonly cuts: Readonly<Record<string, StripPackagingSuffix>>;
  readonly transforms: Readonly<Partial<Record<VersionTransform, Transform>>>;
  /** Versions carried in package names. */
  readonly carried: Readonly<Record<string, RegExp>>;
  readonly systems: Readonly<Partial<Record<OsVersionRule, SystemVersion>>>;
  /** Marks of those who build for a distribution from outside. */
  readonly builds: Readonly<Record<string, VendorBuild>>;
}

export const RESOLVER_TABLES: ResolverTables = {
  rules: VERSION_RULES,
  cuts: PACKAGING_SUFFIXES,
  transforms: TRANSFORMS,
  carried: CARRIED,
  systems: SYSTEM_VERSIONS,
  builds: VENDOR_BUILDS,
};
