/**
 * Facts of the catalogue that change over time and belong to no product: names that tools, vendors and platforms
 * use. Each is read when it is first used.
 */
import type { IsoDate } from "../text/ids.ts";

/** The facts of a catalogue that belong to no product. */
export interface CatalogueFacts {
  /**
   * Names that people use for several products, such as `java`, in lower case without white space and hyphens. For
   * suggestions and searches only; no component resolves by them.
   */
  readonly commonNames: Readonly<Record<string, readonly string[]>>;
  readonly modelPlatforms: ModelPlatforms;
  /** By purl type and path of the package, as the registry spells it; in lower case where it compares without case. */
  readonly packageMoves: Readonly<Record<string, PackageMove>>;
  /** Patterns over names of alternative versions of a distribution: the group is the version of the product. */
  readonly alternativeVersions: readonly ProductPattern[];
  readonly releaseEvidence: ReleaseEvidenceFacts;
  readonly packageEvidence: PackageEvidenceFacts;
  readonly shippedVersions: ShippedVersions;
  readonly tools: ToolNames;
  /** Variables by which the configuration of an image states the version of a product, best first. */
  readonly imageVariables: Readonly<Record<string, NamedTool>>;
}

/** A regular expression over names, and the product that they mean. */
export type ProductPattern = readonly [pattern: RegExp, product: string];

/** The names of platforms that offer AI models. */
export interface ModelPlatforms {
  /** Normalized name in documents → products. The name of a vendor may mean several platforms. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /**
   * Ids that are not exclusive to the platform: ids of open weights, which anybody can run, and of other vendors'
   * models. They resolve only in documents that name the platform.
   */
  readonly sharedIds: Readonly<Record<string, RegExp>>;
}

/** What the maintainers of a package name as its replacement, where no registry has a field for it. */
export interface PackageMove {
  /** Package URLs without version, addresses, or names of what the platform offers; best first. */
  readonly to: readonly string[];
  /** Page of the maintainers. */
  readonly page: string;
  /** The day on which the page was read. */
  readonly on: IsoDate;
  /** The first version to which the statement applies; absent if it applies to all. */
  readonly since?: string;
}

/** What shows to which release of a distribution a package belongs. Keys are products. */
export interface ReleaseEvidenceFacts {
  /** Releases that keep packages of earlier releases unchanged: an older revision does not contradict them. */
  readonly keepsOldPackages: readonly string[];
  /** Distributions that import packages of others with their revisions. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
  /** Products of the same vendor whose packages are installed on the distribution. */
  readonly sameVendor: Readonly<Record<string, readonly string[]>>;
  /** Products that are installed on a distribution and have ends of their own. */
  readonly layered: readonly string[];
  /** Patterns over `repository_id` of DNF: the group is the release. */
  readonly repositories: readonly ProductPattern[];
}

/** What shows who built a package, and whether it has the numbers of the product that its name suggests. */
export interface PackageEvidenceFacts {
  /** Key of a Go module → paths below it that are modules with versions of their own. */
  readonly nestedGoModules: Readonly<Record<string, readonly string[]>>;
  /** Distribution or product → who makes it: a publisher that is no third party and contradicts no name. */
  readonly makers: Readonly<Record<string, readonly string[]>>;
  /** Patterns over versions of rebuilds, and the vendor that builds and maintains them. */
  readonly rebuilds: readonly ProductPattern[];
}

/** Which versions of products the releases of distributions ship, with the pages where they were read. */
export interface ShippedVersions {
  readonly sources: Readonly<Record<string, { readonly page: string; readonly on: IsoDate }>>;
  /** Distribution → the one whose releases of the same number ship the same versions. */
  readonly follows: Readonly<Record<string, string>>;
  /** Distribution → names of its own packages that a vendor uses, too. */
  readonly ownNames: Readonly<Record<string, readonly string[]>>;
  /** Product → release (`debian 12`) → starts of the versions that it ships. Empty: it never shipped the product. */
  readonly versions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** A tool or runtime by the name and the package URL by which components are resolved. */
export interface NamedTool {
  readonly name: string;
  /** Package URL without version; absent for tools that resolve by their exact name. */
  readonly purl?: string;
}

/** The names of tools in files with version pins, in lower case. */
export interface ToolNames {
  /** Names in asdf, mise, the setup actions and the version files. */
  readonly tools: Readonly<Record<string, NamedTool>>;
  /** Vendors of Java by their names in asdf, the setup action, SDKMAN and Gradle → products. */
  readonly javaVendors: Readonly<Record<string, string>>;
  /** Registries that mise names before a colon (`npm:prettier`) → purl type. */
  readonly registries: Readonly<Record<string, string>>;
  /** Code names by which tags of images name a release of an operating system → name of the system. */
  readonly systemCodeNames: Readonly<Record<string, string>>;
  /** Image repositories with their registry (`docker.io/library/wordpress`) → what their tags name. */
  readonly images: Readonly<Record<string, ImageName>>;
  /** Pattern over repositories of a distribution's builds, the group is the name of the image (`nodejs-12`) → `rhel 8`. */
  readonly streamImages: Readonly<Record<string, string>>;
  /** Images of streams with a recorded support period (`rhel 8/nodejs-12`) → the package of the stream. */
  readonly streamPackages: Readonly<Record<string, Required<NamedTool> & { readonly version: string }>>;
  /** Start of a repository (`mirror.lan/hub/`) → start of the repository that it mirrors (`docker.io/`). */
  readonly imageMirrors: Readonly<Record<string, string>>;
  /** Actions of GitHub in lower case → references (`v3`; `v3.*` also means `v3.1.0`) → the Node.js that they declare. */
  readonly actions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Repositories of actions, in lower case, that are products of their own, because they need a service. */
  readonly serviceActions: readonly string[];
  /** Product of a host's runner images → labels with a day of removal. */
  readonly runners: Readonly<Record<string, readonly string[]>>;
}

/** What the tags of an image repository name. The package URL of the repository identifies its product. */
export interface ImageName {
  /** Pattern over tags, the group is the version of the product; absent where `cycle` is set. */
  readonly version?: string;
  /** The release cycle that the name of the repository contains. */
  readonly cycle?: string;
  /** Further products with a pattern over tags, the group is their version. */
  readonly also?: readonly (readonly [product: string, pattern: string])[];
}
