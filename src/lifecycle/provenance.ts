/** Where a date comes from, when it was checked and how far it can be trusted. See docs/decisions/0004-provenance.md. */
import type { IsoDate } from "../text/ids.ts";
import type { Confidence, Provenance, ProvenanceSource, ProvenanceStatus, Claim } from "../model/index.ts";
import { daysBetween, firstDay } from "./days.ts";
import { contradicts, sameEnd, effectiveClaim, isLongUnseen, newest, CLAIM_CLASS } from "./ends.ts";

/** Days for which a vendor's feed counts as current after it was read. */
export const FEED_CURRENT_DAYS = 14;

/** Returns the provenance of a cycle's effective end date on a day (UTC), from the claims of all sources. */
export function provenanceOf(claims: readonly Claim[], asOf: IsoDate): Provenance {
  const effective = effectiveClaim(claims);
  if (effective === undefined) return NO_SOURCE;
  const agreeing = claims.filter((claim) => sameEnd(claim.end, effective.end));
  const agreement = countIndependent(agreeing);
  const { origin, ...rating } = rate({ effective, agreeing, all: claims, agreement, asOf });
  return {
    ...rating,
    url: origin.url,
    verifiedAt: origin.retrievedAt,
    agreement,
    claims: [effective, ...claims.filter((claim) => claim !== effective)],
  };
}

/**
 * The number of independent sources. A date that a record copied from the vendor's page does not count next to the
 * vendor's own claim.
 */
function countIndependent(claims: readonly Claim[]): number {
  const classes = new Set(claims.filter(({ copied }) => !copied).map(({ kind }) => CLAIM_CLASS[kind]));
  if (!classes.has("vendor") && claims.some(({ copied }) => copied)) classes.add("record");
  return classes.size;
}

/** A date without a source gets the source `upstream`. */
const NO_SOURCE: Provenance = {
  source: "upstream",
  url: null,
  verifiedAt: null,
  status: "upstream",
  agreement: 0,
  confidence: "medium",
  claims: [],
};

interface Rating {
  readonly source: ProvenanceSource;
  readonly status: ProvenanceStatus;
  readonly confidence: Confidence;
  /** The claim whose page and day of reading are shown. */
  readonly origin: Claim;
}

interface ClaimEvidence {
  /** The claim with the effective date. */
  readonly effective: Claim;
  /** The claims with the same date. */
  readonly agreeing: readonly Claim[];
  readonly all: readonly Claim[];
  /** Independent sources that agree. */
  readonly agreement: number;
  readonly asOf: IsoDate;
}

/** The table "Status, agreement, confidence" of docs/data.md, row by row. */
function rate(evidence: ClaimEvidence): Rating {
  const { effective, agreeing, all, agreement } = evidence;
  if (inDispute(effective, all))
    return { source: "discrepancy", status: "mismatch", confidence: "low", origin: effective };
  const byAgreement = agreement >= 2 ? "high" : "medium";
  const vendor = newest(agreeing, "vendor-feed");
  return vendor ? rateVendor(vendor, evidence) : rateOwn(evidence, byAgreement);
}

function rateOwn({ effective, agreeing, asOf }: ClaimEvidence, byAgreement: Confidence): Rating {
  switch (effective.kind) {
    case "override":
      return { source: "vendor-override", status: "human", confidence: byAgreement, origin: effective };
    case "human-check":
      return { source: "vendor-verified", status: "human", confidence: byAgreement, origin: effective };
    case "custom":
    case "declared":
      return {
        source: "custom",
        status: "custom",
        confidence: effective.secondary || isLongUnseen(effective, agreeing, asOf) ? "low" : "medium",
        origin: effective,
      };
    // `rate` passes an effective vendor claim to `rateVendor`, because it agrees with itself.
    case "vendor-feed":
    case "upstream":
      return { source: "upstream", status: "upstream", confidence: "medium", origin: effective };
  }
}

/** A record that copied the vendor's date is no second source: it does not raise the confidence in a stale feed. */
function rateVendor(vendor: Claim, { agreement, asOf }: ClaimEvidence): Rating {
  const isCurrent = daysBetween(firstDay(vendor.retrievedAt), asOf) <= FEED_CURRENT_DAYS;
  const singleSource = isCurrent ? "medium" : "low";
  return {
    source: "vendor-fetched",
    status: isCurrent ? "ok" : "fallback",
    confidence: agreement >= 2 ? "high" : singleSource,
    origin: vendor,
  };
}

/**
 * Whether a vendor's claim contradicts the effective one, or another record contradicts an effective record that no
 * vendor confirms.
 */
function inDispute(effective: Claim, all: readonly Claim[]): boolean {
  const against = all.filter((claim) => contradicts(effective, claim));
  if (against.some(({ kind }) => kind === "vendor-feed")) return true;
  if (CLAIM_CLASS[effective.kind] !== "record") return false;
  const settled = all.some((claim) => CLAIM_CLASS[claim.kind] === "vendor" && sameEnd(claim.end, effective.end));
  return !settled && against.length > 0;
}
