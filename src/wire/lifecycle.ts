/** Converts ends, dates, claims and support tracks to their wire objects and back, and score objects to assessments. */
import { asIsoDate, asProductSlug, asStatementDay } from "../text/ids.ts";
import { lastDay } from "../lifecycle/days.ts";
import type {
  Assessment,
  Claim,
  CountedSupport,
  Doubt,
  End,
  LifecycleDate,
  Provenance,
  ReleaseCycle,
  SupportTrack,
} from "../model/index.ts";
import { compact } from "../text/values.ts";
import type { ClaimObject, ScoreObject, TrackObject } from "./schemas.ts";
import { freeTracks, supportThatCounts } from "../lifecycle/support.ts";

type DayField<Name extends string> = { readonly [Key in Name]?: string };
/** Of a date that is less precise than a day. */
type WirePrecision = Exclude<LifecycleDate["precision"], "day">;
type PrecisionField<Name extends string> = { readonly [Key in `${Name}_precision`]?: WirePrecision };

/** `{ "<name>": day }`, with `<name>_precision` where the source does not state a day. Empty without a date. */
export function dateFields<Name extends string>(
  name: Name,
  date: LifecycleDate | null | undefined,
): DayField<Name> & PrecisionField<Name> {
  const day: unknown = date ? { [name]: lastDay(date) } : {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compiler widens a computed key to string
  return { ...(day as DayField<Name>), ...precision(name, date) };
}

/** The day on the wire, YYYY-MM-DD; of a month or a quarter, its last day, as in all arithmetic. */
export const dayOf = (date: LifecycleDate | null | undefined): string | null => (date ? lastDay(date) : null);

/** Only the precision, for fields whose day is always present, as null or a value. */
export function precision<Name extends string>(
  name: Name,
  date: LifecycleDate | null | undefined,
): PrecisionField<Name> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compiler widens a computed key to string
  return (date && date.precision !== "day" ? { [`${name}_precision`]: date.precision } : {}) as PrecisionField<Name>;
}

export function dateFrom(value: string | null | undefined, less: WirePrecision | undefined): LifecycleDate | null {
  if (value === null || value === undefined) return null;
  return { value: asIsoDate(value), precision: less ?? "day" };
}

/** The end that `eol_date` and `eol_boolean` state; both null means `unknown`. */
export function endFrom(date: LifecycleDate | null, ended: boolean | null): End {
  if (date) return { kind: "dated", date };
  if (ended === null) return { kind: "unknown" };
  return { kind: ended ? "ended" : "open" };
}

export function claimObject(claim: Claim): ClaimObject {
  const { end } = claim;
  const date = end.kind === "dated" ? end.date : null;
  return {
    kind: claim.kind,
    source: claim.source,
    eol_date: dayOf(date),
    ...precision("eol_date", date),
    eol_boolean: end.kind === "ended" ? true : end.kind === "open" ? false : null,
    url: claim.url,
    read_on: claim.retrievedAt,
    ...claimDetails(claim),
  };
}

export function claimFromWire(wire: ClaimObject): Claim {
  return {
    kind: wire.kind,
    source: wire.source,
    end: endFrom(dateFrom(wire.eol_date, wire.eol_date_precision), wire.eol_boolean),
    url: wire.url,
    retrievedAt: asStatementDay(wire.read_on),
    ...claimDetails(wire),
  };
}

/** The fields that have the same names and values on both sides. */
const claimDetails = ({
  copied,
  complete,
  secondary,
  quarantined,
  basis,
  reason,
  via,
}: Pick<ClaimObject, keyof Claim & keyof ClaimObject>) => ({
  ...(copied === true && { copied }),
  ...(complete === true && { complete }),
  ...(secondary === true && { secondary }),
  ...(quarantined === true && { quarantined }),
  ...compact({ basis, reason, via }),
});

/** The support that counts by default, beside the fields of the standard end. */
export function supportEndFields({ date, track, status }: CountedSupport) {
  return {
    support_end_date: dayOf(date),
    ...precision("support_end_date", date),
    support_track: track?.name ?? null,
    is_supported_by_track: track !== null && status !== "eol",
  };
}

export function trackObject(track: SupportTrack): TrackObject {
  return {
    name: track.name,
    vendor: track.vendor,
    cost: track.cost,
    end_date: dayOf(track.end),
    ...precision("end_date", track.end),
    ...(track.url === undefined ? {} : { url: track.url }),
  };
}

export function trackFrom(wire: TrackObject): SupportTrack {
  return {
    name: wire.name,
    vendor: wire.vendor,
    cost: wire.cost,
    end: dateFrom(wire.end_date, wire.end_date_precision),
    ...(wire.url === undefined ? {} : { url: wire.url }),
  };
}

/** The inverse of `scoreObject`, for every field that the score object contains. */
export function assessmentFromScore(wire: ScoreObject): Assessment {
  const [cycle, asOf, doubts] = [cycleFrom(wire), asIsoDate(wire.as_of), doubtsFrom(wire)];
  return {
    releaseCycle: { product: asProductSlug(wire.product), cycle: wire.version },
    productName: wire.product_name,
    cycle,
    asOf,
    support: supportThatCounts(cycle, freeTracks(cycle), asOf, doubts),
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
    doubts,
    cpes: wire.cpe,
    purls: wire.purl,
  };
}

function cycleFrom(wire: ScoreObject): ReleaseCycle {
  const noLaterThan = dateFrom(wire.eol_no_later_than, wire.eol_no_later_than_precision);
  const notBefore = dateFrom(wire.eol_not_before, wire.eol_not_before_precision);
  const deprecatedFrom = dateFrom(wire.deprecated_date, wire.deprecated_date_precision);
  return {
    ...releaseFrom(wire),
    eol: endFrom(dateFrom(wire.eol_date, wire.eol_date_precision), wire.eol_boolean),
    ...(noLaterThan && { eolNoLaterThan: noLaterThan }),
    ...(notBefore && { eolNotBefore: notBefore }),
    claims: wire.eol_date_statements.map(claimFromWire),
    ...(wire.active_support_statements && { eoasClaims: wire.active_support_statements.map(claimFromWire) }),
    ...(wire.extended_support_statements && { eoesClaims: wire.extended_support_statements.map(claimFromWire) }),
    tracks: wire.support_tracks.map(trackFrom),
    rolling: wire.rolling,
    retired: wire.retired,
    ...(deprecatedFrom && { deprecatedFrom }),
    ...(wire.maintenance_only === true && { eoasFrom: { kind: "ended" as const } }),
    ...compact({ olderThan: wire.older_than, declaredBy: wire.declared_by, successor: wire.successor }),
  };
}

function releaseFrom(
  wire: ScoreObject,
): Pick<ReleaseCycle, "name" | "codename" | "label" | "releaseDate" | "lts" | "ltsFrom" | "latest"> {
  const releaseDate = dateFrom(wire.release_date, wire.release_date_precision);
  const { version: name, codename, label, latest_release: latest, latest_release_date: day, lts_from: ltsFrom } = wire;
  return {
    name,
    ...compact({ codename, label }),
    ...(releaseDate && { releaseDate }),
    lts: wire.lts || ltsFrom !== undefined,
    ...(ltsFrom !== undefined && { ltsFrom: asIsoDate(ltsFrom) }),
    ...(latest !== undefined && { latest: { name: latest, ...(day !== undefined && { date: asIsoDate(day) }) } }),
  };
}

const dayFrom = (text: string | null) => (text === null ? null : asIsoDate(text));

function doubtsFrom({ doubts = [] }: ScoreObject): readonly Doubt[] {
  return doubts.map(({ kind, from, stated_on, url, last_release, rhythm }) => ({
    kind,
    from: dayFrom(from),
    statedOn: dayFrom(stated_on),
    ...(last_release !== undefined && { lastRelease: dayFrom(last_release) }),
    url,
    ...(rhythm && {
      rhythm: {
        lastRelease: asIsoDate(rhythm.last_release),
        medianDays: rhythm.median_days,
        intervals: rhythm.intervals,
        releases: rhythm.releases,
        expectedEnd: asIsoDate(rhythm.expected_end),
      },
    }),
  }));
}

const KNOWN = { day: 10, month: 7, year: 4 } as const;

const verifiedFrom = ({ eol_date_verified_at: day, eol_date_verified_precision: precision = "day" }: ScoreObject) =>
  day === undefined ? null : asStatementDay(day.slice(0, KNOWN[precision]));

function provenanceFrom(wire: ScoreObject): Provenance {
  return {
    source: wire.eol_date_source,
    url: wire.eol_date_source_url ?? null,
    verifiedAt: verifiedFrom(wire),
    status: wire.eol_date_status,
    agreement: wire.eol_date_agreement,
    confidence: wire.eol_date_confidence,
    claims: wire.eol_date_statements.map(claimFromWire),
  };
}
