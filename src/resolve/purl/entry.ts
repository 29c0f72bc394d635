/** Resolves packages of the purl map, by the limits of the entry, the version, and the version in the name. */
import type { Component, Product, PurlEntry, ReleaseCycle, Resolution, Tracer } from "../../model/index.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import { getOwn } from "../../text/values.ts";
import { versionOptions, type ResolveContext } from "../context.ts";
import { inProduct, partOf, refuseRebuild } from "../product.ts";
import { unresolved, type Unresolved } from "../unresolved.ts";
import { indexCycles } from "../version/cycle-index.ts";
import {
  type NoNumbers,
  PACKAGING_RULES,
  agreesWithName,
  toProductNumbers,
  versionFromName,
} from "../version/product-numbers.ts";
import { isComputed, leadingNumbers, normalizeVersion, rejectNonVersion } from "../version/parse.ts";
import { after, contains, parseRange } from "../version/range.ts";
import { resolveRelease, type VersionResolution } from "../version/resolve.ts";
import type { PurlKey } from "./key.ts";

export type ResolvedPackage = Extract<Resolution, { readonly kind: "resolved" }>;

/** A purl whose package belongs to a product. */
export interface MappedPackage {
  readonly entry: PurlEntry;
  readonly product: Product;
  readonly purl: PurlKey;
  /** The purl as written. */
  readonly text: string;
  readonly component: Component;
}

/** Resolves a mapped package to a release cycle of its product, or of the part of the product that its entry names. */
export function resolveEntry(
  mapped: MappedPackage,
  context: ResolveContext,
  trace?: Tracer,
): ResolvedPackage | Unresolved {
  const { entry, product } = mapped;
  const found = resolvePart({ ...mapped, product: partOf(product, entry.part) }, context, trace);
  return inProduct(found, product, entry.part);
}

function resolvePart(
  mapped: MappedPackage,
  context: ResolveContext,
  trace: Tracer | undefined,
): ResolvedPackage | Unresolved {
  const { entry, product } = mapped;
  if (entry.productOnly) {
    trace?.("limit", "the package's numbers are not the product's");
    return unresolved("version-not-tracked", { product: product.slug });
  }
  const { catchAll } = indexCycles(product);
  const written = versionOf(mapped);
  const rebuilt = refuseRebuild(product, written, context.catalogue, trace);
  if (rebuilt) return rebuilt;
  if (!catchAll || entry.min !== undefined || entry.max !== undefined)
    return resolveVersioned(mapped, written, context, trace);
  trace?.("cycle", `${product.slug} all: contains every version`);
  return resolved(mapped, { cycle: catchAll, versionMatchedBy: "release-line" }, written ?? "");
}

function resolveVersioned(
  mapped: MappedPackage,
  written: string | undefined,
  context: ResolveContext,
  trace: Tracer | undefined,
): ResolvedPackage | Unresolved {
  const { product, component } = mapped;
  const found = orNamedCycle(mapped, resolveWritten(mapped, written, context, trace), trace);
  if (found.kind === "unresolved")
    return unresolved(found.reason, { product: product.slug, candidates: found.candidates });
  const conflict = conflictingCycle(mapped, found.cycle, context);
  if (conflict !== undefined) {
    trace?.("candidate-rejected", `version ${component.version} is of ${conflict}, the purl of ${found.cycle.name}`);
    const evidence = [`version ${component.version}`, `purl version ${written}`];
    return unresolved("version-conflict", { product: product.slug, evidence });
  }
  return rejectOtherName(mapped, found.cycle, trace) ?? resolved(mapped, found, written ?? "");
}

/** The cycle in the package's name, when nothing else states a version: `distroless/base-debian12:nonroot` is Debian 12. */
function orNamedCycle(
  { entry, product }: MappedPackage,
  found: VersionResolution,
  trace: Tracer | undefined,
): VersionResolution {
  if (found.kind !== "unresolved" || found.reason !== "no-version" || entry.cycle === undefined) return found;
  const cycle = indexCycles(product).byName.get(entry.cycle);
  if (cycle === undefined) return found;
  trace?.("cycle", `${product.slug} ${cycle.name}: in the name of the package`);
  return { kind: "cycle", cycle, versionMatchedBy: "release-line" };
}

/** Refuses a cycle that does not agree with the version in the name of the package. */
function rejectOtherName(
  { entry, product, purl }: MappedPackage,
  cycle: ReleaseCycle,
  trace: Tracer | undefined,
): Unresolved | undefined {
  const named = entry.cycle ?? versionFromName(purl.name);
  if (named === undefined || agreesWithName(cycle.name, named)) return undefined;
  trace?.("candidate-rejected", `the name contains ${named}, the version is ${cycle.name}`);
  return unresolved("version-ambiguous", { product: product.slug, candidates: [named, cycle.name] });
}

/** The cycle of `written`, a version in the form of the package type. */
function resolveWritten(
  mapped: MappedPackage,
  written: string | undefined,
  context: ResolveContext,
  trace: Tracer | undefined,
): VersionResolution {
  if (written === undefined) return { kind: "unresolved", reason: "no-version" };
  if (isComputed(written)) return { kind: "unresolved", reason: "computed-value" };
  const numbers = toNumbers(mapped, written, trace);
  if (typeof numbers !== "string")
    return belowMin(mapped, numbers.below, context, trace) ?? { kind: "unresolved", reason: numbers.reason };
  return resolveRelease(mapped.product, numbers, {
    ...versionOptions(context, trace, mapped.component),
    max: mapped.entry.max,
  });
}

/**
 * A version older than the first one that is known to follow the product's numbers. It has ended if the product's cycle
 * of that number is recorded and has ended, and that of the first version has, too.
 */
function belowMin(
  { entry: { min, ...entry }, product }: MappedPackage,
  below: string | undefined,
  context: ResolveContext,
  trace: Tracer | undefined,
): VersionResolution | undefined {
  const { asOf } = context;
  if (below === undefined || min === undefined) return undefined;
  const [own, first] = [below, min].map((version) => toProductNumbers(entry, normalizeVersion(version)));
  if (typeof own !== "string" || typeof first !== "string") return undefined;
  const ended = (version: string): ReleaseCycle | undefined => {
    const found = resolveRelease(product, version, versionOptions(context));
    const isRecorded = found.kind === "cycle" && product.cycles.includes(found.cycle);
    return isRecorded && lifecycleState(found.cycle.eol, asOf).status === "eol" ? found.cycle : undefined;
  };
  // The first version may be the number of several cycles (3), of which the lowest counts.
  const cycle = (ended(first) ?? ended(`${first}.0`)) ? ended(own) : undefined;
  trace?.("older", `${own} is older than ${first}, the first version with the product's numbers`);
  return cycle && { kind: "cycle", cycle, versionMatchedBy: "rule" };
}

/** The version in the product's numbering, without the parts that the package type adds. */
function toNumbers(mapped: MappedPackage, written: string, trace: Tracer | undefined): string | NoNumbers {
  const { entry, product, purl } = mapped;
  const stripped = stripPackaging(mapped, written);
  if (typeof stripped !== "string") return stripped;
  if (stripped !== written) trace?.("packaging", `${purl.type}: ${written} → ${stripped}`);
  const reason = stripped !== written && isCycleName(product, stripped) ? undefined : rejectNonVersion(stripped);
  if (reason === undefined) return convert(entry, stripped, trace);
  return reason === "version-is-range" && hasOwnNumbers(entry, stripped) ? stripped : { reason };
}

const stripPackaging = ({ product, purl }: MappedPackage, written: string) =>
  getOwn(PACKAGING_RULES, purl.type)?.(written, product, purl) ?? written;

/** A cycle may have the form of a range: the tag 20 of Lambda's image is the runtime nodejs20.x. */
const isCycleName = (product: Product, version: string): boolean => indexCycles(product).byName.has(version);

/** Whether all versions of a range have the product's numbers, so that it is a range of the product. */
function hasOwnNumbers({ transform, min, max }: PurlEntry, range: string): boolean {
  if (transform !== undefined) return false;
  if (min === undefined && max === undefined) return true;
  const own = { from: leadingNumbers(min ?? ""), below: max === undefined ? undefined : after(leadingNumbers(max)) };
  return parseRange(range)?.every((interval) => contains(own, interval)) ?? false;
}

function convert(entry: PurlEntry, stripped: string, trace: Tracer | undefined): string | NoNumbers {
  const numbers = toProductNumbers(entry, stripped);
  if (typeof numbers !== "string") trace?.("limit", numbers.why);
  else if (numbers !== stripped) trace?.("transform", `${entry.transform}: ${stripped} → ${numbers}`);
  return numbers;
}

/** The cycle of the component's own version, if it differs from the purl's cycle. */
function conflictingCycle(mapped: MappedPackage, cycle: ReleaseCycle, context: ResolveContext): string | undefined {
  const { component, purl } = mapped;
  if (component.version === undefined || purl.version === undefined || component.version === purl.version)
    return undefined;
  const own = resolveWritten(mapped, component.version, context, undefined);
  if (own.kind === "unresolved" || own.cycle.name === cycle.name) return undefined;
  // Versions older than the same recorded cycle have the same end.
  const isSameGap = cycle.olderThan !== undefined && own.cycle.olderThan === cycle.olderThan;
  return isSameGap ? undefined : own.cycle.name;
}

/** The version to resolve: an image's tag, else the purl's version, else the component's version field. */
function versionOf({ purl, component }: MappedPackage): string | undefined {
  const tag = purl.type === "docker" || purl.type === "oci" ? purl.qualifier("tag") : undefined;
  const version = tag ?? purl.version ?? component.version;
  return version === undefined || version.trim() === "" ? undefined : version;
}

function resolved(
  { product, text }: MappedPackage,
  {
    cycle,
    versionMatchedBy,
    minimum,
  }: Pick<ResolvedPackage, "versionMatchedBy" | "minimum"> & {
    readonly cycle: ReleaseCycle;
  },
  requestedVersion: string,
): ResolvedPackage {
  // A version older than the recorded cycles is named like its cycle, but how it matched must stay visible.
  const isNamed = requestedVersion === cycle.name && cycle.olderThan === undefined;
  return {
    kind: "resolved",
    releaseCycle: { product: product.slug, cycle: cycle.name },
    matchedBy: "purl",
    ...(versionMatchedBy && !isNamed && { versionMatchedBy }),
    requestedVersion,
    ...(minimum && { minimum }),
    identifier: text,
  };
}
