/** Which sources may confirm a change of an end: those that the catalogue of this release has about the same product. */
import { sameEnd } from "../../lifecycle/ends.ts";
import type { Catalogue, Claim } from "../../model/index.ts";

/** Whether a source spoke about a product before. */
export type IsWitness = (product: string, source: string) => boolean;

/** An update can name any source, so that its own word does not make one: `trusted` is not part of it. */
export function witnessesOf(trusted: Pick<Catalogue, "product">): IsWitness {
  const known = new Map<string, ReadonlySet<string>>();
  return (slug, source) => {
    let sources = known.get(slug);
    if (sources === undefined) {
      const claims = trusted.product(slug)?.cycles.flatMap((cycle) => cycle.claims) ?? [];
      known.set(slug, (sources = new Set(claims.flatMap((each) => (each.quarantined ? [] : [each.source])))));
    }
    return sources.has(source);
  };
}

/**
 * Whether two known and independent sources state the end of `claim`. A copy of the vendor's page is not independent of the
 * vendor.
 */
export function isConfirmed(claim: Claim, claims: readonly Claim[], isKnown: (source: string) => boolean): boolean {
  if (claim.end.kind === "unknown" || claim.copied || !isKnown(claim.source)) return false;
  return claims.some(
    (other) =>
      other !== claim &&
      other.source !== claim.source &&
      isKnown(other.source) &&
      !other.quarantined &&
      !other.copied &&
      sameEnd(other.end, claim.end),
  );
}
