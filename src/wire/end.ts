/** Converts ends and dates to the wire's `eol_date` and `eol_boolean`, and back. */
import { asIsoDate } from "../text/ids.ts";
import { lastDay } from "../lifecycle/days.ts";
import type { CountedSupport, End, LifecycleDate, Claim, SupportTrack } from "../model/index.ts";
import type { ClaimObject, TrackObject } from "./schemas.ts";

type DayField<Name extends string> = { readonly [Key in Name]?: string };
type PrecisionField<Name extends string> = { readonly [Key in `${Name}_precision`]?: "month" };

/** `{ "<name>": day }`, with `<name>_precision: "month"` where the source states only a month. Empty without a date. */
export function dateFields<Name extends string>(
  name: Name,
  date: LifecycleDate | null | undefined,
): DayField<Name> & PrecisionField<Name> {
  const day: unknown = date ? { [name]: lastDay(date) } : {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compiler widens a computed key to string
  return { ...(day as DayField<Name>), ...precision(name, date) };
}

/** The day on the wire, YYYY-MM-DD; of a month, its last day, as in all arithmetic. */
export const dayOf = (date: LifecycleDate | null | undefined): string | null => (date ? lastDay(date) : null);

/** Only the precision, for fields whose day is always present, as null or a value. */
export function precision<Name extends string>(
  name: Name,
  date: LifecycleDate | null | undefined,
): PrecisionField<Name> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compiler widens a computed key to string
  return (date?.precision === "month" ? { [`${name}_precision`]: "month" } : {}) as PrecisionField<Name>;
}

export function dateFrom(value: string | null | undefined, month: "month" | undefined): LifecycleDate | null {
  if (value === null || value === undefined) return null;
  return { value: asIsoDate(value), precision: month ?? "day" };
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
    ...(claim.copied && { copied: true }),
    ...(claim.complete && { complete: true }),
    ...(claim.secondary && { secondary: true }),
    ...(claim.basis === undefined ? {} : { basis: claim.basis }),
    ...(claim.reason === undefined ? {} : { reason: claim.reason }),
    ...(claim.via === undefined ? {} : { via: claim.via }),
  };
}

export function claimFromWire(wire: ClaimObject): Claim {
  return {
    kind: wire.kind,
    source: wire.source,
    end: endFrom(dateFrom(wire.eol_date, wire.eol_date_precision), wire.eol_boolean),
    url: wire.url,
    retrievedAt: asIsoDate(wire.read_on),
    ...(wire.copied === true && { copied: true as const }),
    ...(wire.complete === true && { complete: true as const }),
    ...(wire.secondary === true && { secondary: true as const }),
    ...(wire.basis === undefined ? {} : { basis: wire.basis }),
    ...(wire.reason === undefined ? {} : { reason: wire.reason }),
    ...(wire.via === undefined ? {} : { via: wire.via }),
  };
}

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
