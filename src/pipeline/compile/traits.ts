/**
 * What a record allows to conclude: whether it is whole, and whether a version number below a recorded cycle means an
 * older version. Both are computed from the record; only that an own record is whole is stated in the curated file.
 */
import type { RecordScope, AttackSurface } from "../../model/index.ts";
import { leadingNumbers } from "../../resolve/version/parse.ts";
import type { StoredCycle, StoredProduct, StoredEnd, StoredTrack } from "../../catalogue/schema.ts";
import { lastStoredDay } from "../../catalogue/stored-values.ts";
import type { CuratedSurfaces, CuratedTracks } from "./curated.ts";

/** Whole, or known not to be. Absent in a curated file: not checked. */
export type StatedScope = "complete" | "partial" | undefined;

/**
 * How much of a product is recorded, as of the day of the content. A cycle `all` contains every version. The upstream record
 * lists every cycle; models are known one by one.
 */
export function recordScope(product: StoredProduct, stated: StatedScope, asOf: string): RecordScope {
  if (product.models) return "partial";
  if (product.record === "upstream" || stated === "complete") return "complete";
  const { cycles } = product;
  if (cycles.length === 1 && cycles[0]?.name === "all") return "complete";
  return cycles.every((cycle) => hasEnded(cycle, asOf)) ? "retired-only" : "partial";
}

export function hasEnded({ eol }: StoredCycle, asOf: string): boolean {
  if (eol === true) return true;
  const day = lastStoredDay(eol);
  return day !== undefined && day < asOf;
}

/** The scope that a file leaves out. */
export const defaultScope = ({ record, models }: StoredProduct): RecordScope =>
  record === "upstream" && !models ? "complete" : "partial";

/** Lowest first number of a calendar version: below it, numbers count releases. */
const FIRST_YEAR = 1900;

/**
 * Whether cycles are numbered in one scheme, and no higher number was released before a lower one. Needs two cycles: one
 * alone shows no order. A product whose numbers need a rule of its own is left out.
 */
export function isMonotonic({ cycles, rule, models }: StoredProduct): boolean {
  if (rule !== undefined || models || cycles.length < 2) return false;
  if (!cycles.every(({ name }) => /^\d+(?:\.\d+)*$/.test(name))) return false;
  const numbered = cycles
    .map(({ name, released }) => ({ numbers: leadingNumbers(name), released }))
    .toSorted((left, right) => compareAll(left.numbers, right.numbers));
  const years = numbered.filter(({ numbers: [major = 0] }) => major >= FIRST_YEAR).length;
  if (years !== 0 && years !== numbered.length) return false;
  return inOrder(firstOfEachMajor(numbered)) && [...Map.groupBy(numbered, majorOf).values()].every(inOrder);
}

interface Numbered {
  readonly numbers: readonly number[];
  readonly released: string | undefined;
}

const majorOf = ({ numbers }: Numbered): number => numbers[0] ?? 0;

/** The earliest known release of each first number, in the order of the numbers. */
function firstOfEachMajor(cycles: readonly Numbered[]): readonly Numbered[] {
  return [...Map.groupBy(cycles, majorOf)].map(([major, group]) => ({
    numbers: [major],
    released: group.flatMap(({ released }) => released ?? []).toSorted()[0],
  }));
}

/** Cycles without a release date are passed over. A month is in order with its own days. */
function inOrder(cycles: readonly Numbered[]): boolean {
  let last = "";
  for (const { released } of cycles) {
    if (released === undefined) continue;
    const length = Math.min(released.length, last.length);
    if (released.slice(0, length) < last.slice(0, length)) return false;
    last = released;
  }
  return true;
}

function compareAll(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

// How exposed a kind of product is: by slug, else by its most exposed tag, else by category.

const RANK: readonly AttackSurface[] = ["high", "elevated", "standard"];

export function attackSurface(
  table: CuratedSurfaces,
  product: { readonly slug: string; readonly category: string; readonly tags: readonly string[] },
): AttackSurface {
  const own = table.products[product.slug];
  if (own) return own;
  const byTags = product.tags.flatMap((tag) => table.tags[tag] ?? []);
  const classes = new Set([...byTags, table.categories[product.category] ?? "standard"]);
  return RANK.find((surface) => classes.has(surface)) ?? "standard";
}

// Support beyond the standard end, from the record's end of extended support. The curated table states who
// offers it and whether it is free. Without evidence it counts as paid, and no vendor is named.

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
