/** From a component to a release line: step 2. */
import type { ProductSlug } from "../ids.ts";
import type { EarlyEnd } from "./catalogue.ts";

export type MatchedBy = "purl" | "name" | "model" | "cpe";
export type VersionMatchedBy = "release-line" | "longest" | "alias" | "rule" | "latest-build";

export type UnresolvedReason =
  | "purl-not-tracked"
  | "purl-invalid"
  | "name-not-recognised"
  | "name-matching-off"
  | "model-not-tracked"
  | "no-version"
  | "version-not-tracked"
  | "newer-than-catalogue"
  | "version-ambiguous"
  | "version-is-range"
  | "distro-unknown";

/** A product's release line. */
export interface CycleRef {
  readonly product: ProductSlug;
  readonly cycle: string;
}

/**
 * Told each step of the way to an answer. `explain` listens; a check of 100,000 components passes none.
 * `step` names what was tried: `purl-key`, `map-entry`, `limit`, `transform`, `version-cut`, `line`, `candidate-refused`, …
 */
export type Tracer = (step: string, detail: string) => void;

export type Resolution =
  | {
      /** Belongs to a line. */
      readonly kind: "resolved";
      readonly releaseCycle: CycleRef;
      readonly matchedBy: MatchedBy;
      /** Absent when the line was asked by its own name. */
      readonly versionMatchedBy?: VersionMatchedBy;
      readonly requestedVersion: string;
      /** The purl or CPE that matched. */
      readonly identifier?: string;
      /** The distribution's line that maintains this package, when known. */
      readonly maintainedBy?: CycleRef;
      /** The distribution stopped supporting this package before its line's own end. */
      readonly earlyEnd?: EarlyEnd;
    }
  | {
      /** A distribution's package without a product of its own: judged by the distribution's line. */
      readonly kind: "covered";
      readonly by: CycleRef;
      readonly earlyEnd?: EarlyEnd;
    }
  | {
      readonly kind: "unmatched";
      readonly reason: UnresolvedReason;
      /** The product, when it is known but its line is not. */
      readonly product?: ProductSlug;
      readonly candidates?: readonly string[];
    }
  /** The root, files and data sets: nobody expects a line. */
  | { readonly kind: "not-applicable"; readonly why: "root" | "file" | "data" };
