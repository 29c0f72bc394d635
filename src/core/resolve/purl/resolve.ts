/** One purl: the entry of the purl map, its limits, the version, the release cycle, and the distribution that maintains it. */
import type {
  Catalogue,
  Component,
  CycleRef,
  EarlyEnd,
  Product,
  PurlEntry,
  ReleaseCycle,
  Resolution,
  Tracer,
  UnresolvedReason,
} from "../../model.ts";
import { own } from "../../own.ts";
import { versionOptions, type ResolveContext } from "../context.ts";
import type { DistributionFinder } from "../distro/distribution.ts";
import { isHub, matchModel, resolvedModel } from "../model.ts";
import { inProduct, partOf } from "../part.ts";
import { unresolved, type Unresolved } from "../unresolved.ts";
import { indexCycles } from "../version/cycle-index.ts";
import { agreesWithName, versionFromName } from "../version/from-name.ts";
import { rejectNonVersion } from "../version/parse.ts";
import { toProductNumbers } from "../version/product-numbers.ts";
import { resolveRelease, type VersionResolution } from "../version/resolve.ts";
import { purlKey, type PurlKey } from "./key.ts";

export interface PackageContext extends ResolveContext {
  readonly distributions: DistributionFinder;
}

/** What `text`, one of the component's purls, resolves to. */
export function resolvePurl(text: string, component: Component, context: PackageContext, trace?: Tracer): Resolution {
  const purl = purlKey(text);
  if (purl.kind === "invalid") {
    trace?.("purl-invalid", purl.why);
    return unresolved("purl-invalid");
  }
  trace?.("purl-key", purl.key);
  const { catalogue, distributions } = context;
  const entry = catalogue.purl(purl.key);
  if (!entry) return resolveUnmapped(text, purl, component, context, trace);
  trace?.("map-entry", `${entry.product}, basis ${entry.basis}`);
  const product = catalogue.product(entry.product);
  if (!product) return unresolved("purl-not-tracked");
  const isMaintained = entry.distroMaintained === true && distributions.maintains(purl, trace);
  const release = isMaintained ? distributions.releaseOf(purl, trace) : undefined;
  const within = resolveEntry({ entry, product: partOf(product, entry.part), purl, component }, context, trace);
  const found = inProduct(within, product, entry.part);
  if (release?.kind !== "cycle") return found.kind === "unmatched" ? found : { ...found, identifier: text };
  // The distribution maintains its package also where the software's own cycle is unknown.
  if (found.kind === "unmatched") return maintainedBy(catalogue, purl, release.releaseCycle);
  const early = earlyEnd(catalogue, purl, release.releaseCycle);
  return { ...found, identifier: text, maintainedBy: release.releaseCycle, ...(early && { earlyEnd: early }) };
}

/** Not in the map: the id of a model, a distribution's own package, or nothing that is tracked. */
function resolveUnmapped(
  text: string,
  purl: PurlKey,
  component: Component,
  context: PackageContext,
  trace?: Tracer,
): Resolution {
  const { catalogue, distributions } = context;
  if (isHub(purl)) return unresolved(component.kind === "data" ? "purl-not-tracked" : "model-not-tracked");
  if (purl.type === "generic" || component.kind === "model") {
    const model = matchModel(catalogue, component, purl, trace);
    if (model.kind === "unmatched") return model;
    if (model.kind === "unknown")
      return unresolved(component.kind === "model" ? "model-not-tracked" : "purl-not-tracked");
    return resolvedModel(model, text);
  }
  if (!distributions.maintains(purl, trace)) return unresolved("purl-not-tracked");
  const release = distributions.releaseOf(purl, trace);
  // A rolling distribution has no release that could end.
  return release?.kind === "cycle" ? maintainedBy(catalogue, purl, release.releaseCycle) : unresolved("distro-unknown");
}

function maintainedBy(catalogue: Catalogue, purl: PurlKey, by: CycleRef): Resolution {
  const early = earlyEnd(catalogue, purl, by);
  return early ? { kind: "covered", by, earlyEnd: early } : { kind: "covered", by };
}

/** Distributions end support by source package; Syft and others name it in `upstream`, `openssl@3.0.11`. */
function earlyEnd(catalogue: Catalogue, purl: PurlKey, by: CycleRef): EarlyEnd | undefined {
  const source = purl.qualifier("upstream")?.replace(/@.*$/, "");
  return catalogue.endedEarly(by.product, by.cycle, source ?? purl.name);
}

type Found = Extract<Resolution, { readonly kind: "resolved" }> | Unresolved;

interface MappedPackage {
  readonly entry: PurlEntry;
  readonly product: Product;
  readonly purl: PurlKey;
  readonly component: Component;
}

function resolveEntry(mapped: MappedPackage, context: ResolveContext, trace: Tracer | undefined): Found {
  const { entry, product, purl, component } = mapped;
  if (entry.productOnly) {
    trace?.("limit", "the package's numbers are not the product's");
    return unresolved("version-not-tracked", { product: product.slug });
  }
  const isLimited = entry.min !== undefined || entry.max !== undefined;
  const { catchAll } = indexCycles(product);
  const written = versionOf(purl, component);
  if (catchAll && !isLimited) {
    trace?.("cycle", `${product.slug} all: contains every version`);
    return resolved(product, catchAll.name, written ?? "", "release-line");
  }
  const found = resolveWritten(mapped, written, context, trace);
  if (found.kind === "unresolved")
    return unresolved(found.reason, { product: product.slug, candidates: found.candidates });
  const conflict = conflictingCycle(mapped, found.cycle, context);
  if (conflict !== undefined) {
    trace?.("candidate-rejected", `version ${component.version} is of ${conflict}, the purl of ${found.cycle.name}`);
    const evidence = [`version ${component.version}`, `purl version ${written}`];
    return unresolved("version-conflict", { product: product.slug, evidence });
  }
  const named = entry.cycle ?? versionFromName(purl.name, context.tables.namedVersions);
  if (named !== undefined && !agreesWithName(found.cycle.name, named)) {
    trace?.("candidate-rejected", `the name contains ${named}, the version is ${found.cycle.name}`);
    return unresolved("version-ambiguous", { product: product.slug, candidates: [named, found.cycle.name] });
  }
  return resolved(product, found.cycle.name, written ?? "", found.versionMatchedBy);
}

/** The cycle of `written`, a version in the form of the package type. */
function resolveWritten(
  mapped: MappedPackage,
  written: string | undefined,
  context: ResolveContext,
  trace: Tracer | undefined,
): VersionResolution {
  const numbers = productVersion(mapped, written, context, trace);
  if (typeof numbers !== "string") return { kind: "unresolved", reason: numbers.reason };
  return resolveRelease(mapped.product, numbers, { ...versionOptions(context, trace), max: mapped.entry.max });
}

/** The cycle of the component's own version, when that is another one than the purl's. */
function conflictingCycle(mapped: MappedPackage, cycle: ReleaseCycle, context: ResolveContext): string | undefined {
  const { version } = mapped.component;
  if (version === undefined || mapped.purl.version === undefined || version === mapped.purl.version) return undefined;
  const own = resolveWritten(mapped, version, context, undefined);
  if (own.kind === "unresolved" || own.cycle.name === cycle.name) return undefined;
  // Two versions that are older than the same cycle differ only in name.
  const isSameGap = cycle.olderThan !== undefined && own.cycle.olderThan === cycle.olderThan;
  return isSameGap ? undefined : own.cycle.name;
}

/** The version in the product's numbers, without what the package type adds. */
function productVersion(
  { entry, product, purl }: MappedPackage,
  written: string | undefined,
  { tables }: ResolveContext,
  trace: Tracer | undefined,
): string | { readonly reason: UnresolvedReason } {
  if (written === undefined) return { reason: "no-version" };
  const stripped = own(tables.packaging, purl.type)?.(written, product, purl) ?? written;
  if (typeof stripped !== "string") return stripped;
  if (stripped !== written) trace?.("packaging", `${purl.type}: ${written} → ${stripped}`);
  const reason = rejectNonVersion(stripped);
  if (reason) return { reason };
  const numbers = toProductNumbers(entry, stripped, tables.transforms);
  if (typeof numbers !== "string") {
    trace?.("limit", numbers.why);
    return numbers;
  }
  if (numbers !== stripped) trace?.("transform", `${entry.transform}: ${stripped} → ${numbers}`);
  return numbers;
}

/** The purl's own version; a `tag` says more than a digest; without either the component's field. */
function versionOf(purl: PurlKey, component: Component): string | undefined {
  const tag = purl.type === "docker" || purl.type === "oci" ? purl.qualifier("tag") : undefined;
  const version = tag ?? purl.version ?? component.version;
  return version === undefined || version.trim() === "" ? undefined : version;
}

function resolved(
  product: Product,
  cycle: string,
  requestedVersion: string,
  versionMatchedBy: Extract<Found, { kind: "resolved" }>["versionMatchedBy"],
): Found {
  return {
    kind: "resolved",
    releaseCycle: { product: product.slug, cycle },
    matchedBy: "purl",
    // An older version is its own cycle; how it matched is evidence that nobody may lose.
    ...(versionMatchedBy && (requestedVersion !== cycle || versionMatchedBy === "older") && { versionMatchedBy }),
    requestedVersion,
  };
}
