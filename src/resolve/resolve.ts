/**
 * The resolve step: from a component to a release cycle, or to the reason why there is none. A component with a purl
 * resolves by its purl only; without one by name, model id or CPE; operating systems by name. Nothing is guessed: a
 * version that may belong to two cycles is ambiguous.
 */
import { percentEncode } from "../text/values.ts";
import { type IsoDate, type Purl, cycleKey } from "../text/ids.ts";
import type {
  Catalogue,
  Component,
  CycleRef,
  Policy,
  Resolution,
  Severity,
  ComponentDocument,
  Tracer,
} from "../model/index.ts";
import { ACTION_RUNTIME, actionOfPurl, declaredRuntime } from "./action.ts";
import { resolveCpe, resolveName, resolveSystem } from "./by-name.ts";
import { assess } from "../lifecycle/assess.ts";
import { gateOf } from "../lifecycle/gate.ts";
import { originFinder } from "./distro/origin.ts";
import { readRevisions } from "./distro/release-evidence.ts";
import { type ImagePart, type ImageReference, imageParts, isListed, referenceOfPurl } from "./image-parts.ts";
import { matchModel, resolvedModel } from "./model.ts";
import { PLACE_TYPES, placeOf } from "./place.ts";
import { findProduct } from "./product.ts";
import { purlKey } from "./purl/key.ts";
import { type PurlContext, ResolutionMemo, goModuleFinder, resolvePurl, untrackedTest } from "./purl/resolve.ts";
import { resolveAsked } from "./typed.ts";
import { hasCycle, unresolved } from "./unresolved.ts";
import { cycleByName } from "./version/resolve.ts";

/** Options of a resolver. */
export interface ResolverOptions {
  /** Resolve by purl only: not by names, CPEs or model ids. */
  readonly strict: boolean;
  /**
   * The day (UTC) on which versions older than the recorded cycles are assessed: they have ended when the next recorded
   * cycle has.
   */
  readonly asOf: IsoDate;
  /** `upstream`: packages of an unknown distribution release are assessed by upstream's cycle. By default they are unresolved. */
  readonly distroPackages?: Policy["distroPackages"];
  /** The number of components, for a document whose components are not all made yet. */
  readonly components?: number;
}

/** The context that the components of one document share. */
interface DocumentResolveContext extends PurlContext {
  readonly memo: ResolutionMemo;
}

/** A component outside of any document. Callers replace the fields that they know. */
export const NO_COMPONENT: Component = {
  pointer: "",
  span: { start: 0, end: 0 },
  kind: "other",
  name: "",
  purls: [],
  cpes: [],
  licenses: [],
  declared: [],
};

/** Resolves each component of one document. */
export type Resolver = (component: Component, trace?: Tracer) => Resolution;

/** A resolver for the components of `document`; null for a purl or a name that is in no document. */
export function createResolver(
  catalogue: Catalogue,
  document: ComponentDocument | null,
  { strict, asOf, distroPackages, components = document?.components.length ?? 0 }: ResolverOptions,
): Resolver {
  const base = { catalogue, asOf };
  const context: DocumentResolveContext = {
    ...base,
    memo: new ResolutionMemo(),
    originOf: originFinder(base, document, !strict),
    goModuleOf: goModuleFinder(catalogue, document),
    byUpstream: distroPackages === "upstream",
  };
  const test = untrackedTest(catalogue, components);
  const isUntracked = (component: Component): boolean =>
    test !== undefined && component.purlHash !== undefined && test(component.purlHash());
  return (component, trace) => {
    const { kind } = component;
    // The described software is the subject of the document and is not assessed itself. A root that is an operating
    // system or a model has that kind instead.
    if (kind === "root") return { kind: "not-applicable", why: "root" };
    if (kind === "file" || kind === "data") return resolveFile(component, kind, context, { strict, trace });
    if (kind === "other" && !trace && isUntracked(component)) return unresolved("purl-not-tracked");
    // Read once: each access decodes the document's bytes.
    const { purls } = component;
    if (purls.length > 0) return byPurls(purls, component, context, trace);
    return strict ? unresolved("name-matching-off") : withoutPurl(component, context, trace);
  };
}

/** Files and data sets are assessed only when a purl or CPE names a tracked product; their names are not evidence. */
function resolveFile(
  component: Component,
  why: "file" | "data",
  context: DocumentResolveContext,
  { strict, trace }: { readonly strict: boolean; readonly trace: Tracer | undefined },
): Resolution {
  const { purls } = component;
  const found =
    purls.length > 0
      ? byPurls(purls, component, context, trace)
      : strict
        ? undefined
        : resolveCpe(component, context, trace);
  const isTracked = found !== undefined && !(found.kind === "unmatched" && NOT_TRACKED.has(found.reason));
  return isTracked ? found : { kind: "not-applicable", why };
}

const NOT_TRACKED: ReadonlySet<string> = new Set(["purl-not-tracked", "purl-invalid", "model-not-tracked"]);

/** A CycloneDX component has one purl. An SPDX package may have several, which must resolve to the same cycle. */
function byPurls(
  purls: readonly Purl[],
  component: Component,
  context: DocumentResolveContext,
  trace: Tracer | undefined,
): Resolution {
  const [first] = purls;
  if (first === undefined) return unresolved("purl-invalid");
  if (purls.length === 1) return resolveOne(first, component, context, trace);
  const all = purls.map((purl) => resolveOne(purl, component, context, trace));
  const known = all.filter((resolution) => resolution.kind !== "unmatched" || resolution.product !== undefined);
  const meanings = new Set(known.map(meaningOf));
  const best =
    known.find(({ kind }) => kind === "resolved") ?? known.find(({ kind }) => kind === "distro-maintained") ?? known[0];
  if (meanings.size <= 1) return best ?? all[0] ?? unresolved("purl-not-tracked");
  trace?.("candidate-rejected", `the purls of the package mean ${[...meanings].join(" and ")}`);
  return unresolved("version-ambiguous", { candidates: [...meanings] });
}

/** A trace must contain every step, so a traced resolution does not use the cache. */
function resolveOne(
  purl: Purl,
  component: Component,
  context: DocumentResolveContext,
  trace: Tracer | undefined,
): Resolution {
  if (PLACE_TYPES.has(typeOf(purl))) {
    const resolveIt = (component.isPart === undefined && WHOLE[typeOf(purl)]) || resolvePurl;
    return placed(purl, resolveIt(purl, component, context, trace), context, trace);
  }
  // The cache has versions as packages state them, not lower bounds.
  if (trace || component.minimum) return resolvePurl(purl, component, context, trace);
  return context.memo.of(purl, component, () => resolvePurl(purl, component, context));
}

/** References that name several products. A file gives a row to each of them, which is a part; a component has one. */
const WHOLE: Readonly<Record<string, typeof resolveImage>> = {
  docker: resolveImage,
  oci: resolveImage,
  githubactions: resolveAction,
};

const typeOf = (purl: string): string => purl.slice("pkg:".length, purl.indexOf("/"));

/** What was found, with the place that it is taken from; the place alone where nothing was found. */
function placed(written: string, found: Resolution, context: PurlContext, trace: Tracer | undefined): Resolution {
  const key = purlKey(readImagePurl(written));
  const place = key.kind === "invalid" ? undefined : placeOf(context.catalogue, key, written);
  if (place === undefined || assessmentOf(place.releaseCycle, context)?.support.status !== "eol") return found;
  trace?.("place", place.releaseCycle.cycle);
  return found.kind === "resolved" ? { ...found, maintainedBy: place.releaseCycle } : place;
}

/** An image is judged by the product of its repository, and by whatever else its tag names. */
function resolveImage(
  written: string,
  component: Component,
  context: DocumentResolveContext,
  trace: Tracer | undefined,
): Resolution {
  const purl = readImagePurl(written);
  const own = resolvePurl(purl, component, context, trace);
  const key = purlKey(purl);
  if (key.kind === "invalid") return own;
  const reference = referenceOfPurl(key, component.version);
  const [product, ...others] = imageParts(reference, context.catalogue.facts.tools).map((part) =>
    resolvePart(part, component, context, trace),
  );
  const isNamed = product !== undefined && product.kind !== "unmatched" && isKnownRepository(own, reference, context);
  return decisive(isNamed ? product : own, others, context, trace);
}

/**
 * An action of GitHub is judged by the service that it needs, and by the Node.js that it declares: the runner starts one
 * that declares a removed Node.js on the next one, and one whose service was removed fails.
 */
function resolveAction(
  written: string,
  component: Component,
  context: DocumentResolveContext,
  trace: Tracer | undefined,
): Resolution {
  const key = purlKey(written);
  if (key.kind === "invalid") return resolvePurl(written, component, context, trace);
  const { path, repository, ref } = actionOfPurl(key, written, component.version);
  const own = resolvePurl(repository, component, context, trace);
  const declared = declaredRuntime(path, ref, context.catalogue.facts.tools);
  if (declared === undefined) return own;
  const runtime = resolvePart({ name: path, purl: ACTION_RUNTIME, ...declared }, component, context, trace);
  return own.kind === "unmatched" && own.product === undefined ? runtime : decisive(own, [runtime], context, trace);
}

/** The part on which the gate acts most severely by default; `own` before others that are equally severe. */
function decisive(
  own: Resolution,
  others: readonly Resolution[],
  context: PurlContext,
  trace: Tracer | undefined,
): Resolution {
  const worst = others.reduce(
    (one, other) => (severityOf(other, context) > severityOf(one, context) ? other : one),
    own,
  );
  if (worst !== own) trace?.("part", `${meaningOf(worst)} decides, which the reference names`);
  return worst;
}

/** Without a product, a mirror or a stream, the repository may be anybody's: docker.io/nginx may be a namespace. */
const isKnownRepository = (own: Resolution, reference: ImageReference, { catalogue }: PurlContext): boolean =>
  own.kind === "unmatched" && (own.product !== undefined || isListed(reference, catalogue.facts.tools));

/** Generators write the path of an image into purls of the type oci, which has no namespaces; docker has. */
const readImagePurl = (text: string): string =>
  /^pkg:oci\/[^@?#]*\/[^@?#]/.test(text) ? text.replace("pkg:oci/", "pkg:docker/") : text;

function resolvePart(
  { name, purl, version, kind = "other" }: ImagePart,
  component: Component,
  context: DocumentResolveContext,
  trace: Tracer | undefined,
): Resolution {
  const part = { ...NO_COMPONENT, name, kind, ...(version !== undefined && { version }) };
  if (purl === undefined) return withoutPurl(part, context, trace);
  const at = version === undefined ? "" : `@${percentEncode(version)}`;
  const [path = purl, query] = purl.split("?");
  const found = resolvePurl(`${path}${at}${query === undefined ? "" : `?${query}`}`, part, context, trace);
  return found.kind === "resolved" && component.purls[0] !== undefined
    ? { ...found, identifier: component.purls[0] }
    : found;
}

/** The outcome of the default policy for what a resolution names. What has no answer decides nothing. */
function severityOf(resolution: Resolution, context: PurlContext): number {
  if (!hasCycle(resolution)) return SEVERITY.pass;
  if (resolution.packageEnd?.kind === "ended") return SEVERITY.fail;
  const { releaseCycle, maintainedBy } =
    resolution.kind === "resolved" ? resolution : { releaseCycle: resolution.by, maintainedBy: undefined };
  const assessment = assessmentOf(maintainedBy ?? releaseCycle, context);
  return assessment === undefined ? SEVERITY.pass : SEVERITY[gateOf(assessment).outcome];
}

const SEVERITY: Readonly<Record<Severity, number>> = { pass: 0, warn: 1, fail: 2 };

function assessmentOf({ product: slug, cycle: name }: CycleRef, { catalogue, asOf }: PurlContext) {
  const product = catalogue.product(slug);
  const cycle = product && cycleByName(product, name, asOf);
  return product && cycle && assess(product, cycle, asOf);
}

function meaningOf(resolution: Resolution): string {
  if (resolution.kind === "resolved") return cycleKey(resolution.releaseCycle);
  if (resolution.kind === "distro-maintained") return cycleKey(resolution.by);
  return resolution.kind === "unmatched" ? (resolution.product ?? "") : resolution.why;
}
/**
 * A component whose version ends in a revision of a distribution (`1.1.1k-6.el8_5`) is a package of that distribution, as
 * if it had a purl without a namespace.
 */
function installedPackage(component: Component, context: PurlContext, trace?: Tracer): Resolution | undefined {
  const { name, version = "" } = component;
  const { packages } = context.catalogue;
  if (packages === undefined || !/^[\w.+-]+$/.test(name) || !/\d[^-]*-[^-]*\d/.test(version)) return undefined;
  const type = (["rpm", "deb"] as const).find((format) => readRevisions(packages, format, version).length > 0);
  if (type === undefined) return undefined;
  const purl = `pkg:${type}/${percentEncode(name.toLowerCase())}@${percentEncode(version)}`;
  return resolvePurl(purl, component, context, trace);
}

function withoutPurl(component: Component, context: PurlContext, trace?: Tracer): Resolution {
  const asked = component.asked ? findProduct(context.catalogue, component.name) : undefined;
  if (asked) return resolveAsked(asked, component.version ?? "", { ...context, trace });
  if (component.kind === "operating-system") return resolveSystem(component, context, trace);
  if (component.kind !== "model")
    return installedPackage(component, context, trace) ?? resolveName(component, context, trace);
  const model = matchModel(context.catalogue, component, undefined, trace);
  if (model.kind === "unmatched") return model;
  return model.kind === "cycle" ? resolvedModel(model) : unresolved("model-not-tracked");
}
