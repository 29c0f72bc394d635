/**
 * Known exploitation by version. The KEV catalogue lists CVEs by product; the affected ranges state the versions, so
 * that a fixed version is not reported and an affected one is, whatever its lifecycle status.
 */
import type { IsoDate } from "../text/ids.ts";
import type { KevEntry, Product, ReleaseCycle } from "../model/catalogue.ts";
import { type AffectingKev, KEV_STATES, type KevRange, type KevState } from "../model/kev.ts";
import { lastDay } from "./days.ts";
import { compareReleases, isNameOf, namesCycle } from "./release-order.ts";

/**
 * How an entry of the KEV catalogue names one product. With a `basis` of `component` or `bundle`, only ranges show that a
 * version of the product is affected: the CVE is in a part of it.
 */
export type KevSubject = Pick<KevEntry, "cve" | "added" | "ransomware" | "basis" | "versions">;

/** What the entries of a product are compared with. */
export interface KevCycle {
  /** Its own name; empty for a cycle that is not recorded itself. */
  readonly name: string;
  /** Its newest release; absent: not known. */
  readonly newest?: string;
  /** The last day of its support, or a day on which it had ended; absent: it lives, or the day is not known. */
  readonly endedBy?: IsoDate;
}

/** What the KEV catalogue means for a version or a release cycle. */
export interface Kev {
  readonly state: KevState;
  /** The first version of the cycle that none of its entries affects; null when one has no fix on record. */
  readonly fixedIn: string | null;
  /** The entries that affect it for certain, or earlier releases of it. */
  readonly entries: readonly AffectingKev[];
}

/** An answer about several entries or cycles has the strongest of their states. */
const strongest = (states: readonly KevState[]): KevState =>
  KEV_STATES.find((state) => states.includes(state)) ?? "not-affected";

/** Whether any cycle of a product is affected; null for a product that no entry names. */
export function kevOfProduct(entries: readonly KevSubject[]): KevState | null {
  if (entries.length === 0) return null;
  if (entries.some((entry) => isCertain(entry) && (entry.versions?.cycles.length ?? 0) > 0)) return "affected";
  return entries.some(({ versions }) => versions === undefined || versions.cycles.length > 0)
    ? "product"
    : "not-affected";
}

/**
 * What the entries mean for a version of a product: a release of `cycle`, or the cycle as a whole where the version is its
 * name. A cycle that means several ones has the strongest of their states. Undefined for a product that no entry
 * names.
 */
export function kevOf(
  { kev, cycles, versionRule }: Pick<Product, "kev" | "cycles" | "versionRule">,
  cycle: ReleaseCycle,
  version: string = cycle.name,
): Kev | undefined {
  if (kev === undefined) return undefined;
  const meant = cycle.meantCycles;
  if (meant !== undefined)
    return severalKev(
      cycles.filter(({ name }) => meant.includes(name)).map((each) => kevOfCycle(kev.entries, facts(each))),
    );
  const number = versionRule === "java-legacy" ? javaNumber(version) : version;
  return kevOfVersion(kev.entries, facts(cycle), number);
}

function facts({ name, olderThan, latest, eol, eolNoLaterThan }: ReleaseCycle): KevCycle {
  const end = eol.kind === "dated" ? eol.date : eolNoLaterThan;
  return {
    name: olderThan === undefined ? name : "",
    ...(latest !== undefined && { newest: latest.name }),
    ...(end !== undefined && { endedBy: lastDay(end) }),
  };
}

function severalKev(all: readonly Kev[]): Kev {
  const state = strongest(all.map((each) => each.state));
  const entries = all.flatMap((each) => each.entries);
  const known = entries.filter(({ cve }, index) => entries.findIndex((each) => each.cve === cve) === index);
  // A first fixed version belongs to one of the cycles.
  return { state, fixedIn: null, entries: known.map((entry) => ({ ...entry, fixedIn: null })) };
}

/** What the entries mean for a cycle of which no version is stated: `depends-on-patch` if its newest release is fixed. */
export function kevOfCycle(entries: readonly KevSubject[], cycle: KevCycle): Kev {
  return strongestOf(entries, (entry) => cycleState(entry, cycle), cycle.name);
}

/** What the entries mean for one version of a cycle. For a version that names the whole cycle, the cycle decides. */
export function kevOfVersion(entries: readonly KevSubject[], cycle: KevCycle, version: string): Kev {
  return strongestOf(entries, (entry) => versionState(entry, cycle, version), cycle.name, version);
}

function strongestOf(
  entries: readonly KevSubject[],
  stateOf: (entry: KevSubject) => KevState,
  cycle: string,
  version?: string,
): Kev {
  const states = entries.map(stateOf);
  const state = strongest(states);
  const isListed = state === "affected" || state === "depends-on-patch";
  const listed = entries.filter((_, index) => isListed && states[index] === state);
  const affecting = listed.map((entry) => affectingKev(entry, cycle, version));
  return { state, fixedIn: affecting.length === 0 ? null : lastFix(affecting), entries: affecting };
}

/** The name of an OpenSSL cycle is a release as well (1.0.1, then 1.0.1a), which the ranges can place. */
function versionState(entry: KevSubject, cycle: KevCycle, version: string): KevState {
  const isName = isNameOf(version, cycle.name);
  const isRecorded = entry.versions?.cycles.includes(cycle.name) !== false;
  if (isName && (!isRecorded || cycle.newest?.startsWith(`${cycle.name}.`) === true)) return cycleState(entry, cycle);
  const state = releaseState(entry, cycle, version);
  if (state === "affected") return isCertain(entry) ? "affected" : "product";
  if (state === "not-affected") return unaffected(entry, cycle, version);
  return isName ? cycleState(entry, cycle) : state;
}

function cycleState(entry: KevSubject, cycle: KevCycle): KevState {
  const { versions } = entry;
  if (versions === undefined) return "product";
  if (!versions.cycles.includes(cycle.name) && !isFixedLater(versions.ranges, cycle.name))
    return unaffected(entry, cycle, cycle.name);
  if (!isCertain(entry)) return "product";
  const { fixedIn } = affectingKev(entry, cycle.name);
  const state = newestState(entry, cycle, fixedIn);
  if (state !== "product") return state === "affected" ? "affected" : "depends-on-patch";
  const isFixedWithin = cycle.name in versions.fixedIn || fixedIn?.startsWith(`${cycle.name}.`) === true;
  return isFixedWithin ? "depends-on-patch" : "affected";
}

/** Whether a range ends inside a cycle, behind its first release: an old line that got the fix for itself (Log4j 2.12.2). */
const isFixedLater = (ranges: readonly KevRange[], cycle: string): boolean =>
  ranges.some((range) => range.to?.startsWith(`${cycle}.`) && placeIn(range, cycle, `${cycle}.0`) === "inside");

/** Of Windows the record states a build without its revision, which is the start of the fixed one. */
function newestState(entry: KevSubject, cycle: KevCycle, fixedIn: string | null): KevState {
  const { newest } = cycle;
  const isWhole = newest !== undefined && fixedIn?.startsWith(`${newest}.`) !== true;
  return isWhole ? releaseState(entry, cycle, newest) : "product";
}

/**
 * `not-analysed` for a release below every affected range whose cycle had ended before the CVE was published: it was not
 * examined, and the ranges of records begin at what was supported on that day.
 */
function unaffected(entry: KevSubject, { endedBy }: KevCycle, version: string): KevState {
  const ranges = entry.versions?.ranges ?? [];
  const isBelow =
    ranges.length > 0 && ranges.every(({ from }) => from !== undefined && (compareReleases(version, from) ?? 0) < 0);
  return isBelow && endedBy !== undefined && endedBy < publishedBy(entry) ? "not-analysed" : "not-affected";
}

/** A CVE is public when CISA lists it, and old ones were in the year that their number states. */
function publishedBy({ cve, added }: KevSubject): string {
  const endOfYear = `${cve.slice("CVE-".length, "CVE-2000".length)}-12-31`;
  return added < endOfYear ? added : endOfYear;
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

function releaseState({ versions }: KevSubject, { name }: KevCycle, version: string): KevState {
  if (versions === undefined) return "product";
  if (versions.ranges.length > 0) return byRanges(versions.ranges, name, version);
  if (!versions.cycles.includes(name)) return "not-affected";
  return kevByFix(versions.fixedIn[name], name, version);
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
