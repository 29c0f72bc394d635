/**
 * New release cycles: of our own file, and from vendors' whole feeds. Of an own product, a feed counts where it is the table
 * that the product was read from; of a recorded product, until the record has them.
 */
import type { StoredCycle, StoredProduct } from "../../catalogue/schema.ts";
import { storeEnd } from "../../catalogue/stored-values.ts";
import { formatDate } from "../../messages/format.ts";
import type { ReadTables } from "../../catalogue/read-tables.ts";
import { type CompileContext, ownSource } from "./context.ts";
import { addDays, firstDay } from "../../lifecycle/days.ts";
import { asStatementDay } from "../../text/ids.ts";
import { compact } from "../../text/values.ts";
import type { SourceClaim } from "../sources/source.ts";
import { readIndex, type VendorReading } from "./vendor.ts";

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
