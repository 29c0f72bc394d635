/**
 * From a version of a known product to one of its release cycles, or to a reason. The name of a cycle has to be a
 * component prefix of the version; the longest wins. A version that two cycles could claim is ambiguous, with candidates.
 */
import type { IsoDate } from "../../ids.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import type { Product, RecordScope, ReleaseCycle, Tracer, UnresolvedReason, VersionMatchedBy } from "../../model.ts";
import { cyclesBelow, indexCycles, isAboveAllCycles, type ReleaseCycleIndex } from "./cycle-index.ts";
import { olderCycle } from "./older.ts";
import {
  compareNumbers,
  leadingNumbers,
  normalizeVersion,
  precedesFirstRelease,
  rejectNonVersion,
  versionPrefixes,
} from "./parse.ts";
import { VERSION_SCHEMES, type SchemeAnswer, type VersionScheme } from "./schemes.ts";

/** The release cycle of a version, or why there is none. */
export type VersionResolution =
  | {
      readonly kind: "cycle";
      readonly cycle: ReleaseCycle;
      /** Absent when `version` is the cycle's own name. */
      readonly versionMatchedBy?: VersionMatchedBy;
    }
  | {
      readonly kind: "unresolved";
      readonly reason: UnresolvedReason;
      /** Names of the cycles that may be meant. */
      readonly candidates?: readonly string[];
    };

/** What a resolution of a version depends on besides the product. */
export interface VersionOptions {
  /** The day on which older versions are assessed (UTC). Without it they stay unresolved. */
  readonly asOf?: IsoDate | undefined;
  /** The highest version that the package shares with the product (see `PurlEntry`). */
  readonly max?: string | undefined;
  readonly trace?: Tracer | undefined;
  /** Version schemes by name. Default: those of eolgate. */
  readonly schemes?: Readonly<Record<string, VersionScheme>>;
}

/** The cycle of `product` that `version` names: by its name, by an alias, or as any release of it. */
export function resolveVersion(product: Product, version: string, options: VersionOptions = {}): VersionResolution {
  const asked = toQuestion(product, version, options);
  return traced(byName(asked) ?? byNumber(asked), asked);
}

/**
 * The cycle of a release, as a package or component states its number. A release may have the number that is the name of
 * a cycle without belonging to it: log4j 2.3 is the release before cycle 2.3 started. So the product's scheme goes first.
 */
export function resolveRelease(product: Product, version: string, options: VersionOptions = {}): VersionResolution {
  const asked = toQuestion(product, version, options);
  const answer = asked.index.catchAll ? undefined : schemeAnswer(asked);
  if (answer?.kind !== "cycle") return resolveVersion(product, version, options);
  asked.trace?.("version-scheme", `${product.versionRule}: ${describe(answer)}`);
  return traced(cycleOfScheme(asked, answer), asked);
}

interface Question extends VersionOptions {
  readonly product: Product;
  readonly index: ReleaseCycleIndex;
  readonly normalized: string;
  /** As written in the document. */
  readonly original: string;
}

const toQuestion = (product: Product, version: string, options: VersionOptions): Question => ({
  ...options,
  product,
  index: indexCycles(product),
  normalized: normalizeVersion(version),
  original: version,
});

function traced(resolution: VersionResolution, { product, trace }: Question): VersionResolution {
  if (resolution.kind === "unresolved") {
    const candidates = resolution.candidates ? `: ${resolution.candidates.join(", ")}` : "";
    trace?.("unresolved", `${resolution.reason}${candidates}`);
  } else {
    const { cycle, versionMatchedBy } = resolution;
    trace?.("cycle", `${product.slug} ${cycle.name}, by ${versionMatchedBy ?? "its own name"}`);
  }
  return resolution;
}

/** By a name of a whole cycle; undefined when `normalized` is none. */
function byName({ product, index, normalized, original }: Question): VersionResolution | undefined {
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

/** By the product's scheme for its numbers, else by cycle names as prefixes. */
function byNumber(asked: Question): VersionResolution {
  const { product, index, normalized, trace } = asked;
  const answer = schemeAnswer(asked);
  if (answer) {
    trace?.("version-scheme", `${product.versionRule}: ${describe(answer)}`);
    return byScheme(asked, answer);
  }
  if (schemeOf(asked) || index.namesMatchReleases) return byPrefix(asked, normalized);
  trace?.("candidate-rejected", `recorded releases of ${product.slug} do not start with the name of their cycle`);
  return notRecorded(asked, normalized);
}

function byScheme(asked: Question, answer: Exclude<SchemeAnswer, undefined>): VersionResolution {
  switch (answer.kind) {
    case "cycle":
      return cycleOfScheme(asked, answer);
    case "read-as": {
      const resolution = byPrefix(asked, answer.version);
      return resolution.kind === "cycle" ? { ...resolution, versionMatchedBy: "rule" } : resolution;
    }
    case "shared":
      return unresolved("version-ambiguous", answer.names);
    case "none":
      return notRecorded(asked, asked.normalized);
  }
}

const schemeOf = ({ product, schemes = VERSION_SCHEMES }: Question): VersionScheme | undefined =>
  product.versionRule === undefined ? undefined : schemes[product.versionRule];
const schemeAnswer = (asked: Question): SchemeAnswer => schemeOf(asked)?.(asked.normalized, asked.product);

function cycleOfScheme(asked: Question, { name, by }: Extract<SchemeAnswer, { kind: "cycle" }>): VersionResolution {
  const cycle = asked.index.byName.get(normalizeVersion(name));
  return cycle ? found(cycle, by) : olderOrNotRecorded(asked, asked.normalized);
}

function byAlias(product: Product, index: ReleaseCycleIndex, normalized: string): VersionResolution | undefined {
  const named = index.byAlias.get(normalized);
  if (!named) return undefined;
  const [only] = named;
  // An alias of a bare version names no more than that: SQL Server 2016 is 13.0 with any service pack.
  const split = only && product.split.get(normalizeVersion(only.name));
  if (split) return unresolved("version-ambiguous", split);
  return named.length === 1 && only
    ? found(only, "alias")
    : unresolved(
        "version-ambiguous",
        named.map((cycle) => cycle.name),
      );
}

function byPrefix(asked: Question, version: string): VersionResolution {
  const { product, index, trace } = asked;
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
      return ofRelease(asked, version, longest, "longest");
    }
    longest = cycle;
  }
  return longest ? ofRelease(asked, version, longest, "release-line") : olderOrNotRecorded(asked, version);
}

/** A cycle starts with its first release: 4.0.0-rc-2 is not yet a supported release of 4, and no longer one of 3. */
function ofRelease(asked: Question, version: string, cycle: ReleaseCycle, by: VersionMatchedBy): VersionResolution {
  if (hasEnded(asked, cycle) || !precedesFirstRelease(version, normalizeVersion(cycle.name))) return found(cycle, by);
  asked.trace?.("candidate-rejected", `a pre-release is older than the first release of ${cycle.name}`);
  return unresolved("version-not-tracked");
}

const hasEnded = ({ asOf }: Question, { eol }: ReleaseCycle): boolean =>
  eol.kind === "ended" || (asOf !== undefined && lifecycleState(eol, asOf).status === "eol");

/** No cycle contains it: it is incomplete, older than the record, or not recorded. */
function olderOrNotRecorded(asked: Question, version: string): VersionResolution {
  const { product, asOf, trace } = asked;
  const isIncomplete = cyclesBelow(product, version).length > 0;
  const older = asOf === undefined || isIncomplete ? undefined : olderCycle(product, asWritten(asked, version), asOf);
  if (older === undefined || exceedsLimit(asked, older)) return notRecorded(asked, version);
  trace?.("older", `${version} is older than ${older.olderThan ?? ""}, which has ended`);
  return found(older, "older");
}

/** Incomplete, above everything that is recorded, or just not recorded. */
function notRecorded({ product }: Question, version: string): VersionResolution {
  const below = cyclesBelow(product, version);
  if (below.length > 0) return unresolved("version-ambiguous", below);
  const { scope = "partial" } = product;
  if (isAboveAllCycles(product, version)) return unresolved(ABOVE_REASONS[scope]);
  return unresolved(scope === "retired-only" ? "cycle-not-recorded" : "version-not-tracked");
}

/** Only a complete record shows that a version is newer than the catalogue. */
const ABOVE_REASONS: Readonly<Record<RecordScope, UnresolvedReason>> = {
  complete: "newer-than-catalogue",
  "retired-only": "cycle-not-recorded",
  partial: "version-not-tracked",
};

/** A cycle that is not recorded has the name that the document writes. */
function asWritten({ original }: Question, version: string): string {
  const written = original.trim().replace(/^v(?=\d)/i, "");
  return normalizeVersion(written) === version ? written : version;
}

/** Above its limit the package's numbers are no longer the product's: nothing follows from a cycle up there. */
const exceedsLimit = ({ max }: Question, { olderThan = "" }: ReleaseCycle): boolean =>
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

function describe(answer: Exclude<SchemeAnswer, undefined>): string {
  switch (answer.kind) {
    case "cycle":
      return `cycle ${answer.name}`;
    case "read-as":
      return `read as ${answer.version}`;
    case "shared":
      return `shared by ${answer.names.join(", ")}`;
    case "none":
      return "no cycle";
  }
}
