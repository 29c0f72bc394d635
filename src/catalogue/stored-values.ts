/** Ends and dates between the model's form and the file's, where a date is the text of `formatDate`, and rows of newest versions. */
import { lastDay } from "../lifecycle/days.ts";
import { formatDate } from "../messages/format.ts";
import { asIsoDate } from "../text/ids.ts";
import type { End, LifecycleDate, ListedVersion } from "../model/index.ts";
import type { StoredDate, StoredEnd } from "./schema.ts";
import type { KevRange } from "../model/kev.ts";

export function storeEnd(end: End | undefined): StoredEnd | undefined {
  switch (end?.kind) {
    case "dated":
      return formatDate(end.date);
    case "ended":
      return true;
    case "open":
      return false;
    case "unknown":
    case undefined:
      return undefined;
  }
}

/** A regular expression of what `readDate` reads; of days, only the form. */
export const STORED_DATE = "^(\\d{4}-\\d{2}-\\d{2}|~?\\d{4}-(0[1-9]|1[0-2])|\\d{4}-Q[1-4])$";

/** `2024-06`, `~2024-06` and `2024-Q2` become the last day of June, which is what they mean in arithmetic. */
export function readDate(stored: StoredDate): LifecycleDate {
  const [, about, year = "", quarter, month] = /^(~?)(\d{4})-(?:Q([1-4])|(0[1-9]|1[0-2]))$/.exec(stored) ?? [];
  if (year === "") return { value: asIsoDate(stored), precision: "day" };
  const precision = quarter ? "quarter" : about ? "about" : "month";
  const within = asIsoDate(`${year}-${month ?? String(Number(quarter) * 3).padStart(2, "0")}-01`);
  return { value: lastDay({ value: within, precision }), precision };
}

export function readEnd(stored: StoredEnd | undefined): End {
  if (stored === undefined) return { kind: "unknown" };
  if (typeof stored === "string") return { kind: "dated", date: readDate(stored) };
  return stored ? { kind: "ended" } : { kind: "open" };
}

/** The last day that a stored date can mean; undefined if no day is stated. */
export function lastStoredDay(stored: StoredEnd | undefined): string | undefined {
  return typeof stored === "string" ? readDate(stored).value : undefined;
}

// Affected ranges as the curated files and the compiled catalogue write them: at most two constraints joined by `|`, in
// the manner of the version range specifier (https://github.com/package-url/vers-spec) without its scheme:
// `>=2.0.1|<2.15.0`, `<7.4.1`, `=9.0.0-m1`. Jenkins numbers two editions apart: `lts:<2.426.3`.

const BOUNDS: Readonly<Record<string, (version: string) => KevRange>> = {
  "=": (version) => ({ from: version, to: version, toInclusive: true }),
  ">=": (from) => ({ from }),
  ">": (from) => ({ from, fromExclusive: true }),
  "<=": (to) => ({ to, toInclusive: true }),
  "<": (to) => ({ to }),
};
const EDITIONS: Readonly<Record<string, KevRange>> = { lts: { edition: "lts" }, weekly: { edition: "weekly" } };

/** Parse one range. Undefined when the text is not of the form above, or states a bound twice. */
export function parseKevRange(text: string): KevRange | undefined {
  const [, edition = "", constraints = ""] = /^(?:(lts|weekly):)?(.*)$/.exec(text) ?? [];
  const range: KevRange = { ...EDITIONS[edition] };
  for (const constraint of constraints.split("|")) {
    const bound = parseBound(constraint);
    if (bound === undefined || Object.keys(bound).some((field) => field in range)) return undefined;
    Object.assign(range, bound);
  }
  return range;
}

function parseBound(constraint: string): KevRange | undefined {
  const [, sign = "", version = ""] = /^([<>]=?|=)([^<>=|]+)$/.exec(constraint) ?? [];
  return BOUNDS[sign]?.(version);
}

/**
 * Release cycles that are split into editions: a bare version with several suffixed cycles, or with one next to a cycle
 * of the bare name. A query for the bare version is refused with the candidates. An edition with a name of its own
 * (`17-pro` next to `17-pro-max`) is not a bare version.
 */
export function splitCycles(names: readonly string[]): Readonly<Record<string, readonly string[]>> | undefined {
  const cycles = new Set(names);
  const suffixed = new Map<string, string[]>();
  for (const name of names) {
    for (const base of bareVersions(name)) {
      const known = suffixed.get(base);
      if (known) known.push(name);
      else suffixed.set(base, [name]);
    }
  }
  const split: Record<string, readonly string[]> = {};
  for (const [base, editions] of suffixed) {
    const isCycle = cycles.has(base);
    if (isCycle && SEPARATOR.test(base)) continue;
    if (isCycle) split[base] = [base, ...editions];
    else if (editions.length > 1) split[base] = editions;
  }
  return Object.keys(split).length > 0 ? split : undefined;
}

const SEPARATOR = /[-_ +]/;

/** Each part of a numbered cycle's name that ends before a separator: `11-24h2-e` → `11`, `11-24h2`. */
function bareVersions(name: string): readonly string[] {
  if (!/^\d/.test(name)) return [];
  const bases: string[] = [];
  for (let at = 1; at < name.length; at += 1) if (SEPARATOR.test(name[at] ?? "")) bases.push(name.slice(0, at));
  return bases;
}

/** The newest version in a row such as `3.1.0 2026-10`. */
export function newestIn(row: string | undefined): ListedVersion | undefined {
  if (row === undefined) return undefined;
  const [version = "", released] = row.split(" ");
  return { version, ...(released !== undefined && { released }) };
}
