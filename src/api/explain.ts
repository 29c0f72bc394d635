/**
 * `eolgate explain`: runs the main path for one subject, with a trace of every step. Returns data; `report/` formats
 * it.
 */
import { EolgateError } from "../messages/error.ts";
import { evaluatePolicy } from "../policy/evaluate.ts";
import { asPurl, type IsoDate } from "../text/ids.ts";
import { formatDate, formatGateEnd } from "../messages/format.ts";
import type {
  AssessedComponent,
  Assessment,
  Catalogue,
  Component,
  Finding,
  CycleRef,
  Policy,
  Tracer,
} from "../model/index.ts";
import { formatSupport, POLICY_NOT_RECORDED } from "../messages/support.ts";
import { listedLevels } from "../support/listed.ts";
import { askedVersion } from "../resolve/typed.ts";
import { findProduct } from "../resolve/product.ts";
import { createResolver, NO_COMPONENT } from "../resolve/resolve.ts";
import { milestonesOf } from "../wire/product.ts";
import { createCycleLookup, resolveRequest } from "./operations/lookup.ts";

/** One step of a resolution. */
export interface ExplainStep {
  /** What was tried; see `Tracer`. */
  readonly step: string;
  /** The result, as text. */
  readonly detail: string;
}

/** How a subject was resolved, and the outcome of the policy. */
export interface Explanation {
  /** As given. */
  readonly subject: string;
  /** How the subject was read: a purl, `slug:version` of a tracked product, or a component's name and version. */
  readonly readAs: "purl" | "cycle" | "name";
  readonly steps: readonly ExplainStep[];
  readonly finding: Finding;
  readonly asOf: IsoDate;
}

interface ExplainSetting {
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly asOf: IsoDate;
}

export function explain(subject: string, context: ExplainSetting): Explanation {
  const steps: ExplainStep[] = [];
  const trace: Tracer = (step, detail) => void steps.push({ step, detail });
  const { readAs, candidate } = candidateOf(subject, context, trace);
  const [finding] = evaluatePolicy([candidate], { ...context.policy, scope: "all" }, context.asOf).findings;
  if (!finding) throw new TypeError("evaluate returns one finding for each candidate");
  for (const assessment of [candidate.assessment, candidate.distroAssessment])
    if (assessment) traceMilestones(context.catalogue, assessment, trace);
  if (readAs === "purl") traceListed(candidate, context, trace);
  return { subject, readAs, steps, finding, asOf: context.asOf };
}

/** What the list of newest versions knows of a package that the catalogue does not have, and how to add the package. */
function traceListed(
  candidate: AssessedComponent,
  { catalogue: { facts, newest: list }, policy, asOf }: ExplainSetting,
  trace: Tracer,
): void {
  if (candidate.resolution.kind !== "unmatched" || candidate.resolution.reason !== "purl-not-tracked") return;
  if (list !== undefined) trace("support-level", formatSupport(listedLevels({ policy, facts, asOf, list })(candidate)));
  trace("to-add-it", POLICY_NOT_RECORDED);
}

/** Which of the source's days is the end that the gate takes, and what its other days mean. */
function traceMilestones(catalogue: Catalogue, { releaseCycle, cycle }: Assessment, trace: Tracer): void {
  const product = catalogue.product(releaseCycle.product);
  trace("gate-end", formatGateEnd(product?.gateEnd));
  for (const { kind, date } of milestonesOf(product ?? {}, cycle)) trace("milestone", `${kind} ${formatDate(date)}`);
}

function candidateOf(
  subject: string,
  context: ExplainSetting,
  trace: Tracer,
): Pick<Explanation, "readAs"> & { readonly candidate: AssessedComponent } {
  const component = (fields: Partial<Component>): AssessedComponent =>
    ofComponent({ ...NO_COMPONENT, ...fields }, context, trace);
  if (subject.startsWith("pkg:"))
    return { readAs: "purl", candidate: component({ name: subject, purls: [asPurl(subject)] }) };
  const asked = cycleIn(subject, context);
  if (asked) return { readAs: "cycle", candidate: ofCycle(asked.slug, asked.version, context, trace) };
  const [, name, version] = /^(.+)@([^@]+)$/.exec(subject) ?? [];
  // Without a version, the subject can only be an exact name or a model id; the resolver decides which.
  return { readAs: "name", candidate: component({ name: name ?? subject, ...(version && { version }) }) };
}

/**
 * The product and version of `slug:version`, and of words that name one release cycle: `windows server 2012 r2`.
 * Undefined for a component.
 */
function cycleIn(
  subject: string,
  { catalogue, asOf }: ExplainSetting,
): { readonly slug: string; readonly version: string } | undefined {
  const [, slug, written] = /^([^:@\s]+):(\S.*)$/.exec(subject) ?? [];
  const isModel = catalogue.model(subject.toLowerCase()).length > 1;
  const isComponent = isModel || subject.includes("@") || findProduct(catalogue, slug ?? subject) !== undefined;
  const named = isComponent ? undefined : askedVersion(catalogue, subject, asOf);
  return named ?? (slug === undefined || written === undefined ? undefined : { slug, version: written });
}

function ofComponent(component: Component, context: ExplainSetting, trace: Tracer): AssessedComponent {
  const { catalogue, policy, asOf } = context;
  const { strict, distroPackages } = policy;
  const resolution = createResolver(catalogue, null, { strict, asOf, distroPackages })(component, trace);
  const { known, version } = createCycleLookup(catalogue, asOf, "");
  if (resolution.kind === "distro-maintained") return { component, resolution, assessment: known(resolution.by) };
  if (resolution.kind !== "resolved") return { component, resolution };
  const { releaseCycle, requestedVersion, maintainedBy } = resolution;
  return {
    component,
    resolution,
    assessment: version(releaseCycle, requestedVersion),
    ...(maintainedBy && { distroAssessment: known(maintainedBy) }),
  };
}

function ofCycle(slug: string, version: string, { catalogue, asOf }: ExplainSetting, trace: Tracer): AssessedComponent {
  const product = findProduct(catalogue, slug);
  if (!product) throw EolgateError.of("product-not-found", { name: slug, suggestions: "" }).at(`${slug}:${version}`);
  trace("product", `${slug} is ${product.name} (${product.slug})`);
  const component: Component = { ...NO_COMPONENT, name: product.name, version };
  const found = resolveRequest(product, version, { asOf, trace });
  if (found.kind === "unresolved") {
    const { reason, candidates } = found;
    const unmatched = { kind: "unmatched", reason, product: product.slug } as const;
    return { component, resolution: { ...unmatched, ...(candidates && { candidates }) } };
  }
  const { cycle, versionMatchedBy } = found;
  const releaseCycle: CycleRef = { product: product.slug, cycle: cycle.name };
  const resolved = { kind: "resolved", releaseCycle, matchedBy: "name", requestedVersion: version } as const;
  const lookup = createCycleLookup(catalogue, asOf, "");
  return versionMatchedBy === undefined
    ? { component, resolution: resolved, assessment: lookup.known(releaseCycle) }
    : { component, resolution: { ...resolved, versionMatchedBy }, assessment: lookup.version(releaseCycle, version) };
}
