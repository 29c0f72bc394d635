/**
 * Converts a remote server's score object back to an assessment, so that remote and local checks use the same policy
 * evaluation.
 */
import { freeTracks, supportThatCounts } from "../lifecycle/support.ts";
import { asIsoDate, asProductSlug } from "../text/ids.ts";
import type { Assessment, Provenance, ReleaseCycle } from "../model/index.ts";
import { dateFrom, endFrom, claimFromWire, trackFrom } from "./end.ts";
import type { ScoreObject } from "./schemas.ts";

/** The inverse of `scoreObject`, for every field that the score object contains. */
export function assessmentFromScore(wire: ScoreObject): Assessment {
  const [cycle, asOf] = [cycleFrom(wire), asIsoDate(wire.as_of)];
  return {
    releaseCycle: { product: asProductSlug(wire.product), cycle: wire.version },
    productName: wire.product_name,
    cycle,
    asOf,
    support: supportThatCounts(cycle, freeTracks(cycle), asOf),
    status: wire.status,
    eolDate: dateFrom(wire.eol_date, wire.eol_date_precision),
    eolBoolean: wire.eol_boolean,
    daysUntilEol: wire.days_until_eol,
    daysPastEol: wire.days_past_eol,
    score: wire.score,
    grade: wire.grade,
    gradeLabel: wire.grade_label,
    band: wire.band,
    factors: {
      eolRecency: wire.factors.eol_recency,
      attackSurface: wire.factors.attack_surface,
      cisaKevExposure: wire.factors.cisa_kev_exposure,
      extendedSupport: wire.factors.extended_support,
    },
    kevExposed: wire.kev_exposed,
    kevBasis: wire.kev_basis,
    kevFixedIn: wire.kev_fixed_in,
    kevEntries: wire.kev_entries.map(({ fixed_in: fixedIn, ...entry }) => ({ ...entry, fixedIn })),
    extendedSupport: {
      available: wire.extended_support_available,
      vendor: wire.extended_support_vendor,
      until: dateFrom(wire.extended_support_date, wire.extended_support_date_precision),
    },
    provenance: provenanceFrom(wire),
    cpes: wire.cpe,
    purls: wire.purl,
  };
}

function cycleFrom(wire: ScoreObject): ReleaseCycle {
  const notBefore = dateFrom(wire.eol_not_before, wire.eol_not_before_precision);
  const deprecatedFrom = dateFrom(wire.deprecated_date, wire.deprecated_date_precision);
  return {
    ...releaseFrom(wire),
    eol: endFrom(dateFrom(wire.eol_date, wire.eol_date_precision), wire.status === "unknown" ? null : wire.eol_boolean),
    ...(notBefore ? { eolNotBefore: notBefore } : {}),
    claims: wire.eol_date_statements.map(claimFromWire),
    ...(wire.active_support_statements && { eoasClaims: wire.active_support_statements.map(claimFromWire) }),
    ...(wire.extended_support_statements && { eoesClaims: wire.extended_support_statements.map(claimFromWire) }),
    tracks: wire.support_tracks.map(trackFrom),
    rolling: wire.rolling,
    retired: wire.retired,
    ...(deprecatedFrom ? { deprecatedFrom } : {}),
    ...(wire.declared_by === undefined ? {} : { declaredBy: wire.declared_by }),
    ...(wire.successor === undefined ? {} : { successor: wire.successor }),
  };
}

function releaseFrom(
  wire: ScoreObject,
): Pick<ReleaseCycle, "name" | "codename" | "label" | "releaseDate" | "lts" | "ltsFrom" | "latest"> {
  const releaseDate = dateFrom(wire.release_date, wire.release_date_precision);
  const { latest_release: latest, latest_release_date: latestDate, lts_from: ltsFrom } = wire;
  return {
    name: wire.version,
    ...(wire.codename === undefined ? {} : { codename: wire.codename }),
    ...(wire.label === undefined ? {} : { label: wire.label }),
    ...(releaseDate ? { releaseDate } : {}),
    lts: wire.lts || ltsFrom !== undefined,
    ...(ltsFrom === undefined ? {} : { ltsFrom: asIsoDate(ltsFrom) }),
    ...(latest === undefined
      ? {}
      : { latest: { name: latest, ...(latestDate === undefined ? {} : { date: asIsoDate(latestDate) }) } }),
  };
}

function provenanceFrom(wire: ScoreObject): Provenance {
  return {
    source: wire.eol_date_source,
    url: wire.eol_date_source_url ?? null,
    verifiedAt: wire.eol_date_verified_at === undefined ? null : asIsoDate(wire.eol_date_verified_at),
    status: wire.eol_date_status,
    agreement: wire.eol_date_agreement,
    confidence: wire.eol_date_confidence,
    claims: wire.eol_date_statements.map(claimFromWire),
  };
}
