/** Where a date comes from, when it was checked and how far it can be trusted. See docs/decisions/0004-provenance.md. */
import type { IsoDate } from "../ids.ts";
import type { Confidence, Provenance, ProvenanceSource, ProvenanceStatus, Claim } from "../model.ts";
import { daysBetween } from "./days.ts";
import { contradicts, sameEnd, effectiveClaim, STATEMENT_CLASS } from "./ends.ts";

/** Days for which a vendor's feed counts as current after it was read. */
export const FEED_CURRENT_DAYS = 14;

export function provenanceOf(statements: readonly Claim[], asOf: IsoDate): Provenance {
  const served = effectiveClaim(statements);
  if (served === undefined) return NO_SOURCE;
  const agreeing = statements.filter((statement) => sameEnd(statement.end, served.end));
  const agreement = countIndependent(agreeing);
  const { origin, ...judged } = judge({ served, agreeing, all: statements, agreement, asOf });
  return {
    ...judged,
    url: origin.url,
    verifiedAt: origin.retrievedAt,
    agreement,
    claims: [served, ...statements.filter((statement) => statement !== served)],
  };
}

/** Independent sources. A date that the record copied from the vendor's page is not a second one next to the vendor's own. */
function countIndependent(statements: readonly Claim[]): number {
  const classes = new Set(statements.filter(({ copied }) => !copied).map(({ kind }) => STATEMENT_CLASS[kind]));
  if (!classes.has("vendor") && statements.some(({ copied }) => copied)) classes.add("record");
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

interface Judged {
  readonly source: ProvenanceSource;
  readonly status: ProvenanceStatus;
  readonly confidence: Confidence;
  /** The statement whose page and day are shown. */
  readonly origin: Claim;
}

interface Evidence {
  /** The claim with the effective date. */
  readonly served: Claim;
  /** The claims with the same date. */
  readonly agreeing: readonly Claim[];
  readonly all: readonly Claim[];
  /** Independent sources that agree. */
  readonly agreement: number;
  readonly asOf: IsoDate;
}

/** The table "Status, agreement, confidence" of docs/data.md, row by row. */
function judge(evidence: Evidence): Judged {
  const { served, agreeing, all, agreement } = evidence;
  if (inDispute(served, all)) return { source: "discrepancy", status: "mismatch", confidence: "low", origin: served };
  const byAgreement = agreement >= 2 ? "high" : "medium";
  const vendor = newestVendor(agreeing);
  return vendor ? judgeVendor(vendor, evidence) : judgeOwn(served, byAgreement);
}

function judgeOwn(served: Claim, byAgreement: Confidence): Judged {
  switch (served.kind) {
    case "override":
      return { source: "vendor-override", status: "human", confidence: byAgreement, origin: served };
    case "human-check":
      return { source: "vendor-verified", status: "human", confidence: byAgreement, origin: served };
    case "custom":
    case "declared":
      return { source: "custom", status: "custom", confidence: served.secondary ? "low" : "medium", origin: served };
    // An effective vendor claim agrees with itself and was handled above.
    case "vendor-feed":
    case "upstream":
      return { source: "upstream", status: "upstream", confidence: "medium", origin: served };
  }
}

function judgeVendor(vendor: Claim, { agreeing, agreement, asOf }: Evidence): Judged {
  const isCurrent = daysBetween(vendor.retrievedAt, asOf) <= FEED_CURRENT_DAYS;
  // Having read the vendor too never makes a record less certain.
  const hasRecord = agreeing.some(({ kind }) => STATEMENT_CLASS[kind] === "record");
  const alone = isCurrent || hasRecord ? "medium" : "low";
  return {
    source: "vendor-fetched",
    status: isCurrent ? "ok" : "fallback",
    confidence: agreement >= 2 ? "high" : alone,
    origin: vendor,
  };
}

/**
 * A vendor's claim against the effective one. Two records against each other as well, unless a vendor or a human check
 * has decided.
 */
function inDispute(served: Claim, all: readonly Claim[]): boolean {
  const against = all.filter((statement) => contradicts(served, statement));
  if (against.some(({ kind }) => kind === "vendor-feed")) return true;
  if (STATEMENT_CLASS[served.kind] !== "record") return false;
  const settled = all.some(
    (statement) => STATEMENT_CLASS[statement.kind] === "vendor" && sameEnd(statement.end, served.end),
  );
  return !settled && against.length > 0;
}

function newestVendor(statements: readonly Claim[]): Claim | undefined {
  return statements
    .filter(({ kind }) => kind === "vendor-feed")
    .reduce<Claim | undefined>(
      (best, each) => (best === undefined || each.retrievedAt > best.retrievedAt ? each : best),
      undefined,
    );
}
