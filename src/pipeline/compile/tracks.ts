/**
 * Support beyond the standard end, from the record's end of extended support. The curated table states who
 * offers it and whether it is free. Without evidence it counts as paid, and no vendor is named.
 */
import type { StoredEnd, StoredTrack } from "../../catalogue/schema.ts";
import type { CuratedTracks } from "./curated.ts";

export interface TrackOwner {
  readonly slug: string;
  readonly cycle: string;
  readonly tags: readonly string[];
  /** What the record calls the field, e.g. `Extended Security Updates`. */
  readonly label: string | undefined;
}

export function extendedTrack(table: CuratedTracks, owner: TrackOwner, eoes: StoredEnd | undefined): StoredTrack[] {
  // True: it ended on an unpublished date. Absent: the cycle has none.
  if (eoes === undefined || eoes === true) return [];
  const end = eoes === false ? null : eoes;
  const known = table.products[owner.slug];
  if (known) return [{ name: known.name, vendor: known.vendor, cost: known.cost, end }];
  const label = owner.label ?? "Extended Support";
  const name = table.names[label] ?? label;
  const here = table.vendorsByCycle[`${owner.slug}:${owner.cycle}`];
  if (here) return here.map((vendor) => ({ name, vendor, cost: "paid", end }));
  const vendor = owner.tags.map((tag) => table.vendorsByTag[tag]).find((each) => each !== undefined);
  return [{ name, vendor: vendor ?? null, cost: "paid", end }];
}
