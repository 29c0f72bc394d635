/**
 * Determines who built a package of a distribution, and for which release. "Distro-maintained" is a claim: it needs
 * evidence of the release, and no evidence that somebody else built the package (docs/evidence-rules.md).
 */
import type { ProductSlug } from "../../text/ids.ts";
import type {
  Component,
  CycleRef,
  PackageCatalogue,
  PackageFormat,
  ComponentDocument,
  Tracer,
  UnresolvedReason,
} from "../../model/index.ts";
import { getOwn, lazy, remembered } from "../../text/values.ts";
import type { ResolveContext } from "../context.ts";
import type { MappedPackage } from "../purl/entry.ts";
import type { PurlKey } from "../purl/key.ts";
import {
  firstConflict,
  OWN_HOSTS,
  provesDistribution,
  repositoryEvidence,
  revisionEvidence,
  type ReleaseEvidence,
  type RevisionEvidence,
} from "./release-evidence.ts";
import { leadingNumbers } from "../version/parse.ts";
import { hasEnded, isOwnName, neverShipped, RECORDED, RHEL, ships } from "./shipped.ts";
import {
  describeRelease,
  isOtherProduct,
  releaseOfDocument,
  releaseOfQualifier,
  type StatedRelease,
} from "./system.ts";
import { lacksMark, vendorBuilds } from "./vendor-build.ts";
import { vendorIndex, type Vendor } from "./vendor-index.ts";

export const PACKAGE_TYPES: ReadonlySet<string> = new Set(["deb", "rpm", "apk", "alpm"]);

export type PackageOrigin =
  /** Not a distribution's package: resolved by its own product. */
  | { readonly kind: "upstream" }
  | { readonly kind: "vendor"; readonly vendor: Vendor }
  /** A distribution without releases. */
  | { readonly kind: "rolling" }
  | {
      readonly kind: "release";
      readonly release: CycleRef;
      /** Its revision names the release, or the release is recorded to ship its version. */
      readonly proven: boolean;
    }
  | { readonly kind: "unknown"; readonly reason: UnresolvedReason; readonly evidence?: readonly string[] };

/** Finds the origin of one package of a document. */
export type OriginFinder = (target: OriginRequest, trace?: Tracer) => PackageOrigin;

export interface OriginRequest {
  readonly purl: PurlKey;
  readonly component: Component;
  /** Its entry in the purl map. */
  readonly mapped?: MappedPackage | undefined;
}

const UPSTREAM: PackageOrigin = { kind: "upstream" };
const ROLLING = { kind: "rolling" } as const;

/**
 * Creates the finder for a document. `byName`: whether the document's operating system, which is identified by its
 * name, counts as evidence.
 */
export function originFinder(
  context: ResolveContext,
  document: ComponentDocument | null,
  byName: boolean,
): OriginFinder {
  return new Origins(context, byName ? document : null).find;
}

interface TracedOriginRequest extends OriginRequest {
  readonly trace: Tracer | undefined;
}

class Origins {
  private readonly context: ResolveContext;
  private readonly packages: PackageCatalogue | undefined;
  private readonly markedBy: (purl: PurlKey) => string | undefined;
  private readonly qualifiers = new Map<string, StatedRelease>();
  private readonly productOfNamespace: (namespace: string) => ProductSlug | "rolling" | undefined;
  private readonly documentSystem: () => StatedRelease;

  constructor(context: ResolveContext, document: ComponentDocument | null) {
    this.context = context;
    this.packages = context.catalogue.packages;
    this.markedBy = vendorBuilds(context.catalogue);
    this.productOfNamespace = remembered((namespace: string) => {
      const entry = namespace === "" ? undefined : this.context.catalogue.operatingSystem(namespace);
      return entry === "rolling" ? "rolling" : entry?.product;
    });
    this.documentSystem = lazy(() => (document ? releaseOfDocument(context, document) : undefined));
  }

  readonly find: OriginFinder = (target, trace) => {
    const { purl } = target;
    const repository = purl.qualifier("repository_url");
    if (!PACKAGE_TYPES.has(purl.type) || (repository !== undefined && !OWN_HOSTS.test(repository))) return UPSTREAM;
    const question: TracedOriginRequest = { ...target, trace };
    const namespace = this.productOfNamespace(purl.namespace);
    const distribution = namespace === "rolling" ? undefined : namespace;
    const revision = this.packages
      ? revisionEvidence(this.context.catalogue, this.packages, purl, distribution)
      : NO_REVISION;
    const vendor = this.vendorOf(question, distribution, revision);
    if (vendor) {
      trace?.("distro", `built by ${vendor.name}, shown by ${vendor.evidence}`);
      return { kind: "vendor", vendor };
    }
    if (namespace !== "rolling") return this.releaseOf(question, distribution, revision);
    trace?.("distro", `${purl.namespace}: ${describeRelease(ROLLING)}`);
    return ROLLING;
  };

  private vendorOf(
    { purl, component }: TracedOriginRequest,
    distribution: ProductSlug | undefined,
    revision: RevisionEvidence,
  ): Vendor | undefined {
    const { type, name } = purl;
    if (this.packages && (type === "deb" || type === "rpm" || type === "apk")) {
      const vendor =
        this.namedVendor(type, purl, revision) ?? this.publisherOf(component, { format: type, name }, distribution);
      if (vendor) return vendor;
    }
    const mark = this.markedBy(purl);
    return mark === undefined ? undefined : { name: "a vendor", evidence: `its revision (${mark})` };
  }

  /** A name proves less than a revision that only the distribution writes: Photon ships packages of vendors' names. */
  private namedVendor(
    format: PackageFormat,
    { name, version = "" }: PurlKey,
    revision: RevisionEvidence,
  ): Vendor | undefined {
    const found = this.packages && vendorIndex(this.packages).byPackage(format, name, version);
    return found?.evidence === "its name" && provesDistribution(revision) ? undefined : found;
  }

  private publisherOf(
    { publisher, supplier }: Component,
    named: { readonly format: PackageFormat; readonly name: string },
    product: ProductSlug | undefined,
  ): Vendor | undefined {
    const index = this.packages && vendorIndex(this.packages);
    const makers = product && getOwn(this.context.catalogue.facts.packageEvidence.makers, product);
    for (const text of [publisher, supplier]) {
      const vendor = text === undefined ? undefined : index?.byPublisher(text, named, { product, makers });
      if (vendor) return vendor;
    }
    return undefined;
  }

  private releaseOf(
    question: TracedOriginRequest,
    distribution: ProductSlug | undefined,
    revision: RevisionEvidence,
  ): PackageOrigin {
    const { purl } = question;
    // The namespace of a vendor whose revision no distribution writes: pkg:rpm/acme/agent.
    if (purl.namespace !== "" && distribution === undefined && revision.kind !== "release") return UPSTREAM;
    if (revision.kind === "layered") return { kind: "unknown", reason: "vendor-rebuild" };
    if (revision.kind === "foreign")
      return conflicting([`revision of ${revision.distribution}`, `namespace ${purl.namespace}`], question);
    const stated = this.statedRelease(question, distribution);
    return stated === "rolling" ? ROLLING : this.decide(stated, revision, question);
  }

  /** Uses the first piece of evidence if none contradicts another and the distribution ships the package. */
  private decide(
    stated: ReleaseEvidence | undefined,
    revision: RevisionEvidence,
    question: TracedOriginRequest,
  ): PackageOrigin {
    const { layered } = this.context.catalogue.facts.releaseEvidence;
    const marked = revision.kind === "release" ? revision.evidence : undefined;
    const repository = repositoryEvidence(this.context.catalogue, question.purl);
    const all = [stated, marked, repository].filter((each) => each !== undefined);
    const conflict = firstConflict(all, marked, this.context.catalogue);
    if (conflict) return conflicting(conflict, question);
    const first = all.find(({ release }) => layered.includes(release.product)) ?? all[0];
    if (first === undefined) return { kind: "unknown", reason: "distro-unknown" };
    question.trace?.("distro", `${first.text}: ${first.release.product} ${first.release.cycle}`);
    const built = this.builtFor(first.release, revision, question);
    if (built) return built;
    if (repository === undefined && lacksMark(first.release, question.purl)) {
      question.trace?.("distro", `${first.release.product} marks the release part of its packages`);
      return { kind: "unknown", reason: "distro-package-unknown" };
    }
    return this.shippedBy(first.release, question);
  }

  /**
   * The release, if the revision proves that the distribution built the package for it: the revision names the release,
   * or the release ships this version. A package of another release gets no fixes from this one.
   */
  private builtFor(
    release: CycleRef,
    revision: RevisionEvidence,
    { purl, mapped }: TracedOriginRequest,
  ): PackageOrigin | undefined {
    if (!provesDistribution(revision)) return undefined;
    const named = revision.kind === "release" ? revision.evidence.release : undefined;
    const isNamed = named?.product === release.product && named.cycle === release.cycle;
    const shipped = isNamed ? "shipped" : ships(this.context.catalogue, release, purl, mapped);
    const isOther = mapped !== undefined && named !== undefined;
    if (shipped === "never" || (shipped === "unknown" && isOther)) return undefined;
    return { kind: "release", release, proven: shipped === "shipped" };
  }

  /** The release, unless it does not ship the package or this version of its product: then somebody else built it. */
  private shippedBy(release: CycleRef, { purl, mapped, trace }: TracedOriginRequest): PackageOrigin {
    const vendor = this.vendorOfName(release, purl);
    if (vendor) {
      trace?.("distro", `${release.product} ships no package named ${purl.name}: it is of ${vendor.name}`);
      return { kind: "vendor", vendor };
    }
    const shipped = ships(this.context.catalogue, release, purl, mapped);
    // Whoever built it: in a release that has ended it is not maintained.
    if (shipped === "shipped" || (shipped === "unknown" && hasEnded(release, this.context)))
      return { kind: "release", release, proven: RECORDED.has(release.product) };
    const [known, reason] = NOT_SHIPPED[shipped];
    const what = mapped ? `this version of ${mapped.product.slug}` : `a package named ${purl.name}`;
    trace?.("distro", `${release.product} ${release.cycle} ${known} ${what}`);
    return { kind: "unknown", reason };
  }

  /** The vendor of a package of RHEL by its name alone: `.el9` is written by others, too. */
  private vendorOfName(release: CycleRef, { type, name }: PurlKey): Vendor | undefined {
    if (this.packages === undefined || type !== "rpm" || !RHEL.has(release.product)) return undefined;
    if ((leadingNumbers(release.cycle)[0] ?? 0) < FIRST_LISTED || isOwnName(this.context.catalogue, release, name))
      return undefined;
    const product = neverShipped(this.context.catalogue, release, name);
    const maker = product && { name: "its maker", evidence: "its name", product };
    return vendorIndex(this.packages).byExactName(type, name) ?? maker;
  }

  /** The `distro` qualifier, else the document's single operating system when it is the same distribution. */
  private statedRelease(
    question: TracedOriginRequest,
    distribution: ProductSlug | undefined,
  ): ReleaseEvidence | "rolling" | undefined {
    const { purl, trace } = question;
    const qualifier = purl.qualifier("distro");
    if (qualifier !== undefined) {
      const stated = this.releaseOfQualifier(qualifier, purl.namespace, trace);
      trace?.("distro", `${qualifier}: ${describeRelease(stated)}`);
      if (stated) return toEvidence(stated, `distro=${qualifier}`);
    }
    const system = this.documentSystem();
    if (system === undefined) return undefined;
    const isOther =
      system.kind === "rolling" ? purl.namespace !== "" : isOtherProduct(system.releaseCycle, distribution);
    return isOther ? undefined : toEvidence(system, `operating system ${describeRelease(system)}`);
  }

  private releaseOfQualifier(qualifier: string, namespace: string, trace: Tracer | undefined): StatedRelease {
    if (trace) return releaseOfQualifier(this.context, qualifier, namespace, trace);
    const key = `${namespace} ${qualifier}`;
    if (!this.qualifiers.has(key)) this.qualifiers.set(key, releaseOfQualifier(this.context, qualifier, namespace));
    return this.qualifiers.get(key);
  }
}

const NOT_SHIPPED = {
  never: ["does not ship", "distro-package-unknown"],
  unknown: ["is not known to ship", "distro-version-unknown"],
} as const;

/** The first version of RHEL of which names are known. */
const FIRST_LISTED = 8;

const NO_REVISION: RevisionEvidence = { kind: "none" };

const toEvidence = (release: NonNullable<StatedRelease>, text: string): ReleaseEvidence | "rolling" =>
  release.kind === "rolling" ? "rolling" : { text, release: release.releaseCycle };

function conflicting(evidence: readonly string[], { trace }: TracedOriginRequest): PackageOrigin {
  trace?.("distro", `contradictory evidence: ${evidence.join(", ")}`);
  return { kind: "unknown", reason: "distro-conflict", evidence };
}
