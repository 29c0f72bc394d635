/**
 * What a record allows to conclude: whether it is whole, and whether a version number below a recorded cycle means an
 * older version. Both are computed from the record; only that an own record is whole is stated in the curated file.
 */
import type { RecordScope } from "../../model/index.ts";
import { leadingNumbers } from "../../resolve/version/parse.ts";
import type { StoredCycle, StoredProduct } from "../../catalogue/schema.ts";
import { lastStoredDay } from "../../catalogue/ends.ts";

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

function hasEnded({ eol }: StoredCycle, asOf: string): boolean {
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
