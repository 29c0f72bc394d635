/**
 * Resolves a version of a known product to one of its release cycles. The name of the cycle must be a component prefix
 * of the version; the longest one is used. A version that may belong to several cycles is ambiguous, unless all of them
 * have ended.
 */
import type { IsoDate } from "../../text/ids.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import type { Product, ReleaseCycle, Tracer, UnresolvedReason, VersionMatchedBy } from "../../model/index.ts";
import { cyclesBelow, indexCycles, isAboveAllCycles, type ReleaseCycleIndex } from "./cycle-index.ts";
import { isOnGrowingBranch, olderCycle } from "./older.ts";
import { after, parseRange, type Interval } from "./range.ts";
import { admittedCycles, cycleOfRange, endedCycle, hasPlainNumbers, lowestCycle } from "./several.ts";
import {
  compareNumbers,
  leadingNumbers,
  normalizeVersion,
  precedesFirstRelease,
  rejectNonVersion,
  versionPrefixes,
} from "./parse.ts";
import { describeAnswer, VERSION_SCHEMES, type SchemeAnswer, type VersionScheme } from "./schemes.ts";

/** The release cycle of a version, or why there is none. */
export type VersionResolution =
  | {
      readonly kind: "cycle";
      readonly cycle: ReleaseCycle;
      /** Absent when `version` is the cycle's own name. */
      readonly versionMatchedBy?: VersionMatchedBy;
      /** The version is a lower bound, and this is the lowest cycle that it admits. */
      readonly minimum?: true;
    }
  | {
      readonly kind: "unresolved";
      readonly reason: UnresolvedReason;
      /** Names of the cycles that may be meant. */
      readonly candidates?: readonly string[];
    };

/** Options for the resolution of a version. */
export interface VersionOptions {
  /** The day on which older versions are assessed (UTC). */
  readonly asOf: IsoDate;
  /** The highest version that the package shares with the product (see `PurlEntry`). */
  readonly max?: string | undefined;
  /** The version is a lower bound, unless it is a range that is certain by itself. */
  readonly minimum?: true | undefined;
  readonly trace?: Tracer | undefined;
}

/** The cycle of `product` that `version` names: by its name, by an alias, or as any release of it. */
export function resolveVersion(product: Product, version: string, options: VersionOptions): VersionResolution {
  const query = toQuery(product, version, options);
  const resolution = certain(query, byName(query) ?? byNumber(query));
  return traced(query.minimum ? asMinimum(query, resolution) : resolution, query);
}

/** Marks the cycle of a lower bound; of a range that no cycle decides it is the lowest one that the range admits. */
function asMinimum({ product, original, asOf }: VersionQuery, resolution: VersionResolution): VersionResolution {
  if (resolution.kind === "cycle") {
    if (rejectNonVersion(original) === "version-is-range") return resolution;
    return { ...resolution, minimum: true };
  }
  const intervals = parseRange(original) ?? [];
  const bound = lowerBound(intervals);
  if (bound === undefined) return resolution;
  const lowest = resolveVersion(product, bound, { asOf });
  if (lowest.kind === "cycle") return { ...lowest, minimum: true };
  const cycle = hasPlainNumbers(product) ? lowestCycle(admittedCycles(product, intervals)) : undefined;
  return cycle ? { kind: "cycle", cycle, versionMatchedBy: "release-line", minimum: true } : resolution;
}

/** The lowest version that a range states; undefined where an alternative has no lower limit. */
function lowerBound(intervals: readonly Interval[]): string | undefined {
  const bounds = intervals.map(({ from }) => from).toSorted((one, other) => compareNumbers(one, other));
  return bounds.some((bound) => bound.length === 0) ? undefined : bounds[0]?.join(".");
}

/** The recorded cycle of this name, or the one that `resolveVersion` makes of an unrecorded name. */
export function cycleByName(product: Product, name: string, asOf: IsoDate): ReleaseCycle | undefined {
  const recorded = product.cycles.find((cycle) => cycle.name === name);
  if (recorded) return recorded;
  const made = resolveVersion(product, name, { asOf });
  return made.kind === "cycle" && made.cycle.name === name ? made.cycle : undefined;
}

/** Resolves a version that several cycles may contain, and a range, where it is certain what it means. */
function certain(query: VersionQuery, resolution: VersionResolution): VersionResolution {
  const { product, normalized, original, asOf } = query;
  if (resolution.kind !== "unresolved") return resolution;
  const { reason, candidates = [] } = resolution;
  if (reason === "version-is-range") return byRange(query, parseRange(original) ?? []) ?? resolution;
  if (reason !== "version-ambiguous") return resolution;
  const ended = endedCycle(product, normalized, candidates, asOf);
  return ended ? found(ended, "all-ended") : resolution;
}

/** A range that is one version or its prefix (`= 0.14.5`, `3.7.*`) is that version; else the cycles it admits decide. */
function byRange(query: VersionQuery, intervals: readonly Interval[]): VersionResolution | undefined {
  const { product, asOf } = query;
  const [only, ...others] = intervals;
  if (only === undefined) return undefined;
  const exact = others.length === 0 ? prefixOf(only) : undefined;
  const asVersion = exact === undefined ? undefined : resolveVersion(product, exact, { ...query, minimum: undefined });
  if (asVersion?.kind === "cycle") return found(asVersion.cycle, asVersion.versionMatchedBy ?? "range");
  const ranged = cycleOfRange(product, intervals, asOf);
  return ranged && found(ranged.cycle, ranged.by);
}

/** The number with which all versions of an interval begin; undefined where the interval is not that of a number. */
function prefixOf({ from, below }: Interval): string | undefined {
  const isPrefix = from.length > 0 && below?.length === from.length && compareNumbers(below, after(from)) === 0;
  return isPrefix ? from.join(".") : undefined;
}

/**
 * The cycle of a release, as a package or component states its number. A release may have the number that is the name
 * of a cycle without belonging to it: log4j 2.3 is the release before cycle 2.3 started. Therefore the product's scheme
 * is applied first.
 */
export function resolveRelease(product: Product, version: string, options: VersionOptions): VersionResolution {
  const query = toQuery(product, version, options);
  const isNumber = !query.index.catchAll && rejectNonVersion(version) === undefined;
  const answer = isNumber ? schemeAnswer(query) : undefined;
  if (answer?.kind !== "cycle") return resolveVersion(product, version, options);
  query.trace?.("version-scheme", `${product.versionRule}: ${describeAnswer(answer)}`);
  return traced(cycleOfScheme(query, answer), query);
}

interface VersionQuery extends VersionOptions {
  readonly product: Product;
  readonly index: ReleaseCycleIndex;
  readonly normalized: string;
  /** As written in the document. */
  readonly original: string;
}

const toQuery = (product: Product, version: string, options: VersionOptions): VersionQuery => ({
  ...options,
  product,
  index: indexCycles(product),
  normalized: normalizeVersion(version),
  original: version,
});

function traced(resolution: VersionResolution, { product, trace }: VersionQuery): VersionResolution {
  if (resolution.kind === "unresolved") {
    const candidates = resolution.candidates ? `: ${resolution.candidates.join(", ")}` : "";
    trace?.("unresolved", `${resolution.reason}${candidates}`);
  } else {
    const { cycle, versionMatchedBy } = resolution;
    trace?.("cycle", `${product.slug} ${cycle.name}, by ${versionMatchedBy ?? "its own name"}`);
  }
  return resolution;
}

/** Resolves the name or alias of a cycle; undefined if `normalized` is neither. */
function byName({ product, index, normalized, original }: VersionQuery): VersionResolution | undefined {
  if (index.catchAll) return found(index.catchAll, normalized === "all" ? undefined : "release-line");
  const split = product.split.get(normalized);
  if (split) return unresolved("version-ambiguous", split);
  const own = index.byName.get(normalized);
  if (own) return found(own);
  const alias = byAlias(product, index, normalized);
  if (alias) return alias;
  const reason = rejectNonVersion(original);
  if (reason) return unresolved(reason);
  // Models have ids, not numbers: an id matches as a whole.
  return product.models ? unresolved("version-not-tracked") : undefined;
}

/** Resolves a number by the product's scheme, else by cycle names as prefixes. */
function byNumber(query: VersionQuery): VersionResolution {
  const { product, index, normalized, trace } = query;
  const answer = schemeAnswer(query);
  if (answer) {
    trace?.("version-scheme", `${product.versionRule}: ${describeAnswer(answer)}`);
    return byScheme(query, answer);
  }
  if (schemeOf(query) || index.namesMatchReleases) return byPrefix(query, normalized);
  trace?.("candidate-rejected", `recorded releases of ${product.slug} do not start with the name of their cycle`);
  return notRecorded(query, normalized);
}

function byScheme(query: VersionQuery, answer: Exclude<SchemeAnswer, undefined>): VersionResolution {
  switch (answer.kind) {
    case "cycle":
      return cycleOfScheme(query, answer);
    case "read-as": {
      const resolution = byPrefix(query, answer.version);
      return resolution.kind === "cycle" ? { ...resolution, versionMatchedBy: "rule" } : resolution;
    }
    case "shared":
      return unresolved("version-ambiguous", answer.names);
    case "none":
      return notRecorded(query, query.normalized);
  }
}

const schemeOf = ({ product }: VersionQuery): VersionScheme | undefined =>
  product.versionRule === undefined ? undefined : VERSION_SCHEMES[product.versionRule];
const schemeAnswer = (query: VersionQuery): SchemeAnswer => schemeOf(query)?.(query.normalized, query.product);

function cycleOfScheme(query: VersionQuery, { name, by }: Extract<SchemeAnswer, { kind: "cycle" }>): VersionResolution {
  const cycle = query.index.byName.get(normalizeVersion(name));
  return cycle ? found(cycle, by) : olderOrNotRecorded(query, query.normalized);
}

function byAlias(product: Product, index: ReleaseCycleIndex, normalized: string): VersionResolution | undefined {
  const named = index.byAlias.get(normalized);
  if (!named) return undefined;
  const [only] = named;
  // An alias of a version that is split is ambiguous too: SQL Server 2016 is 13.0 with any service pack.
  const split = only && product.split.get(normalizeVersion(only.name));
  if (split) return unresolved("version-ambiguous", split);
  return named.length === 1 && only
    ? found(only, "alias")
    : unresolved(
        "version-ambiguous",
        named.map((cycle) => cycle.name),
      );
}

function byPrefix(query: VersionQuery, version: string): VersionResolution {
  const { product, index, trace } = query;
  let longest: ReleaseCycle | undefined;
  for (const prefix of versionPrefixes(version)) {
    if (!longest) {
      const split = product.split.get(prefix);
      if (split) return unresolved("version-ambiguous", split);
    }
    const cycle = index.byName.get(prefix);
    if (!cycle) continue;
    if (longest) {
      trace?.("candidate-rejected", `${cycle.name} is shorter than ${longest.name}`);
      return foundByPrefix(query, version, longest, "longest");
    }
    longest = cycle;
  }
  return longest ? foundByPrefix(query, version, longest, "release-line") : olderOrNotRecorded(query, version);
}

/** 4.0.0-rc-2 is not yet a supported release of 4, and no longer one of 3. Some cycles have pre-releases only. */
function foundByPrefix(
  query: VersionQuery,
  version: string,
  cycle: ReleaseCycle,
  by: VersionMatchedBy,
): VersionResolution {
  const name = normalizeVersion(cycle.name);
  const isEarly = precedesFirstRelease(version, name) && !precedesFirstRelease(cycle.latest?.name ?? "", name);
  if (hasEnded(query, cycle) || !isEarly) return found(cycle, by);
  query.trace?.("candidate-rejected", `a pre-release is older than the first release of ${cycle.name}`);
  return unresolved("version-not-tracked");
}

const hasEnded = ({ asOf }: VersionQuery, { eol }: ReleaseCycle): boolean =>
  eol.kind === "ended" || lifecycleState(eol, asOf).status === "eol";

/** No cycle contains the version: it is incomplete, older than the recorded cycles, or not recorded. */
function olderOrNotRecorded(query: VersionQuery, version: string): VersionResolution {
  const { product, asOf, trace } = query;
  const isIncomplete = cyclesBelow(product, version).length > 0;
  const older = isIncomplete ? undefined : olderCycle(product, asWritten(query, version), asOf);
  if (older === undefined || exceedsLimit(query, older)) return notRecorded(query, version);
  trace?.(
    "older",
    `${version} is older than ${older.olderThan ?? ""}, which has ${older.rolling ? "replaced it" : "ended"}`,
  );
  return found(older, "older");
}

/** The reason: the version is incomplete, newer than every recorded cycle or than a living branch, or not recorded. */
function notRecorded({ product, asOf }: VersionQuery, version: string): VersionResolution {
  const below = cyclesBelow(product, version);
  if (below.length > 0) return unresolved("version-ambiguous", below);
  if (product.scope === "retired-only") return unresolved("cycle-not-recorded");
  // Only a complete record shows that a version is newer than the catalogue.
  const isNewer = product.scope === "complete" && isAboveAllCycles(product, version);
  if (isNewer) return unresolved("newer-than-catalogue");
  const grows = asOf !== undefined && isOnGrowingBranch(product, version, asOf);
  return unresolved(grows ? "newer-than-branch" : "version-not-tracked");
}

/** The version in the spelling of the document, which is the name of a cycle that is not recorded. */
function asWritten({ original }: VersionQuery, version: string): string {
  const written = original.trim().replace(/^v(?=\d)/i, "");
  return normalizeVersion(written) === version ? written : version;
}

/** Above the limit, the package's numbers are not the product's, so a cycle there shows nothing about the package. */
const exceedsLimit = ({ max }: VersionQuery, { olderThan = "" }: ReleaseCycle): boolean =>
  max !== undefined && compareNumbers(leadingNumbers(olderThan), leadingNumbers(max)) > 0;

const found = (cycle: ReleaseCycle, versionMatchedBy?: VersionMatchedBy): VersionResolution => ({
  kind: "cycle",
  cycle,
  ...(versionMatchedBy && { versionMatchedBy }),
});

const unresolved = (reason: UnresolvedReason, candidates?: readonly string[]): VersionResolution => ({
  kind: "unresolved",
  reason,
  ...(candidates && { candidates }),
});
