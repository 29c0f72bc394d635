/** Consistency checks: names, the order of dates, the release cycles of a product. */
import type { StoredContent, StoredCycle, StoredProduct, StoredClaim } from "../../catalogue/schema.ts";
import { lastStoredDay, storeEnd } from "../../catalogue/stored-values.ts";
import { formatDate } from "../../messages/format.ts";
import type { ReadTables } from "../../catalogue/read-tables.ts";
import { type CompileContext, address, ownSource } from "./context.ts";
import { OWN_SOURCE, type Problems } from "../problems.ts";
import { extendedTrack } from "./traits.ts";
import { addDays, firstDay } from "../../lifecycle/days.ts";
import { asStatementDay } from "../../text/ids.ts";
import { compact } from "../../text/values.ts";
import type { SourceClaim } from "../sources/source.ts";
import { readIndex, type VendorReading } from "./vendor.ts";

/** One slug or alias, one product. Titles may repeat: names without a purl are then refused as ambiguous. */
export function checkNames(names: StoredContent["names"], problems: Problems): void {
  const owner = new Map<string, string>();
  for (const [slug, [, ...aliases]] of Object.entries(names)) {
    for (const name of [slug, ...aliases]) {
      const known = owner.get(name);
      if (known !== undefined && known !== slug)
        problems.refuse("name-clash", name, `${name} names ${known} and ${slug}`);
      owner.set(name, slug);
    }
  }
}

const ENDS = ["eol", "eoas", "eoes"] as const;

/** No duplicate cycle, and no end before its release unless a curated decision drops the wrong date. */
export function checkDates(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const seen = new Set<string>();
  const cycles = product.cycles.map((cycle) => {
    const where = `${slug}:${cycle.name}`;
    if (seen.has(cycle.name)) context.problems.refuse("duplicate-cycle", where, `${where} is recorded twice`);
    seen.add(cycle.name);
    const decided = withDecisions(context, slug, cycle);
    const { released } = decided;
    for (const field of ENDS) {
      const end = lastStoredDay(decided[field]);
      // A release known by its month may fall on any of its days.
      if (released !== undefined && end !== undefined && end < firstDay(asStatementDay(released)))
        context.problems.refuse(
          "end-before-release",
          where,
          `${where} ends (${field} ${end}) before its release ${released}`,
        );
    }
    return decided;
  });
  return { ...product, cycles };
}

function withDecisions({ curated, problems }: CompileContext, slug: string, storedCycle: StoredCycle): StoredCycle {
  const decisions = curated.decisions.dates.filter(
    ({ product, cycle }) => product === slug && cycle === storedCycle.name,
  );
  return decisions.reduce((decided, { field, drop, why }) => {
    if (decided[field] !== drop) {
      problems.note("decision-of-nothing", `${slug}:${storedCycle.name}`, `${field} is not ${drop} any more: ${why}`);
      return decided;
    }
    const { [field]: _, ...rest } = decided;
    problems.note("date-dropped", `${slug}:${storedCycle.name}`, `${field} ${drop}: ${why}`);
    return rest;
  }, storedCycle);
}

// Overrides and human checks: curated claims on single release cycles, each with its page, day and reason.

export function withCorrections(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const corrections = context.curated.corrections.filter((correction) => correction.product === slug);
  if (corrections.length === 0) return product;
  const known = new Set(product.cycles.map(({ name }) => name));
  for (const { cycle } of corrections)
    if (!known.has(cycle))
      context.problems.refuse(
        "unknown-cycle",
        `${slug}:${cycle}`,
        `corrections.json corrects ${slug}:${cycle}, which is in no record`,
      );
  const cycles = product.cycles.map((storedCycle) => {
    const claims = corrections
      .filter(({ cycle }) => cycle === storedCycle.name)
      .map(({ kind, page, on, reason, eol }): StoredClaim => {
        const url = address(context, slug, page);
        return [context.tables.read({ kind, source: "eolgate", url, on, reason }), eol];
      });
    return claims.length === 0 ? storedCycle : { ...storedCycle, also: [...(storedCycle.also ?? []), ...claims] };
  });
  return { ...product, cycles };
}

/**
 * The last cycles of closed branches. A version above one is older than the next major version, so a branch that released
 * after that had ended cannot be closed: the end would be "no later than" a day before the release of an older version.
 */
export function withClosedBranches(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const row = context.curated.milestones.closed?.[slug];
  if (row === undefined) return product;
  address(context, slug, row.page);
  for (const name of row.cycles) {
    const where = `${slug}:${name}`;
    const at = product.cycles.findIndex((cycle) => cycle.name === name);
    const [released, next] = [product.cycles[at]?.released, lastStoredDay(product.cycles[at - 1]?.eol)];
    if (at < 0) context.problems.refuse("unknown-cycle", where, "milestones.json closes a branch that is not recorded");
    else if (released !== undefined && next !== undefined && next < firstDay(asStatementDay(released)))
      context.problems.refuse(
        "branch-not-closed",
        where,
        `${where} was released after the next cycle ended on ${next}`,
      );
  }
  return { ...product, closed: row.cycles };
}

// Ends of extended support from our own file, for cycles of which the upstream record states none.

export function withExtendedSupport(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const { curated, tables, problems } = context;
  const { reads, rows } = curated.extendedSupport;
  const own = new Map(rows.filter(([of]) => of === slug).map(([, cycle, eoes, read]) => [cycle, { eoes, read }]));
  if (own.size === 0) return product;
  const cycles = product.cycles.map((cycle) => {
    const row = own.get(cycle.name);
    own.delete(cycle.name);
    if (row === undefined) return cycle;
    const where = `${slug}:${cycle.name}`;
    if (cycle.eoes !== undefined) {
      problems.note(
        "recorded-upstream",
        where,
        "the record states the end of extended support now: our own row gives way",
      );
      return cycle;
    }
    const page = reads[row.read];
    if (page === undefined) {
      problems.refuse("no-source", where, `extended-support.json has no read ${row.read}`);
      return cycle;
    }
    const { page: url, on, via } = page;
    const read = tables.read({
      kind: "custom",
      source: OWN_SOURCE,
      url: address(context, slug, url),
      on,
      basis: "stated",
      ...(via !== undefined && { via }),
    });
    const owner = { slug, cycle: cycle.name, tags: product.tags ?? [], label: undefined };
    const tracks = extendedTrack(curated.tracks, owner, row.eoes).map((track) => ({ ...track, read }));
    return { ...cycle, eoes: row.eoes, tracks: [...(cycle.tracks ?? []), ...tracks] };
  });
  for (const cycle of own.keys())
    problems.refuse("unknown-cycle", `${slug}:${cycle}`, "extended-support.json names a cycle that is not recorded");
  return { ...product, cycles };
}

// New release cycles from vendors' whole feeds: of an own product, where the feed is the table that it was read from, and
// of a recorded product, until the record has them.

export function withFeedCycles(
  slug: string,
  product: StoredProduct,
  readings: readonly VendorReading[],
  tables: ReadTables,
): StoredProduct {
  if (product.parts || product.models) return product;
  const page = tables.addresses[tables.reads[product.read]?.page ?? -1] ?? "";
  const known = new Set(product.cycles.map(({ name }) => name));
  const isTable = ({ pages }: VendorReading) => pages.some((start) => page.startsWith(start));
  const added = readings
    .filter((reading) => reading.extent === "whole" && (product.record === "upstream" || isTable(reading)))
    .flatMap((reading) => cyclesOf(slug, reading, tables).filter(({ name }) => !known.has(name) && known.add(name)));
  const missing = product.record === "upstream" ? added.filter((cycle) => isNext(cycle, product)) : added;
  return missing.length === 0 ? product : { ...product, cycles: missing.reduce(inserted, product.cycles) };
}

/**
 * A cycle that the record does not have yet: released after every recorded one, with a name of their form. An older one
 * may be left out, or have another name there.
 */
function isNext({ name, released = "" }: StoredCycle, { cycles }: StoredProduct): boolean {
  return (
    cycles.some((cycle) => form(cycle.name) === form(name)) &&
    cycles.every((cycle) => (cycle.released ?? "") < released)
  );
}

/** `3.11` and `4.2` have one form. */
const form = (text: string): string => text.replaceAll(/\d+/g, "0");

/** Release cycles of our own file for a recorded product, until the record has them. */
export function withAddedCycles(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const { curated, problems } = context;
  const cycles = curated.addedCycles.rows
    .filter((row) => row.product === slug)
    .reduce<readonly StoredCycle[]>((known, row) => {
      const { product: _, cycle: name, read: index = 0, ...fields } = row;
      const where = `${slug}:${name}`;
      if (known.some((cycle) => cycle.name === name)) {
        problems.note("recorded-upstream", where, "the record has the cycle now: our own row gives way");
        return known;
      }
      const read = curated.addedCycles.reads[index];
      if (read === undefined) problems.refuse("no-source", where, `added-cycles.json has no read ${index}`);
      return read === undefined
        ? known
        : inserted(known, { name, ...fields, read: ownSource(context, slug, { ...read, basis: "stated" }) });
    }, product.cycles);
  return { ...product, cycles };
}

function cyclesOf(slug: string, reading: VendorReading, tables: ReadTables): readonly StoredCycle[] {
  const ofProduct = reading.claims.filter(({ product }) => product === slug);
  return [...Map.groupBy(ofProduct, ({ cycle }) => cycle)].flatMap(([name, claims]) => {
    const [first] = claims;
    const [released] = claims.flatMap((claim) => (claim.field === "releaseDate" ? [claim.date] : []));
    // A release that is planned for later is not a release cycle yet, and neither is what was never released.
    if (first === undefined || released === undefined || released.value > lastPlanned(reading)) return [];
    const cycle = compact({
      name,
      released: formatDate(released),
      eoas: endOf(claims, "eoas"),
      eol: endOf(claims, "eol"),
      eoes: endOf(claims, "eoes"),
      read: readIndex(tables, reading, first),
    });
    return [cycle];
  });
}

/** Days after the reading within which a planned release counts: it is out before the next catalogue. */
const PLANNED_DAYS = 31;
const lastPlanned = ({ readOn }: VendorReading): string => addDays(firstDay(asStatementDay(readOn)), PLANNED_DAYS);

function endOf(claims: readonly SourceClaim[], field: "eoas" | "eol" | "eoes") {
  const claim = claims.find((each) => each.field === field);
  return claim && "end" in claim ? storeEnd(claim.end) : undefined;
}

/** Before the first cycle that was released earlier. */
function inserted(cycles: readonly StoredCycle[], cycle: StoredCycle): readonly StoredCycle[] {
  const at = cycles.findIndex(({ released }) => released !== undefined && released < (cycle.released ?? ""));
  return at === -1 ? [...cycles, cycle] : cycles.toSpliced(at, 0, cycle);
}
