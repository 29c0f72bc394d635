/**
 * A version of a known product becomes one of its lines, or is refused with the reason. A line's name must be the
 * beginning of the version, by whole components; the longest wins. What two lines could claim is refused, with both.
 */
import type { Product, ReleaseCycle, Tracer, UnresolvedReason, VersionMatchedBy } from "../model.ts";
import { isAboveAll, cyclesBelow, cycleIndex, prefixes } from "./cycle-index.ts";
import type { CycleIndex } from "./cycle-index.ts";
import { VERSION_RULES } from "./rules.ts";
import type { VersionRuleResult, VersionRule } from "./rules.ts";
import { normalizeVersion, noVersion } from "./normalize-version.ts";

export type VersionResolution =
  | {
      readonly kind: "line";
      readonly cycle: ReleaseCycle;
      /** Absent when the line was asked by its own name. */
      readonly versionMatchedBy?: VersionMatchedBy;
    }
  | {
      readonly kind: "refused";
      readonly reason: UnresolvedReason;
      /** Names of the lines that could be meant. */
      readonly candidates?: readonly string[];
    };

/** The line of `product` that `version` names: a line's own name, an alias, or any release of it. */
export function resolveVersion(
  product: Product,
  version: string,
  trace?: Tracer,
  rules: Readonly<Record<string, VersionRule>> = VERSION_RULES,
): VersionResolution {
  const asked = {
    product,
    lines: cycleIndex(product),
    folded: normalizeVersion(version),
    written: version,
    trace,
    rules,
  };
  return telling(byName(asked) ?? byNumber(asked), asked);
}

/**
 * The line of a release, as a package or component carries its number. A release may have the number that is a line's
 * name without belonging to it: log4j 2.3 is the release before the line 2.3 began. There the product's rule goes first.
 */
export function resolveRelease(
  product: Product,
  version: string,
  trace?: Tracer,
  rules: Readonly<Record<string, VersionRule>> = VERSION_RULES,
): VersionResolution {
  const asked = {
    product,
    lines: cycleIndex(product),
    folded: normalizeVersion(version),
    written: version,
    trace,
    rules,
  };
  const answer = asked.lines.whole ? undefined : answerOf(asked);
  if (answer?.kind !== "line") return resolveVersion(product, version, trace, rules);
  trace?.("version-rule", `${product.versionRule}: ${told(answer)}`);
  return telling(ruledLine(asked, answer), asked);
}

interface Asked {
  readonly product: Product;
  readonly lines: CycleIndex;
  readonly folded: string;
  readonly written: string;
  readonly trace: Tracer | undefined;
  readonly rules: Readonly<Record<string, VersionRule>>;
}

function telling(resolution: VersionResolution, { product, trace }: Asked): VersionResolution {
  if (resolution.kind === "line")
    trace?.("line", `${product.slug} ${resolution.cycle.name}, by ${resolution.versionMatchedBy ?? "its own name"}`);
  else trace?.("refused", `${resolution.reason}${list(resolution.candidates)}`);
  return resolution;
}

/** By a name that stands for a whole line; undefined when `folded` is none. */
function byName({ product, lines, folded, written }: Asked): VersionResolution | undefined {
  if (lines.whole) return line(lines.whole, folded === "all" ? undefined : "release-line");
  const split = product.split.get(folded);
  if (split) return refuse("version-ambiguous", split);
  const own = lines.named.get(folded);
  if (own) return line(own);
  const alias = byAlias(product, lines, folded);
  if (alias) return alias;
  const none = noVersion(written);
  if (none) return refuse(none);
  // Models have ids, not numbers: nothing of an id may be left over.
  return product.models ? refuse("version-not-tracked") : undefined;
}

/** By the product's rule for its numbers, else by the lines' names as their beginning. */
function byNumber(asked: Asked): VersionResolution {
  const { product, lines, folded, trace } = asked;
  const answer = answerOf(asked);
  if (answer) trace?.("version-rule", `${product.versionRule}: ${told(answer)}`);
  switch (answer?.kind) {
    case "line":
      return ruledLine(asked, answer);
    case "read-as":
      return ruled(byPrefix(product, lines, answer.version, trace));
    case "shared":
      return refuse("version-ambiguous", answer.names);
    case "none":
      return missing(product, folded);
    case undefined:
      break;
  }
  if (ruleOf(asked) || lines.numbered) return byPrefix(product, lines, folded, trace);
  trace?.("candidate-refused", `recorded releases of ${product.slug} do not start with their line's name`);
  return missing(product, folded);
}

const ruleOf = ({ product, rules }: Asked): VersionRule | undefined =>
  product.versionRule === undefined ? undefined : rules[product.versionRule];
const answerOf = (asked: Asked): VersionRuleResult => ruleOf(asked)?.(asked.folded, asked.product);

function ruledLine(
  { product, lines, folded }: Asked,
  answer: Extract<VersionRuleResult, { kind: "line" }>,
): VersionResolution {
  const named = lines.named.get(normalizeVersion(answer.name));
  return named ? line(named, answer.by) : missing(product, folded);
}

const ruled = (resolution: VersionResolution): VersionResolution =>
  resolution.kind === "line" ? { ...resolution, versionMatchedBy: "rule" } : resolution;

function byAlias(product: Product, lines: CycleIndex, folded: string): VersionResolution | undefined {
  const named = lines.aliases.get(folded);
  if (!named) return undefined;
  const [only] = named;
  // Another word for a bare version names no more than that does: SQL Server 2016 is 13.0 with any service pack.
  const split = only && product.split.get(normalizeVersion(only.name));
  if (split) return refuse("version-ambiguous", split);
  return named.length === 1 && only
    ? line(only, "alias")
    : refuse(
        "version-ambiguous",
        named.map((cycle) => cycle.name),
      );
}

function byPrefix(product: Product, lines: CycleIndex, version: string, trace: Tracer | undefined): VersionResolution {
  let longest: ReleaseCycle | undefined;
  for (const prefix of prefixes(version)) {
    if (!longest) {
      const split = product.split.get(prefix);
      if (split) return refuse("version-ambiguous", split);
    }
    const cycle = lines.named.get(prefix);
    if (!cycle) continue;
    if (longest) {
      trace?.("candidate-refused", `${cycle.name} is shorter than ${longest.name}`);
      return line(longest, "longest");
    }
    longest = cycle;
  }
  return longest ? line(longest, "release-line") : missing(product, version);
}

/** No line matches: it is too little of a version, above everything known, or just not there. */
function missing(product: Product, version: string): VersionResolution {
  const below = cyclesBelow(product, version);
  if (below.length > 0) return refuse("version-ambiguous", below);
  return refuse(isAboveAll(product, version) ? "newer-than-catalogue" : "version-not-tracked");
}

const line = (cycle: ReleaseCycle, versionMatchedBy?: VersionMatchedBy): VersionResolution => ({
  kind: "line",
  cycle,
  ...(versionMatchedBy && { versionMatchedBy }),
});

const refuse = (reason: UnresolvedReason, candidates?: readonly string[]): VersionResolution => ({
  kind: "refused",
  reason,
  ...(candidates && { candidates }),
});

function told(answer: Exclude<VersionRuleResult, undefined>): string {
  switch (answer.kind) {
    case "line":
      return `line ${answer.name}`;
    case "read-as":
      return `read as ${answer.version}`;
    case "shared":
      return `shared by ${answer.names.join(", ")}`;
    case "none":
      return "names no line";
  }
}

const list = (candidates: readonly string[] | undefined): string => (candidates ? `: ${candidates.join(", ")}` : "");
