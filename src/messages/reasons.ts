/** Why a component has no release cycle, as a phrase. */
import type { UnresolvedReason } from "../model/index.ts";

export const REASON_LABELS: Readonly<Record<UnresolvedReason, string>> = {
  "purl-not-tracked": "package not in the catalogue",
  "purl-invalid": "package URL not valid",
  "name-not-recognised": "no package URL, and name not recognised",
  "name-matching-off": "no package URL, and name matching is off",
  "name-conflict": "CPE or publisher of another vendor",
  "model-not-tracked": "AI model not in the catalogue",
  "no-version": "no usable version",
  "version-not-tracked": "version matches no release cycle",
  "newer-than-catalogue": "newer than the catalogue",
  "cycle-not-recorded": "only retired versions of the product are recorded",
  "version-ambiguous": "version matches several release cycles",
  "version-conflict": "version and package URL disagree",
  "version-is-range": "version range instead of a version",
  "distro-unknown": "release of the distribution not known",
  "distro-conflict": "contradictory evidence of the distribution release",
  "distro-package-unknown": "not a known package of its distribution",
  "vendor-rebuild": "rebuilt by a vendor, whose support period is not recorded",
  "module-stream-unknown": "module stream not known",
  "alternative-version-unknown": "support period of this alternative version not recorded",
};
