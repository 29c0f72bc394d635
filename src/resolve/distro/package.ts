/**
 * Resolves packages of distributions. The distribution backports fixes, so the end of its release decides, or the
 * support period of the package where the distribution states one. A vendor's package is resolved by its own product
 * (docs/evidence-rules.md).
 */
import type {
  Catalogue,
  Component,
  CycleRef,
  PackageEnd,
  PackageLifecycle,
  ReleaseCycle,
  Resolution,
  Tracer,
} from "../../model/index.ts";
import { addDays, lastDay } from "../../lifecycle/days.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import type { ResolveContext } from "../context.ts";
import { resolveEntry, type MappedPackage, type ResolvedPackage } from "../purl/entry.ts";
import type { PurlKey } from "../purl/key.ts";
import { unresolved, type Unresolved } from "../unresolved.ts";
import type { OriginFinder, PackageOrigin } from "./origin.ts";
import { packagePeriod, type PackagePeriod } from "./package-period.ts";
import { endedBefore, hasEnded } from "./shipped.ts";
import type { Vendor } from "./vendor-index.ts";

export interface DistroContext extends ResolveContext {
  readonly originOf: OriginFinder;
  /** Whether packages of an unknown release are resolved by upstream's cycle (policy `distroPackages: upstream`). */
  readonly byUpstream: boolean;
}

export interface DistroPackage {
  /** The purl as written. */
  readonly text: string;
  readonly purl: PurlKey;
  readonly component: Component;
  /** Its entry in the purl map. */
  readonly mapped: MappedPackage | undefined;
}

export function resolveDistroPackage(installed: DistroPackage, context: DistroContext, trace?: Tracer): Resolution {
  // The database of rpm lists the keys of publishers like packages.
  if (installed.purl.key.endsWith("/gpg-pubkey")) return { kind: "not-applicable", why: "data" };
  const origin = context.originOf(installed, trace);
  switch (origin.kind) {
    case "upstream":
      return byProduct(installed, context, trace) ?? unresolved("purl-not-tracked");
    case "rolling":
      return byProduct(installed, context, trace) ?? unresolved("distro-unknown");
    case "vendor":
      return byVendor(installed, origin.vendor, context, trace);
    case "unknown":
      return byUnknownOrigin(installed, origin, context, trace);
    case "release":
      return byRelease(installed, origin, context, trace);
  }
}

function byProduct({ mapped }: DistroPackage, context: DistroContext, trace?: Tracer): Resolution | undefined {
  return mapped && resolveEntry(mapped, context, trace);
}

/** A vendor's package follows its own product, which the purl map or the vendor's record names. */
function byVendor(installed: DistroPackage, vendor: Vendor, context: DistroContext, trace?: Tracer): Resolution {
  const own = byProduct(installed, context, trace);
  if (own) return own;
  const product = vendor.product === undefined ? undefined : context.catalogue.product(vendor.product);
  if (!product) return unresolved("purl-not-tracked");
  trace?.("map-entry", `${product.slug}, basis vendor-package`);
  const { text, purl, component } = installed;
  const entry = { product: product.slug, basis: "vendor-package" };
  return resolveEntry({ entry, product, purl, text, component }, context, trace);
}

function byUnknownOrigin(
  installed: DistroPackage,
  { reason, evidence }: Extract<PackageOrigin, { kind: "unknown" }>,
  context: DistroContext,
  trace: Tracer | undefined,
): Resolution {
  const rejection = unresolved(reason, { product: installed.mapped?.product.slug, evidence });
  if (reason === "distro-conflict") return rejection;
  const own = byProduct(installed, context, trace);
  // A problem of the version itself exists in every release.
  const follows = context.byUpstream || reason === "distro-package-unknown" || own?.kind === "unmatched";
  return own !== undefined && follows ? own : rejection;
}

function byRelease(
  installed: DistroPackage,
  { release: by, proven }: Extract<PackageOrigin, { kind: "release" }>,
  context: DistroContext,
  trace?: Tracer,
): Resolution {
  const { mapped } = installed;
  const period = packagePeriod(context.catalogue.packages, installed, by);
  trace?.("package-period", describePeriod(period));
  const found = mapped && resolveEntry(mapped, context, trace);
  const rejection = refusePeriod(installed, period, cycleIn(found), { ...context, by, proven });
  if (isVersionConflict(found)) return found;
  if (rejection) return rejection;
  const packageEnd = packageEndOf(installed, period, by, context);
  if (found?.kind === "resolved") return { ...found, maintainedBy: by, ...(packageEnd && { packageEnd }) };
  // The distribution maintains its package even if the software's own cycle is not known.
  return { kind: "distro-maintained", by, ...(packageEnd && { packageEnd }) };
}

const cycleIn = (found: ResolvedPackage | Unresolved | undefined): CycleRef | undefined =>
  found?.kind === "resolved" ? found.releaseCycle : undefined;

const isVersionConflict = (found: ResolvedPackage | Unresolved | undefined): found is Unresolved =>
  found?.kind === "unmatched" && found.reason === "version-conflict";

/** The release of the distribution that maintains the package. */
interface Maintained extends DistroContext {
  readonly by: CycleRef;
  readonly proven: boolean;
}

/** Refuses a package if its release has not ended, and nothing shows that the release maintains this version. */
function refusePeriod(
  { purl, mapped }: DistroPackage,
  period: PackagePeriod,
  own: CycleRef | undefined,
  context: Maintained,
): Unresolved | undefined {
  const product = mapped?.product.slug;
  if (period.kind === "recorded" || period.kind === "release")
    return isTooOld(own, period, context) ? unresolved("distro-version-unknown", { product }) : undefined;
  // No stream lives longer than its distribution, so in one that has ended the stream need not be known.
  if (period.kind !== "other-repository" && hasEnded(context.by, context)) return undefined;
  if (period.kind === "stream-unknown") return unresolved("module-stream-unknown", { product });
  return isOver(own, purl, context) ? unresolved("alternative-version-unknown", { product }) : undefined;
}

/** Whether the version had ended before the release was published, and nothing shows that it is part of the release. */
function isTooOld(own: CycleRef | undefined, period: PackagePeriod, context: Maintained): boolean {
  if (own === undefined || context.proven || hasEnded(context.by, context)) return false;
  const hasOwnEnd = period.kind === "recorded" && endOf(period.lifecycle) !== undefined;
  return !hasOwnEnd && endedBefore(context.by, own, context);
}

const isOver = (own: CycleRef | undefined, purl: PurlKey, context: DistroContext): boolean =>
  own ? hasEnded(own, context) : namesEnded(purl, context);

function namesEnded({ name }: PurlKey, { catalogue, asOf }: DistroContext): boolean {
  const cycles = cyclesInName(catalogue, name);
  return cycles.length > 0 && cycles.every(({ eol }) => lifecycleState(eol, asOf).status === "eol");
}

/** The cycles that the name may mean: `php74` and `php7.4` mean 7.4, `redis6` any 6.x. Empty for other names. */
function cyclesInName(catalogue: Catalogue, name: string): readonly ReleaseCycle[] {
  for (const [pattern, slug] of catalogue.facts.alternativeVersions) {
    const digits = pattern.exec(name)?.[1]?.replaceAll(".", "");
    if (digits === undefined) continue;
    const cycles = catalogue.product(slug)?.cycles ?? [];
    const exact = cycles.filter((cycle) => cycle.name.replaceAll(".", "") === digits);
    return exact.length > 0 ? exact : cycles.filter((cycle) => cycle.name.startsWith(`${digits}.`));
  }
  return [];
}

/** Distributions end support by source package, which Syft and others name in `upstream` (`openssl@3.0.11`). */
function packageEndOf(
  { purl }: DistroPackage,
  period: PackagePeriod,
  { product, cycle }: CycleRef,
  { catalogue }: DistroContext,
): PackageEnd | undefined {
  const source = purl.qualifier("upstream")?.replace(/@.*$/, "");
  const ofPackage = catalogue.packageEnd(product, cycle, source ?? purl.name);
  return ofPackage ?? (period.kind === "recorded" ? endOf(period.lifecycle) : undefined);
}

function endOf({ end, fullLife, url, retrievedAt: readOn }: PackageLifecycle): PackageEnd | undefined {
  if (fullLife || (end.kind !== "dated" && end.kind !== "ended")) return undefined;
  const from = end.kind === "dated" ? addDays(lastDay(end.date), 1) : undefined;
  return { kind: "ended", ...(from !== undefined && { from }), url, readOn };
}

const PERIOD_TEXTS = {
  "stream-unknown": "module stream not known",
  "other-repository": "of another repository without a recorded period",
  alternative: "alternative version without a recorded period",
  release: "that of the release",
} as const;

function describePeriod(period: PackagePeriod): string {
  if (period.kind !== "recorded") return PERIOD_TEXTS[period.kind];
  const { name, stream, end } = period.lifecycle;
  const until = end.kind === "dated" ? ` until ${lastDay(end.date)}` : "";
  return `${name}${stream === undefined ? "" : ` ${stream}`}${until}`;
}
