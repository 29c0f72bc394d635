/**
 * Whether a fresh compilation may replace the last good catalogue (decisions, section 5): no loss of more than 5 % of the
 * lines; a line whose end moves by more than two years keeps its old word, beside the new one, until another source
 * confirms the new one.
 */
import { EolgateError } from "../../core/errors.ts";
import { daysBetween } from "../../core/lifecycle/days.ts";
import { readDate } from "../compile/ends.ts";
import type { StoredContent, StoredEnd, StoredCycle, StoredProduct, StoredClaim } from "../schema.ts";
import { SharedTables } from "../compile/tables.ts";
import { compact } from "../compile/products.ts";

/** Share of the lines that may be gone. */
export const LOSS_LIMIT = 0.05;
/** Days that an end may move. */
export const MOVE_LIMIT = 731;

export interface Quarantine {
  readonly product: string;
  readonly cycle: string;
  readonly kept: string;
  readonly moved: string;
}
export interface SanityResult {
  readonly content: StoredContent;
  readonly quarantined: readonly Quarantine[];
}

/** @throws Fault `catalogue`, code `update-shrunken`. */
export function checkUpdate(older: StoredContent, newer: StoredContent, origin: string): SanityResult {
  refuseLoss(older, newer, origin);
  const tables = SharedTables.of(newer);
  const quarantined: Quarantine[] = [];
  const products = Object.entries(newer.products).map(([slug, product]) => {
    const before = older.products[slug];
    if (before === undefined) return [slug, product] as const;
    const lines = new Map(before.lines.map((line) => [line.name, line]));
    const checked = product.lines.map((line) => {
      const old = lines.get(line.name);
      const held = old && holdBack(product, line, old, older, before, tables);
      if (held) quarantined.push({ product: slug, cycle: line.name, kept: String(old?.eol), moved: String(line.eol) });
      return held ?? line;
    });
    return [slug, { ...product, lines: checked }] as const;
  });
  const content = {
    ...newer,
    products: Object.fromEntries(products),
    addresses: tables.addresses,
    reads: tables.reads,
  };
  return { content, quarantined };
}

function refuseLoss(older: StoredContent, newer: StoredContent, origin: string): void {
  let [lines, lost] = [0, 0];
  for (const [slug, product] of Object.entries(older.products)) {
    const names = new Set(newer.products[slug]?.lines.map(({ name }) => name));
    lines += product.lines.length;
    lost += product.lines.filter(({ name }) => !names.has(name)).length;
  }
  if (lost <= lines * LOSS_LIMIT) return;
  throw EolgateError.of(
    "update-shrunken",
    { lost, cycles: lines, limit: LOSS_LIMIT * 100 },
    { where: origin, facts: { lines, lost } },
  );
}

/** The line with its old word served and the new one beside it, when the record's end moved too far. */
function holdBack(
  product: StoredProduct,
  line: StoredCycle,
  old: StoredCycle,
  older: StoredContent,
  before: StoredProduct,
  tables: SharedTables,
): StoredCycle | undefined {
  if (!movesFar(old.eol, line.eol) || confirmed(line)) return undefined;
  const oldRead = older.reads[old.read ?? before.read];
  if (oldRead === undefined || old.eol === undefined || line.eol === undefined) return undefined;
  const { page, ...read } = oldRead;
  const kept = tables.read({ ...read, url: older.addresses[page] ?? "" });
  const moved: StoredClaim = [line.read ?? product.read, line.eol];
  return compact({ ...line, eol: old.eol, read: kept === product.read ? undefined : kept, quarantined: [moved] });
}

function movesFar(before: StoredEnd | undefined, after: StoredEnd | undefined): boolean {
  if (typeof before !== "string" || typeof after !== "string") return false;
  const [from, to] = [readDate(before).value, readDate(after).value];
  return Math.abs(daysBetween(from, to)) > MOVE_LIMIT;
}

/** Somebody else states the moved day too. */
function confirmed({ eol, also = [] }: StoredCycle): boolean {
  return also.some(([, end]) => typeof end === "string" && typeof eol === "string" && sameStored(end, eol));
}

function sameStored(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  return a.slice(0, shorter) === b.slice(0, shorter);
}
