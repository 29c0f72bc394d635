/**
 * The score object: all data about one release cycle on one day. It depends only on the catalogue and the day, so equal
 * requests get equal bytes.
 */
import { SCORE_VERSION } from "../lifecycle/score.ts";
import { firstDay, knownPart } from "../lifecycle/days.ts";
import { gateOf, isSupported, maintainedBy } from "../lifecycle/gate.ts";
import { isLongTerm, isMaintenanceOnly } from "../lifecycle/status.ts";
import type { AffectingKev, Assessment, Doubt, Provenance, Resolution, VersionMatchedBy } from "../model/index.ts";
import { claimObject, dateFields, dayOf, precision, supportEndFields, trackObject } from "./lifecycle.ts";
import type { Links } from "./links.ts";
import { compact } from "../text/values.ts";
import type { DoubtObject, DecisionObject, KevEntryObject, ScoreEntry, ScoreObject, StatusObject } from "./schemas.ts";

/** How the requested version was resolved to a release cycle. Absent when the request named the cycle itself. */
export interface Requested {
  readonly version: string;
  readonly matchedBy: VersionMatchedBy;
}

/**
 * The score object of an assessment.
 * @param requested - How the requested version was resolved to the cycle; absent when the request named the cycle.
 */
export function scoreObject(assessment: Assessment, links: Links, requested?: Requested): ScoreObject {
  const { releaseCycle, cycle } = assessment;
  return {
    product: releaseCycle.product,
    product_name: assessment.productName,
    version: releaseCycle.cycle,
    ...requestedFields(requested),
    ...cycleFields(assessment),
    kev_entries: assessment.kevEntries.map(kevEntryObject),
    eol_date_statements: assessment.provenance.claims.map(claimObject),
    ...(cycle.eoasClaims && { active_support_statements: cycle.eoasClaims.map(claimObject) }),
    ...(cycle.eoesClaims && { extended_support_statements: cycle.eoesClaims.map(claimObject) }),
    cpe: assessment.cpes,
    purl: assessment.purls,
    data_source: assessment.provenance.url ?? links.methodology,
    score_card_url: links.scoreCard(releaseCycle),
    product_url: links.product(releaseCycle.product),
    methodology_url: links.methodology,
    as_of: assessment.asOf,
    generated_at: `${assessment.asOf}T00:00:00Z`,
  };
}

/** The score object without the fields that `/scores.json` states once for all cycles, or that other feeds contain. */
export function scoreEntry(assessment: Assessment, links: Links): ScoreEntry {
  const { releaseCycle } = assessment;
  return {
    product: releaseCycle.product,
    version: releaseCycle.cycle,
    ...cycleFields(assessment),
    score_card_url: links.scoreCard(releaseCycle),
  };
}

function cycleFields(assessment: Assessment) {
  const { cycle } = assessment;
  return {
    ...releaseFields(assessment),
    ...endFields(assessment),
    gate: gateObject(assessment),
    ...scoreFields(assessment),
    ...extendedSupportFields(assessment),
    rolling: cycle.rolling,
    retired: cycle.retired,
    ...(isMaintenanceOnly(cycle, assessment.asOf) && { maintenance_only: true }),
    ...dateFields("deprecated_date", cycle.deprecatedFrom),
    ...compact({ declared_by: cycle.declaredBy, successor: cycle.successor }),
    ...provenanceFields(assessment.provenance),
    ...doubtFields(assessment),
  };
}

const doubtFields = ({ doubts }: Assessment) => (doubts.length === 0 ? {} : { doubts: doubts.map(doubtObject) });

const doubtObject = ({ kind, from, statedOn, url, lastRelease, rhythm }: Doubt): DoubtObject => ({
  kind,
  from,
  stated_on: statedOn,
  ...(lastRelease !== undefined && { last_release: lastRelease }),
  url,
  ...(rhythm && {
    rhythm: {
      last_release: rhythm.lastRelease,
      median_days: rhythm.medianDays,
      intervals: rhythm.intervals,
      releases: rhythm.releases,
      expected_end: rhythm.expectedEnd,
    },
  }),
});

function releaseFields({ cycle, asOf }: Assessment) {
  const { codename, label, ltsFrom, latest } = cycle;
  return {
    ...compact({ codename, label }),
    lts: isLongTerm(cycle, asOf),
    ...compact({ lts_from: ltsFrom, latest_release: latest?.name, latest_release_date: latest?.date }),
    ...dateFields("release_date", cycle.releaseDate),
  };
}

/** The outcome under the default policy. `resolution`: of the component that the assessment decides about. */
export const gateObject = (assessment: Assessment, resolution?: Resolution): DecisionObject => ({
  ...gateOf(assessment),
  maintained_by: maintainedBy(assessment, resolution),
});

function endFields({ cycle, status, eolDate, eolBoolean, daysUntilEol, daysPastEol, support }: Assessment) {
  return {
    eol_date: dayOf(eolDate),
    ...precision("eol_date", eolDate),
    eol_boolean: eolBoolean,
    ...dateFields("eol_no_later_than", cycle.eolNoLaterThan),
    ...(cycle.olderThan === undefined ? {} : { older_than: cycle.olderThan }),
    ...dateFields("eol_not_before", cycle.eolNotBefore),
    status,
    days_until_eol: daysUntilEol,
    days_past_eol: daysPastEol,
    ...supportEndFields(support),
  };
}

function scoreFields({ score, grade, gradeLabel, band, factors, kevExposed, kevBasis, kevFixedIn }: Assessment) {
  return {
    score,
    grade,
    grade_label: gradeLabel,
    band,
    score_version: SCORE_VERSION,
    factors: {
      eol_recency: factors.eolRecency,
      attack_surface: factors.attackSurface,
      cisa_kev_exposure: factors.cisaKevExposure,
      extended_support: factors.extendedSupport,
    },
    kev_exposed: kevExposed,
    kev_basis: kevBasis,
    kev_fixed_in: kevFixedIn,
  };
}

function extendedSupportFields({ cycle, extendedSupport: { available, vendor, until } }: Assessment) {
  return {
    extended_support_available: available,
    extended_support_vendor: vendor,
    extended_support_date: dayOf(until),
    ...precision("extended_support_date", until),
    support_tracks: cycle.tracks.map(trackObject),
  };
}

export const kevEntryObject = ({ cve, ransomware, affected, fixedIn }: AffectingKev): KevEntryObject => ({
  cve,
  ransomware,
  affected,
  fixed_in: fixedIn,
});

export function requestedFields(requested: Requested | undefined) {
  if (requested === undefined) return {};
  return { requested_version: requested.version, version_matched_by: requested.matchedBy };
}

/** The first day of a month or a year of which the day is not known. */
const verifiedFields = ({ verifiedAt }: Provenance) =>
  verifiedAt === null
    ? {}
    : { eol_date_verified_at: firstDay(verifiedAt), eol_date_verified_precision: knownPart(verifiedAt) };

/** Where a date comes from. The address and the day are absent where they are not known. */
export function provenanceFields(provenance: Provenance) {
  return {
    eol_date_source: provenance.source,
    ...(provenance.url === null ? {} : { eol_date_source_url: provenance.url }),
    ...verifiedFields(provenance),
    eol_date_status: provenance.status,
    eol_date_agreement: provenance.agreement,
    eol_date_confidence: provenance.confidence,
  };
}

/**
 * Converts an assessment to its status object. `is_eol` and the days refer to the standard end, `is_supported` to the support
 * that counts. For `unknown` all three booleans are false: "not ended" must not be mistaken for "supported".
 */
export function statusObject(assessment: Assessment, requested?: Requested): StatusObject {
  const { releaseCycle, status, cycle } = assessment;
  return {
    product: releaseCycle.product,
    version: releaseCycle.cycle,
    ...requestedFields(requested),
    status,
    is_eol: status === "eol",
    is_supported: isSupported(assessment.support),
    eol_approaching: status === "approaching",
    eol_date: dayOf(assessment.eolDate),
    days_until_eol: assessment.daysUntilEol,
    days_past_eol: assessment.daysPastEol,
    ...supportEndFields(assessment.support),
    gate: gateObject(assessment),
    ...(cycle.latest === undefined ? {} : { latest_release: cycle.latest.name }),
    ...provenanceFields(assessment.provenance),
    ...doubtFields(assessment),
    as_of: assessment.asOf,
  };
}
