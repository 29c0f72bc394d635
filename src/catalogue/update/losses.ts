/** Records that an update may not lose, and how many it may add. The job that signs a channel asks the same. */
import { EolgateError } from "../../messages/error.ts";
import { compareNumbers, leadingNumbers } from "../../resolve/version/parse.ts";
import { getOwn } from "../../text/values.ts";
import { SECTION_FORMS, SECTION_NAMES, toFileSections } from "../format/sections.ts";
import type { StoredContent } from "../schema.ts";

/** Share of a table's records that may be gone. */
export const LOSS_LIMIT = 0.05;
/** So many lost names and identifiers are accepted in tables of any size: they change with single products. */
const ACCEPTED_LOSS = 2;
/** Tables in which no loss beyond the share is accepted. */
const MAIN_TABLES: ReadonlySet<string> = new Set(["products", "cycles"]);
/** Share of one product's cycles that may be gone, for products with at least `LARGE_PRODUCT` cycles. */
const PRODUCT_LOSS_LIMIT = 0.5;
const LARGE_PRODUCT = 10;

/**
 * @param trusted - The catalogue of this release: to lose what it does not have is a return to it
 * @throws EolgateError `catalogue`, code `update-shrunken` or `update-grown`.
 */
export function refuseLosses(
  older: StoredContent,
  newer: StoredContent,
  origin: string,
  trusted: StoredContent = older,
): void {
  const [before, after, known] = [tablesOf(older), tablesOf(newer), tablesOf(trusted)];
  for (const [table, keys] of before) {
    const lost = countMissing(keys, after.get(table) ?? new Set(), known.get(table) ?? new Set());
    const accepted = MAIN_TABLES.has(table) ? 0 : ACCEPTED_LOSS;
    if (lost > Math.max(accepted, keys.size * LOSS_LIMIT))
      throw shrunken({ table, lost, total: keys.size }, LOSS_LIMIT, origin);
  }
  for (const [slug, { cycles }] of Object.entries(older.products)) {
    const [names, knownNames] = [newer, trusted].map(
      ({ products }) => new Set(getOwn(products, slug)?.cycles.map(({ name }) => name)),
    );
    const lost = cycles.filter(({ name }) => knownNames?.has(name) === true && names?.has(name) !== true).length;
    if (cycles.length >= LARGE_PRODUCT && lost > cycles.length * PRODUCT_LOSS_LIMIT)
      throw shrunken({ table: `cycles of ${slug}`, lost, total: cycles.length }, PRODUCT_LOSS_LIMIT, origin);
  }
  refuseGrowth(before, after, origin);
}

/** A registry withdraws few versions. @throws EolgateError `catalogue`, code `update-shrunken`. */
export function refuseOlderVersions(
  older: StoredContent,
  newer: StoredContent,
  origin: string,
  trusted: StoredContent = older,
): void {
  const before = Object.entries(older.newestVersions);
  const lost = before.filter(([key, row]) => {
    const offered = newer.newestVersions[key];
    if (offered === undefined || offered === trusted.newestVersions[key]) return false;
    return compareNumbers(leadingNumbers(offered), leadingNumbers(row)) < 0;
  }).length;
  const table = "newest versions, in favour of older ones,";
  if (lost > before.length * LOSS_LIMIT) throw shrunken({ table, lost, total: before.length }, LOSS_LIMIT, origin);
}

/** A table may grow by this share of its records, and small ones by this number. */
export const GROWTH_LIMIT = 0.5;
const ACCEPTED_GROWTH = 500;

/** Refuses a catalogue with many more records: each of them is read by every later command. @throws `update-grown` */
function refuseGrowth(before: Tables, after: Tables, where: string): void {
  for (const [table, keys] of after) {
    const total = before.get(table)?.size ?? 0;
    const added = keys.size - total;
    if (added <= Math.max(ACCEPTED_GROWTH, total * GROWTH_LIMIT)) continue;
    const problem = `${added} records would be added to ${total} ${table}, more than ${GROWTH_LIMIT * 100} %`;
    throw EolgateError.of("update-grown", { problem }, { where, details: { table, added, total } });
  }
}

type Tables = ReadonlyMap<string, ReadonlySet<string>>;

/** The keys of every table of the file, and two tables inside the products: cycles and known exploited vulnerabilities. */
function tablesOf(content: StoredContent): Tables {
  // Only the keys count: rows are not packed for them.
  const { products: _, purls: _purls, ...others } = toFileSections({ ...content, products: {}, purls: {}, reads: [] });
  const sections = { ...others, products: content.products, purls: content.purls };
  const tables = new Map<string, ReadonlySet<string>>();
  for (const name of SECTION_NAMES)
    if (SECTION_FORMS[name] === "records") tables.set(name, new Set(Object.keys(sections[name])));
  const products = Object.entries(content.products);
  tables.set("cycles", new Set(products.flatMap(([slug, { cycles }]) => cycles.map(({ name }) => `${slug} ${name}`))));
  tables.set("KEV entries", new Set(products.flatMap(([slug, { kev = [] }]) => kev.map(([cve]) => `${slug} ${cve}`))));
  return tables;
}

function countMissing(keys: ReadonlySet<string>, present: ReadonlySet<string>, known: ReadonlySet<string>): number {
  let missing = 0;
  for (const key of keys) if (!present.has(key) && known.has(key)) missing += 1;
  return missing;
}

interface Loss {
  readonly table: string;
  readonly lost: number;
  readonly total: number;
}

function shrunken(loss: Loss, limit: number, where: string): EolgateError {
  const problem = `${loss.lost} of ${loss.total} ${loss.table} would be lost, more than ${limit * 100} %`;
  return EolgateError.of("update-shrunken", { problem }, { where, details: { ...loss } });
}
