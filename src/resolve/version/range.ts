/**
 * Version ranges of package managers and tools as intervals of numbers: npm, Composer, PEP 440, RubyGems, Terraform,
 * Maven and NuGet. Where two of them differ (`~1.2`), the wider meaning is used, so that an interval contains every
 * version that the range admits.
 */
import { compareNumbers } from "./parse.ts";

/** The versions from `from` (empty: from the first one) to below `below` (undefined: no upper limit). */
export interface Interval {
  readonly from: readonly number[];
  readonly below: readonly number[] | undefined;
}

const MAX_LENGTH = 200;

/** Parses a range; one interval for each alternative that admits a version. Undefined when `text` is not a range. */
export function parseRange(text: string): readonly Interval[] | undefined {
  const range = text.trim().toLowerCase();
  if (range === "" || range.length > MAX_LENGTH) return undefined;
  const alternatives = /^[[(]/.test(range) ? brackets(range) : range.split(/\|\|?/).map(alternative);
  const intervals: Interval[] = [];
  for (const each of alternatives ?? [undefined]) {
    if (each === undefined) return undefined;
    if (!isEmpty(each)) intervals.push(each);
  }
  return intervals;
}

/** `14..15`, the name of what several cycles have in common, and npm's `14 - 15`. */
const BOUNDS = /^v?(\d+(?:\.\d+)*)(?:\.\.|\s+-\s+)v?(\d+(?:\.\d+)*)$/;

function alternative(text: string): Interval | undefined {
  const [, from, to] = BOUNDS.exec(text.trim()) ?? [];
  if (from !== undefined && to !== undefined) return { from: numbersOf(from), below: after(numbersOf(to)) };
  const constraints = text
    .replaceAll(/([<>=!~^])\s+/g, "$1")
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map(constraint);
  const [first, ...others] = constraints;
  return others.reduce((all, each) => (all && each ? intersect(all, each) : undefined), first);
}

const CONSTRAINT =
  /^(\^|~>|~=|~|>=|<=|>|<|={1,3}|!=)?v?(\d+(?:\.\d+)*)(?:(?:\.[x*])+|(\+))?(?:-?(?:a|b|c|rc|alpha|beta|dev|pre)[.\w-]*|-0)?$/;
const ANY: Interval = { from: [], below: undefined };

/** One comparison. An excluded version narrows nothing, because the interval may be wider than the range. */
function constraint(word: string): Interval | undefined {
  if (word === "*" || word === "x") return ANY;
  const [, operator = "", digits, plus] = CONSTRAINT.exec(word) ?? [];
  if (digits === undefined) return undefined;
  const numbers = numbersOf(digits);
  if (plus !== undefined) return operator === "" ? { from: numbers, below: undefined } : undefined;
  return OPERATORS[operator]?.(numbers);
}

const OPERATORS: Readonly<Record<string, (numbers: readonly number[]) => Interval>> = {
  ...Object.fromEntries(["", "=", "==", "==="].map((key) => [key, (n: readonly number[]) => upTo(n, n.length - 1)])),
  "!=": () => ANY,
  ">": (from) => ({ from, below: undefined }),
  ">=": (from) => ({ from, below: undefined }),
  "<": (below) => ({ from: [], below }),
  "<=": (numbers) => ({ from: [], below: after(numbers) }),
  "^": (numbers) => {
    const first = numbers.findIndex((number) => number > 0);
    return upTo(numbers, first < 0 ? numbers.length - 1 : first);
  },
  ...Object.fromEntries(
    ["~", "~>", "~="].map((key) => [key, (n: readonly number[]) => upTo(n, Math.max(0, n.length - 2))]),
  ),
};

/** Maven and NuGet: `[3.6,3.8)`, `[1.0]`, `(,2.0]`, and several of them. */
function brackets(range: string): readonly (Interval | undefined)[] {
  const pattern = /([[(])\s*(\d+(?:\.\d+)*)?\s*(,)?\s*(\d+(?:\.\d+)*)?\s*([\])])\s*(?:,\s*(?=[[(]))?/y;
  const intervals: (Interval | undefined)[] = [];
  while (pattern.lastIndex < range.length) {
    const match = pattern.exec(range);
    if (match === null) return [undefined];
    intervals.push(match[3] === undefined ? exactBracket(match) : pair(match));
  }
  return intervals;
}

function exactBracket([, open, exact, , , close]: RegExpExecArray): Interval | undefined {
  return open === "[" && close === "]" && exact !== undefined ? prefixInterval(numbersOf(exact)) : undefined;
}

function pair([, , low = "", , high = "", close]: RegExpExecArray): Interval {
  const to = close === ")" ? numbersOf(high) : after(numbersOf(high));
  return { from: numbersOf(low), below: high === "" ? undefined : to };
}

/** A version above all releases of an interval with an upper limit: 10.99999 of those below 11. Undefined without one. */
export function highestBelow({ below }: Interval): readonly number[] | undefined {
  const last = below?.findLastIndex((number) => number > 0) ?? -1;
  const limit = below?.[last];
  return limit === undefined ? undefined : [...(below ?? []).slice(0, last), limit - 1, 99_999];
}

/** The versions whose numbers begin with `numbers`. */
export const prefixInterval = (numbers: readonly number[]): Interval => upTo(numbers, numbers.length - 1);

/** From `numbers` to below the next value of the number at `index`. */
const upTo = (numbers: readonly number[], index: number): Interval => ({
  from: numbers,
  below: after(numbers.slice(0, index + 1)),
});

/** The first number after all versions that begin with `numbers`. */
export const after = (numbers: readonly number[]): readonly number[] => [
  ...numbers.slice(0, -1),
  (numbers.at(-1) ?? 0) + 1,
];

const numbersOf = (digits: string): readonly number[] => (digits === "" ? [] : digits.split(".").map(Number));

/** Negative, zero or positive; absent numbers are 0. */
const compare = (left: readonly number[], right: readonly number[]): number =>
  compareNumbers(left, right) || -compareNumbers(right, left);

const lower = (left: Interval["below"], right: Interval["below"]): Interval["below"] => {
  if (left === undefined || right === undefined) return left ?? right;
  return compare(left, right) <= 0 ? left : right;
};

/** The versions of both intervals. */
export const intersect = (left: Interval, right: Interval): Interval => ({
  from: compare(left.from, right.from) >= 0 ? left.from : right.from,
  below: lower(left.below, right.below),
});

/** Whether no version is in the interval. */
export const isEmpty = ({ from, below }: Interval): boolean => below !== undefined && compare(from, below) >= 0;

/** Whether every version of `inner` is in `outer`. */
export const contains = (outer: Interval, inner: Interval): boolean =>
  compare(outer.from, inner.from) <= 0 &&
  (outer.below === undefined || (inner.below !== undefined && compare(inner.below, outer.below) <= 0));
