/**
 * Whether a new catalogue may replace the one in use, on whatever path it came: read from sources, from a channel, from a
 * server, or imported. docs/catalogue.md lists the limits.
 */
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { StoredContent } from "../schema.ts";
import { quarantineMoves, type Quarantine, GrowingTables } from "./moves.ts";
import { SECTION_FORMS, SECTION_NAMES, toFileSections } from "../format/sections.ts";
import { effectiveEnd } from "../../lifecycle/ends.ts";
import type { End } from "../../model/index.ts";
import { decodeEolClaims } from "../decode.ts";

export interface SanityOptions {
  /** Named in errors. */
  readonly origin: string;
  readonly today: IsoDate;
  /** Accept lost records, and ended cycles that are supported again, beyond the limits. */
  readonly allowLoss?: boolean | undefined;
  readonly allowDateChanges?: boolean | undefined;
}

export interface SanityResult {
  /** The new content, with moved ends replaced by those in use. */
  readonly content: StoredContent;
  readonly quarantined: readonly Quarantine[];
}

/**
 * @throws EolgateError `catalogue`, code `catalogue-from-future`, `update-shrunken`, `update-dates`.
 */
export function checkUpdate(older: StoredContent, newer: StoredContent, options: SanityOptions): SanityResult {
  const { origin, today } = options;
  if (newer.metadata.date > today)
    throw EolgateError.of("catalogue-from-future", { date: newer.metadata.date, today }, { where: origin });
  if (options.allowLoss !== true) refuseLosses(older, newer, origin);
  const checked = quarantineMoves(older, newer, today);
  if (options.allowDateChanges !== true) {
    checked.refuseTooMany(origin);
    refuseRevivals(older, checked.content, options);
  }
  return { content: checked.content, quarantined: checked.quarantined };
}

// Records that the new catalogue no longer contains, counted for each table and for each product.

/** Share of a table's records that may be gone. */
export const LOSS_LIMIT = 0.05;
/** So many lost names and identifiers are accepted in tables of any size: they change with single products. */
const ACCEPTED_LOSS = 2;
/** Tables in which no loss beyond the share is accepted. */
const MAIN_TABLES: ReadonlySet<string> = new Set(["products", "cycles"]);
/** Share of one product's cycles that may be gone, for products with at least `LARGE_PRODUCT` cycles. */
const PRODUCT_LOSS_LIMIT = 0.5;
const LARGE_PRODUCT = 10;

/** @throws EolgateError `catalogue`, code `update-shrunken`. */
export function refuseLosses(older: StoredContent, newer: StoredContent, origin: string): void {
  const [before, after] = [tablesOf(older), tablesOf(newer)];
  for (const [table, keys] of before) {
    const lost = countMissing(keys, after.get(table) ?? new Set());
    const accepted = MAIN_TABLES.has(table) ? 0 : ACCEPTED_LOSS;
    if (lost > Math.max(accepted, keys.size * LOSS_LIMIT))
      throw shrunken({ table, lost, total: keys.size }, LOSS_LIMIT, origin);
  }
  for (const [slug, { cycles }] of Object.entries(older.products)) {
    const names = new Set(newer.products[slug]?.cycles.map(({ name }) => name));
    const lost = cycles.filter(({ name }) => !names.has(name)).length;
    if (cycles.length >= LARGE_PRODUCT && lost > cycles.length * PRODUCT_LOSS_LIMIT)
      throw shrunken({ table: `cycles of ${slug}`, lost, total: cycles.length }, PRODUCT_LOSS_LIMIT, origin);
  }
}

/** The keys of every table of the file, and two tables inside the products: cycles and known exploited vulnerabilities. */
function tablesOf(content: StoredContent): ReadonlyMap<string, ReadonlySet<string>> {
  const sections = toFileSections(content);
  const tables = new Map<string, ReadonlySet<string>>();
  for (const name of SECTION_NAMES)
    if (SECTION_FORMS[name] === "records") tables.set(name, new Set(Object.keys(sections[name])));
  const products = Object.entries(content.products);
  tables.set("cycles", new Set(products.flatMap(([slug, { cycles }]) => cycles.map(({ name }) => `${slug} ${name}`))));
  tables.set("KEV entries", new Set(products.flatMap(([slug, { kev = [] }]) => kev.map(([cve]) => `${slug} ${cve}`))));
  return tables;
}

function countMissing(keys: ReadonlySet<string>, present: ReadonlySet<string>): number {
  let missing = 0;
  for (const key of keys) if (!present.has(key)) missing += 1;
  return missing;
}

interface Loss {
  readonly table: string;
  readonly lost: number;
  readonly total: number;
}

function shrunken(loss: Loss, limit: number, where: string): EolgateError {
  return EolgateError.of("update-shrunken", { ...loss, percent: limit * 100 }, { where, details: { ...loss } });
}

// Cycles that had ended and would be supported again: the change that lets a gate pass without a reason.

/** Share of the ended cycles that may be supported again. */
export const REVIVAL_LIMIT = 0.01;
/** In small catalogues a few are accepted whatever their share. */
const ACCEPTED_REVIVALS = 2;

export interface RevivalContext {
  readonly origin: string;
  readonly today: IsoDate;
}

/** @throws EolgateError `catalogue`, code `update-dates`. */
export function refuseRevivals(older: StoredContent, newer: StoredContent, { origin, today }: RevivalContext): void {
  const after = endedCycles(newer, today);
  let [ended, revived] = [0, 0];
  let example: string | undefined;
  for (const [cycle, isEnded] of endedCycles(older, today)) {
    if (!isEnded) continue;
    ended += 1;
    if (after.get(cycle) !== false) continue;
    revived += 1;
    example ??= cycle;
  }
  if (revived <= ACCEPTED_REVIVALS || revived <= ended * REVIVAL_LIMIT) return;
  const details = { revived, ended };
  const problem = `${revived} of ${ended} ended cycles would be supported again, more than 1 % (${example ?? ""})`;
  throw EolgateError.of("update-dates", { problem }, { where: origin, details });
}

/** Cycle → whether it has ended. Cycles that the catalogue does not contain are lost, not revived. */
function endedCycles(content: StoredContent, today: IsoDate): ReadonlyMap<string, boolean> {
  const { references } = new GrowingTables(content);
  return new Map(
    Object.entries(content.products).flatMap(([slug, { cycles, read }]) =>
      cycles.map((cycle): [string, boolean] => [
        `${slug} ${cycle.name}`,
        hasEnded(effectiveEnd(decodeEolClaims(cycle, read, references)), today),
      ]),
    ),
  );
}

const hasEnded = (end: End, today: IsoDate): boolean =>
  end.kind === "ended" || (end.kind === "dated" && end.date.value < today);
