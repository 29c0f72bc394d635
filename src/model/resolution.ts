/** The result of the resolve step: from a component to a release cycle. */
import type { ProductSlug } from "../text/ids.ts";
import type { PackageEnd } from "./catalogue.ts";

/** The identifier by which a component was resolved. */
export type MatchedBy = "purl" | "name" | "model" | "cpe";

/**
 * How a version matched its cycle. `older`: it is older than the recorded cycles, and the next one has ended. `range`:
 * it is a range that admits versions of this cycle only. `all-ended`: every cycle that it can mean has ended.
 * `all-builds`: every vendor's builds have ended, those of this cycle last.
 */
export type VersionMatchedBy =
  | "release-line"
  | "longest"
  | "alias"
  | "rule"
  | "latest-build"
  | "older"
  | "range"
  | "all-ended"
  | "all-builds";

/** Why a component has no release cycle; docs/evidence-rules.md explains the rules. */
export type UnresolvedReason =
  | "purl-not-tracked"
  /** Of the maker of the described software, or private by the policy. */
  | "own-package"
  | "purl-invalid"
  | "name-not-recognised"
  | "name-matching-off"
  /** The CPE or the publisher names a vendor other than the product's. */
  | "name-conflict"
  | "model-not-tracked"
  | "no-version"
  | "computed-value"
  | "version-not-tracked"
  | "newer-than-catalogue"
  /** Above a recorded cycle of its major version that lives: the branch may have grown. */
  | "newer-than-branch"
  /** Only retired cycles of the product are recorded, and this version belongs to none of them. */
  | "cycle-not-recorded"
  | "version-ambiguous"
  /** The component's version and the version in its purl belong to different cycles. */
  | "version-conflict"
  | "version-is-range"
  /** A package of a distribution whose release is not known. */
  | "distro-unknown"
  /** Two pieces of evidence name different releases or distributions. */
  | "distro-conflict"
  /** The distribution does not ship a package of this name, and no other vendor is known to. */
  | "distro-package-unknown"
  /** Rebuilt by a vendor who maintains it, and the vendor's product is not recorded. */
  | "vendor-rebuild"
  /** Built from a module whose stream is not known. */
  | "module-stream-unknown"
  /** An alternative version without a recorded period, of a product cycle that has ended. */
  | "alternative-version-unknown"
  /** The release of its distribution is not known to ship this version, or a package of this name. */
  | "distro-version-unknown";

/** A release cycle of a product. */
export interface CycleRef {
  readonly product: ProductSlug;
  readonly cycle: string;
}

/**
 * Receives each step of a resolution, for `explain`; a check passes none. `step` names what was tried: `purl-key`,
 * `map-entry`, `limit`, `transform`, `packaging`, `cycle`, `older`, `distro`, `candidate-rejected`, `unresolved`, …
 */
export type Tracer = (step: string, detail: string) => void;

/** The answer of the resolver for one component. */
export type Resolution =
  | {
      /** Belongs to a release cycle. */
      readonly kind: "resolved";
      readonly releaseCycle: CycleRef;
      readonly matchedBy: MatchedBy;
      /** Absent when the requested version is the name of the cycle. */
      readonly versionMatchedBy?: VersionMatchedBy;
      readonly requestedVersion: string;
      /** The version is a lower bound: the cycle is the lowest one that it admits, and need not be the one in use. */
      readonly minimum?: true;
      /** The purl or CPE that matched. */
      readonly identifier?: string;
      /** The distribution release that maintains this package, when known; or the place that it is taken from, which has ended. */
      readonly maintainedBy?: CycleRef;
      /** The distribution stops supporting this package before the release ends. */
      readonly packageEnd?: PackageEnd;
    }
  | {
      /** A distribution's package without a product of its own: assessed by the distribution's release. */
      readonly kind: "distro-maintained";
      readonly by: CycleRef;
      readonly packageEnd?: PackageEnd;
    }
  | {
      readonly kind: "unmatched";
      readonly reason: UnresolvedReason;
      /** The product, when it is known but its cycle is not. */
      readonly product?: ProductSlug;
      readonly candidates?: readonly string[];
      /** The pieces of evidence that contradict each other. */
      readonly evidence?: readonly string[];
    }
  /** The root, files and data sets: not expected to have a release cycle. */
  | { readonly kind: "not-applicable"; readonly why: "root" | "file" | "data" };
