/**
 * Vendors' own claims in addition to the record's. A reading of a whole answer confirms or contradicts; one that is only an excerpt or a
 * transcription of the vendor's answer can object, never confirm, so where it agrees it is left out.
 */
import { compact } from "../../text/values.ts";
import { isStatementDay } from "../../text/ids.ts";
import { daysBetween, firstDay } from "../../lifecycle/days.ts";
import { sameEnd } from "../../lifecycle/ends.ts";
import type { End } from "../../model/index.ts";
import type { SourceClaim } from "../sources/source.ts";
import type { StoredCycle, StoredProduct, StoredClaim, StoredTrack } from "../../catalogue/schema.ts";
import { readEnd, storeEnd } from "../../catalogue/stored-values.ts";
import { formatDate } from "../../messages/format.ts";
import type { ReadTables } from "../../catalogue/read-tables.ts";
import { partOfRow } from "../problems.ts";

export interface VendorReading {
  readonly source: string;
  /** Who makes the claims: of two readings of one origin the newer replaces the older. */
  readonly origin: string;
  readonly url: string;
  /** The day the text was read at the vendor's. */
  readonly readOn: string;
  /** The day of the content, as the server states it; null: it does not. Absent: the same as `readOn`. */
  readonly contentOn?: string | null;
  readonly extent: "whole" | "excerpt";
  /** Beginnings of the addresses that show the vendor's table: see `feedTables`. */
  readonly pages: readonly string[];
  readonly claims: readonly SourceClaim[];
}

/** Statements of vendors, by `slug\ncycle`. */
export type VendorClaims = ReadonlyMap<string, readonly VendorClaim[]>;
interface VendorClaim {
  readonly reading: VendorReading;
  readonly claim: SourceClaim;
}

export function vendorClaims(readings: readonly VendorReading[]): VendorClaims {
  const claims = new Map<string, VendorClaim[]>();
  for (const reading of readings) {
    for (const claim of reading.claims) {
      const key = `${claim.product}\n${claim.cycle}`;
      const known = claims.get(key);
      if (known) known.push({ reading, claim });
      else claims.set(key, [{ reading, claim }]);
    }
  }
  return claims;
}

export function withVendors(
  slug: string,
  product: StoredProduct,
  claims: VendorClaims,
  tables: ReadTables,
): StoredProduct {
  const byPart = Map.groupBy(product.parts ? product.cycles : [], ({ name }) => partOfRow(name));
  return {
    ...product,
    cycles: product.cycles.map((cycle) => {
      const part = partOfRow(cycle.name);
      // A list of packages names no release cycle: it is about the only one that a package has.
      const whole = byPart.get(part)?.length === 1 ? claims.get(`${slug}\n${part}@all`) : undefined;
      const stated = claims.get(`${slug}\n${cycle.name}`) ?? whole;
      if (stated === undefined) return cycle;
      const recordRead = tables.reads[cycle.read ?? product.read]?.on ?? "";
      const current = stated.filter((claim) => !isOutdated(claim, recordRead));
      return withClaims(cycle, current, tables, recordRead);
    }),
  };
}

/** Days after which an excerpt no longer objects to a record that was read since. */
const OBJECTION_DAYS = 365;

function isOutdated({ reading: { extent, readOn } }: VendorClaim, recordRead: string): boolean {
  if (extent !== "excerpt" || !isStatementDay(readOn) || !isStatementDay(recordRead)) return false;
  return daysBetween(firstDay(readOn), firstDay(recordRead)) > OBJECTION_DAYS;
}

function withClaims(
  cycle: StoredCycle,
  claims: readonly VendorClaim[],
  tables: ReadTables,
  recordRead: string,
): StoredCycle {
  const statements = (field: "eol" | "eoas" | "eoes") =>
    newestOfEachOrigin(claims.filter(({ claim }) => claim.field === field)).flatMap(
      ({ claim, reading }): StoredClaim[] => {
        if (claim.field !== field) return [];
        const stored = storeEnd(claim.end);
        // A vendor that states no end makes no claim.
        if (stored === undefined || stored === false) return [];
        if (reading.extent === "excerpt" && !objects(readEnd(cycle[field]), claim.end)) return [];
        const read = readIndex(tables, reading, claim);
        // A cycle that the feed itself added has this claim as its own.
        return read === cycle.read ? [] : [[read, stored]];
      },
    );
  const also = [...(cycle.also ?? []), ...distinct(statements("eol"))];
  const tracks = newestOfEachOrigin(claims).flatMap((claim) => storedTrack(claim, tables));
  return compact({
    ...cycle,
    ...notBefore(cycle, claims, tables, recordRead),
    also: also.length > 0 ? also : undefined,
    alsoEoas: some(distinct(statements("eoas"))),
    alsoEoes: some(distinct(statements("eoes"))),
    tracks: some(mergeTracks(cycle.tracks ?? [], tracks)),
  });
}

/** A vendor's newer claim replaces its older one; two addresses read on one day are both kept. */
function newestOfEachOrigin(claims: readonly VendorClaim[]): readonly VendorClaim[] {
  return claims.filter(
    ({ reading }) =>
      !claims.some(({ reading: other }) => other.origin === reading.origin && other.readOn > reading.readOn),
  );
}

/** An excerpt can object to a dated record only; it cannot supply a missing date. */
function objects(record: End, vendor: End): boolean {
  return record.kind === "dated" && vendor.kind === "dated" && !sameEnd(record, vendor);
}

export function readIndex(
  tables: ReadTables,
  { source, url, readOn, contentOn, extent }: VendorReading,
  { basis }: SourceClaim,
): number {
  const objection = extent === "excerpt" ? { objection: true as const } : {};
  const content = contentOn === undefined || contentOn === readOn ? {} : { content: contentOn };
  return tables.read({ kind: "vendor-feed", source, url, on: readOn, ...content, basis, ...objection });
}

/** The lower bound that was read last: of the record, or of a feed. */
function notBefore(
  cycle: StoredCycle,
  claims: readonly VendorClaim[],
  tables: ReadTables,
  recordRead: string,
): Pick<StoredCycle, "notBefore" | "notBeforeRead"> {
  for (const { claim, reading } of newestOfEachOrigin(claims))
    if (claim.field === "notBefore" && (cycle.notBefore === undefined || reading.readOn > recordRead))
      return { notBefore: formatDate(claim.date), notBeforeRead: readIndex(tables, reading, claim) };
  return {};
}

function storedTrack({ reading, claim }: VendorClaim, tables: ReadTables): StoredTrack[] {
  if (claim.field !== "track") return [];
  const { name, vendor, cost, end } = claim.track;
  return [
    {
      name,
      vendor: vendor === "" ? null : vendor,
      cost,
      end: end && formatDate(end),
      read: readIndex(tables, reading, claim),
    },
  ];
}

const isSame = (one: StoredTrack, other: StoredTrack): boolean =>
  one.name === other.name || (one.end !== null && one.end === other.end && one.cost === other.cost);

/**
 * One row per track: the record's rows stay, vendors add those that it does not have. The same end at the same cost is
 * one track, and the record's row without a vendor gives way to the vendor's own.
 */
function mergeTracks(record: readonly StoredTrack[], vendor: readonly StoredTrack[]): readonly StoredTrack[] {
  const kept = record.filter((track) => track.vendor !== null || !vendor.some((other) => isSame(track, other)));
  const names = new Set<string>();
  const added = vendor.filter((track) => !kept.some((other) => isSame(track, other)));
  return [...kept, ...added.filter(({ name }) => !names.has(name) && names.add(name))];
}

/** Several documents of one feed may repeat a claim. */
function distinct(statements: readonly StoredClaim[]): readonly StoredClaim[] {
  return [...new Map(statements.map((statement) => [statement.join("\n"), statement])).values()];
}

function some<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length > 0 ? values : undefined;
}
