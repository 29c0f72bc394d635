/** An installed package of an operating system, as its package database states it. */
import { percentEncode } from "../../text/values.ts";
import { EolgateError } from "../../messages/error.ts";
import type { SystemRelease } from "./os-release.ts";

export type PackageManager = "dpkg" | "apk" | "rpm";

export interface InstalledPackage {
  readonly name: string;
  /** With epoch and revision: `2:1.0-1`. An rpm epoch is in `epoch`. */
  readonly version: string;
  readonly epoch?: string;
  readonly architecture?: string;
  /** The source package: `openssl`, `bash-5.1.8-6.el9.src.rpm`. */
  readonly source?: string;
  /** Who built it: Debian's maintainer, the vendor of an rpm. */
  readonly vendor?: string;
  readonly license?: string;
  /** `nodejs:18:8060020220523160029:ad008a3a`: the module of an rpm. */
  readonly module?: string;
}

const TYPES: Readonly<Record<PackageManager, string>> = { dpkg: "deb", apk: "apk", rpm: "rpm" };

/** Namespaces of package URLs that differ from the ID in os-release. */
const NAMESPACES: Readonly<Record<string, string>> = {
  rhel: "redhat",
  "opensuse-leap": "opensuse",
  "opensuse-tumbleweed": "opensuse",
};

/**
 * The package URL of an installed package. Without a system it has no namespace, because the distribution is not known.
 */
export function packagePurl(
  manager: PackageManager,
  found: InstalledPackage,
  system: SystemRelease | undefined,
): string {
  const namespace = system === undefined ? "" : `${percentEncode(NAMESPACES[system.id] ?? system.id)}/`;
  const qualifiers = Object.entries({
    arch: found.architecture,
    distro: system && distroOf(system),
    epoch: found.epoch,
    rpmmod: found.module,
    upstream: found.source,
  }).flatMap(([key, value]) => (value === undefined || value === "" ? [] : [`${key}=${percentEncode(value)}`]));
  const query = qualifiers.length === 0 ? "" : `?${qualifiers.join("&")}`;
  const name = percentEncode(found.name);
  return `pkg:${TYPES[manager]}/${namespace}${name}@${percentEncode(found.version)}${query}`;
}

const distroOf = ({ name, id, version }: SystemRelease): string => {
  const distribution = name === "CentOS Stream" ? "centos-stream" : id;
  return version === undefined ? distribution : `${distribution}-${version}`;
};

/**
 * An error in a package database.
 * @param where Path in the image, with a line or a page.
 */
export const packagesError = (why: string, where: string, cause?: unknown): EolgateError =>
  EolgateError.of("image-archive", { part: "package database of the image", why }, { where, cause });

/** A package of a language, as a file states it. */
export interface LanguagePackage {
  readonly name: string;
  readonly version?: string;
  /** Package URL with the version; absent where the file does not identify the package. */
  readonly purl?: string;
  readonly installed?: InstalledProduct;
}

/** A product that no package manager installed. */
interface InstalledProduct {
  /** The product without its vendor: `java`. */
  readonly tool: string;
  /** The folder of the installation: `usr/local`. */
  readonly prefix: string;
  /** `copy`: an environment with the version of another installation. A program does not state its version. */
  readonly by: "file" | "copy" | "program";
}
