/** Where a date comes from, in words. */
import type { Claim, ClaimKind, Provenance } from "../model/index.ts";

/** Texts that are followed by the day. */
const SOURCE_TEXTS: Readonly<Record<Provenance["source"], string>> = {
  "vendor-fetched": "read from the vendor on",
  "vendor-override": "corrected from the vendor's page on",
  "vendor-verified": "checked against the vendor's page on",
  custom: "entered from a page of",
  upstream: "community record of",
  discrepancy: "vendor and community record differ as of",
};

/** `read from the vendor on 2026-08-20, 2 sources agree`. */
export function formatProvenance({ source, status, agreement, verifiedAt, confidence }: Provenance): string {
  const from =
    verifiedAt === null
      ? SOURCE_TEXTS[source].replace(/ (?:on|of|as of)$/, "")
      : `${SOURCE_TEXTS[source]} ${verifiedAt}`;
  const agree = source !== "discrepancy" && agreement > 1 ? `${agreement} sources agree` : `${confidence} confidence`;
  return [from, agree, ...(status === "fallback" ? ["source not checked recently"] : [])].join(", ");
}

const CLAIM_KINDS: Readonly<Record<ClaimKind, string>> = {
  "vendor-feed": "vendor, read automatically",
  override: "documented correction",
  "human-check": "checked by a human",
  upstream: "community record",
  custom: "own record",
  declared: "declared by the maintainers",
};

/** The kind of source of a claim, and how it states the end: `vendor, read automatically; derived from the vendor's rule`. */
export const formatClaimKind = ({ kind, basis, copied, quarantined }: Claim): string =>
  [
    CLAIM_KINDS[kind],
    ...(basis === "rule" ? ["derived from the vendor's rule"] : []),
    ...(basis === "absence" ? ["the vendor's list names no end"] : []),
    ...(copied ? ["copied from the vendor's page"] : []),
    ...(quarantined ? ["not used, because it moves the end by years"] : []),
  ].join("; ");

/** The day of a claim's content, and whether a reader read it or a person entered it. */
export const formatClaimDay = ({ kind, retrievedAt, via }: Claim): string =>
  kind === "custom" || kind === "declared"
    ? `${SOURCE_TEXTS.custom} ${retrievedAt}${via === undefined ? "" : ", read through a copy"}`
    : `checked on ${retrievedAt}`;

/** The source for a narrow column: `vendor ×2`, `community`, `disputed`. */
export function sourceCell({ source, status, agreement }: Provenance): string {
  const agree = source !== "discrepancy" && agreement > 1 ? ` ×${agreement}` : "";
  return `${SOURCE_LABELS[source]}${agree}${status === "fallback" ? ", old" : ""}`;
}

/** Short names of the sources of dates. */
export const SOURCE_LABELS: Readonly<Record<Provenance["source"], string>> = {
  "vendor-fetched": "vendor",
  "vendor-override": "corrected",
  "vendor-verified": "verified",
  custom: "own record",
  upstream: "community",
  discrepancy: "disputed",
};

/** Who retired a cycle. The catalogue has `maintainer` where the source names no vendor. */
export const formatRetiredBy = (declaredBy = "maintainers"): string =>
  /^maintainers?$/.test(declaredBy) ? `its ${declaredBy}` : declaredBy;
