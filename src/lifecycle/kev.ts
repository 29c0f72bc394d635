/**
 * Known exploitation by version. The KEV catalogue lists CVEs by product; the affected ranges state the versions, so
 * that a fixed version is not reported and an affected one is, whatever its lifecycle status.
 */
import type { KevEntry } from "../model/catalogue.ts";
import type { AffectingKev, KevRange, KevState } from "../model/kev.ts";
import { compareReleases, namesCycle } from "./release-order.ts";

/**
 * How an entry of the KEV catalogue names one product. With a `basis` of `component` or `bundle`, only ranges show that a
 * version of the product is affected: the CVE is in a part of it.
 */
export type KevSubject = Pick<KevEntry, "cve" | "ransomware" | "basis" | "versions">;

/** What the KEV catalogue means for a release cycle. */
export interface CycleKev {
  readonly state: KevState;
  /** The first version of the cycle that none of its entries affects; null when one has no fix on record. */
  readonly fixedIn: string | null;
  /** The entries that affect it for certain. */
  readonly entries: readonly AffectingKev[];
}

/** Whether any cycle of a product is affected; null for a product that no entry names. */
export function kevOfProduct(entries: readonly KevSubject[]): KevState | null {
  if (entries.length === 0) return null;
  if (entries.some((entry) => isCertain(entry) && (entry.versions?.cycles.length ?? 0) > 0)) return "affected";
  return entries.some(({ versions }) => versions === undefined || versions.cycles.length > 0)
    ? "product"
    : "not-affected";
}

/** A cycle is affected when any of its final versions is. */
export function kevOfCycle(entries: readonly KevSubject[], cycle: string): CycleKev {
  const affecting = entries.filter(({ versions }) => versions?.cycles.includes(cycle));
  const certain = affecting.filter(isCertain);
  if (certain.length > 0) {
    const affecting = certain.map((entry) => affectingKev(entry, cycle));
    return { state: "affected", fixedIn: lastFix(affecting), entries: affecting };
  }
  const named = affecting.length > 0 || entries.some(({ versions }) => versions === undefined);
  return { state: named ? "product" : "not-affected", fixedIn: null, entries: [] };
}

/**
 * What the entries mean for one version of a cycle. A version that the ranges cannot place (the name `8.1` of the cycle
 * against a fix in `8.1.29`, or a cycle that a source names without versions) is `product`: the entries name it without
 * stating whether it is fixed. `cycle` is empty for a version that is older than the recorded cycles.
 */
export function kevOfVersion(entries: readonly KevSubject[], cycle: string, version: string): KevState {
  let worst: KevState = "not-affected";
  for (const entry of entries) {
    const state = stateOf(entry, cycle, version);
    if (state === "affected" && isCertain(entry)) return "affected";
    if (state !== "not-affected") worst = "product";
  }
  return worst;
}

/** The entries that affect a version of a cycle for certain, with the versions that they affect. */
export function kevEntriesOfVersion(
  entries: readonly KevSubject[],
  cycle: string,
  version: string,
): readonly AffectingKev[] {
  return entries
    .filter((entry) => isCertain(entry) && stateOf(entry, cycle, version) === "affected")
    .map((entry) => affectingKev(entry, cycle, version));
}

function affectingKev({ cve, ransomware, versions }: KevSubject, cycle: string, version?: string): AffectingKev {
  const ranges = versions?.ranges ?? [];
  const ofCycle = ranges.filter(
    (range) =>
      range.to?.startsWith(`${cycle}.`) || (version !== undefined && placeIn(range, cycle, version) === "inside"),
  );
  const fix = latest(ofCycle.map(fixOf));
  // The end of one range may be inside another.
  const isFixed = fix !== null && byRanges(ranges, cycle, fix) === "not-affected";
  const fixedIn = versions?.fixedIn[cycle] ?? (isFixed ? fix : null);
  const others = ranges.filter((range) => !ofCycle.includes(range));
  return { cve, ransomware, affected: [...ofCycle, ...others].map(formatRange).join(", "), fixedIn };
}

/** `19.0.0`, `from 19.1.0 to 19.1.1`, `from 2.0 to before 2.15.0`, `before 2.3`. */
function formatRange({ from, fromExclusive, to, toInclusive, edition }: KevRange): string {
  const end = `${toInclusive ? "" : "before "}${to}`;
  const start = `${fromExclusive ? "after" : "from"} ${from}`;
  const text =
    from === undefined ? formatUpTo(end, to) : from === to ? from : to === undefined ? start : `${start} to ${end}`;
  return edition === undefined ? text : `${text} (${edition})`;
}

function formatUpTo(end: string, to: string | undefined): string {
  if (to === undefined) return "all versions";
  return end === to ? `up to ${to}` : end;
}

/** The first version after a range. After the last affected `19.2.0`, a version from 19.2.1 on is not affected. */
function fixOf({ to, toInclusive }: KevRange): string | null {
  if (to === undefined) return null;
  if (toInclusive !== true) return to;
  const [, head, last] = /^(\d+\.\d+\.(?:\d+\.)*)(\d+)$/.exec(to) ?? [];
  return head === undefined ? null : `${head}${Number(last) + 1}`;
}

/** Java up to 8 has versions such as 1.8.0; later versions start with the major number. */
export const javaNumber = (version: string): string => version.replace(/^1\.(?=[5-8](?!\d))/, "");

const isCertain = ({ basis, versions }: KevSubject): boolean =>
  (basis !== "component" && basis !== "bundle") || (versions?.ranges.length ?? 0) > 0;

function stateOf({ versions }: KevSubject, cycle: string, version: string): KevState {
  if (versions === undefined) return "product";
  if (versions.ranges.length > 0) return byRanges(versions.ranges, cycle, version);
  if (!versions.cycles.includes(cycle)) return "not-affected";
  return kevByFix(versions.fixedIn[cycle], cycle, version);
}

/**
 * The state of a version of an affected cycle of which only the first fixed version is recorded. `product` where the
 * version is the cycle's name (`10-21h1`), which does not state a build.
 */
export function kevByFix(fixedIn: string | null | undefined, cycle: string, version: string): KevState {
  if (fixedIn === null || fixedIn === undefined || version === cycle) return "product";
  // Some versions are years or names: `2019` is not newer than build `10.0.17763`.
  if (namesCycle(version, cycle, fixedIn) || firstNumber(version) !== firstNumber(fixedIn)) return "product";
  const order = compareReleases(version, fixedIn);
  if (order === undefined) return "product";
  return order < 0 ? "affected" : "not-affected";
}

const firstNumber = (version: string): string | undefined => /\d+/.exec(version)?.[0];

function byRanges(ranges: readonly KevRange[], cycle: string, version: string): KevState {
  const places = new Set(ranges.map((range) => placeIn(range, cycle, version)));
  if (places.has("inside")) return "affected";
  return places.has("undecided") ? "product" : "not-affected";
}

type RangePlace = "inside" | "outside" | "undecided";

function placeIn(range: KevRange, cycle: string, version: string): RangePlace {
  const edition = otherEdition(range, version);
  if (edition !== undefined) return edition;
  const bounds = new Set([fromBound(range, cycle, version), toBound(range, cycle, version)]);
  if (bounds.has("outside")) return "outside";
  return bounds.has("undecided") ? "undecided" : "inside";
}

/** Jenkins: LTS releases have three numbers (2.440.1), weekly ones two (2.441). */
function otherEdition({ edition }: KevRange, version: string): RangePlace | undefined {
  if (edition === undefined) return undefined;
  const numbers = /^v?\d+(?:\.\d+)*/.exec(version.trim())?.[0].split(".").length ?? 0;
  if (numbers < 2) return "undecided";
  return (numbers > 2 ? "lts" : "weekly") === edition ? undefined : "outside";
}

function fromBound({ from, fromExclusive }: KevRange, cycle: string, version: string): RangePlace {
  if (from === undefined) return "inside";
  if (namesCycle(version, cycle, from)) return "undecided";
  const order = compareReleases(version, from);
  if (order === undefined) return "undecided";
  return order > 0 || (order === 0 && fromExclusive !== true) ? "inside" : "outside";
}

function toBound({ to, toInclusive }: KevRange, cycle: string, version: string): RangePlace {
  if (to === undefined) return "inside";
  if (namesCycle(version, cycle, to)) return "undecided";
  const order = compareReleases(version, to);
  if (order === undefined) return "undecided";
  return order < 0 || (order === 0 && toInclusive === true) ? "inside" : "outside";
}

/** The latest of the fixes, from which on no entry affects the cycle; null if one is not known. */
export const lastFix = (entries: readonly AffectingKev[]): string | null =>
  latest(entries.map(({ fixedIn }) => fixedIn));

function latest(fixes: readonly (string | null)[]): string | null {
  let last: string | null = null;
  for (const fix of fixes) {
    if (fix === null) return null;
    const order = last === null ? 1 : compareReleases(fix, last);
    if (order === undefined) return null;
    if (order > 0) last = fix;
  }
  return last;
}
