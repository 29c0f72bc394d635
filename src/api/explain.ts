/**
 * `eolgate explain`: runs the main path for one subject, with a trace of every step. Returns data; `report/` formats
 * it.
 */
import { EolgateError } from "../messages/error.ts";
import { evaluatePolicy } from "../policy/evaluate.ts";
import type { IsoDate } from "../text/ids.ts";
import { asPurl } from "../text/ids.ts";
import { assess, createVersionAssessment, kevFromCatalogue } from "../lifecycle/assess.ts";
import type {
  Assessment,
  AssessedComponent,
  Catalogue,
  Component,
  Finding,
  CycleRef,
  Policy,
  Tracer,
} from "../model/index.ts";
import { findProduct } from "../resolve/product.ts";
import { createResolver } from "../resolve/resolve.ts";
import { cycleByName } from "../resolve/version/resolve.ts";
import { resolveVersion } from "../resolve/version/resolve.ts";

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
  return { subject, readAs, steps, finding, asOf: context.asOf };
}

function candidateOf(
  subject: string,
  context: ExplainSetting,
  trace: Tracer,
): Pick<Explanation, "readAs"> & { readonly candidate: AssessedComponent } {
  if (subject.startsWith("pkg:"))
    return {
      readAs: "purl",
      candidate: ofComponent({ ...SUBJECT, name: subject, purls: [asPurl(subject)] }, context, trace),
    };
  const tracked = /^(?<slug>[^:@\s]+):(?<version>\S.*)$/.exec(subject)?.groups;
  if (tracked?.["slug"] !== undefined && tracked["version"] !== undefined)
    return { readAs: "cycle", candidate: ofCycle(tracked["slug"], tracked["version"], context, trace) };
  const named = /^(?<name>.+)@(?<version>[^@]+)$/.exec(subject)?.groups;
  if (named?.["name"] !== undefined && named["version"] !== undefined) {
    return {
      readAs: "name",
      candidate: ofComponent({ ...SUBJECT, name: named["name"], version: named["version"] }, context, trace),
    };
  }
  // Without a version, the subject can only be an exact name or a model id; the resolver decides which.
  return { readAs: "name", candidate: ofComponent({ ...SUBJECT, name: subject }, context, trace) };
}

/** A component outside of any document. */
const SUBJECT: Component = {
  pointer: "",
  span: { start: 0, end: 0 },
  kind: "other",
  name: "",
  purls: [],
  cpes: [],
  licenses: [],
  declared: [],
};

function ofComponent(
  component: Component,
  { catalogue, policy, asOf }: ExplainSetting,
  trace: Tracer,
): AssessedComponent {
  const resolution = createResolver(catalogue, null, {
    strict: policy.strict,
    asOf,
    distroPackages: policy.distroPackages,
  })(component, trace);
  if (resolution.kind === "distro-maintained")
    return { component, resolution, ...assessed("assessment", resolution.by, catalogue, asOf) };
  if (resolution.kind !== "resolved") return { component, resolution };
  const { assessment } = assessed("assessment", resolution.releaseCycle, catalogue, asOf);
  const distroAssessment = resolution.maintainedBy
    ? assessed("distroAssessment", resolution.maintainedBy, catalogue, asOf)
    : {};
  const version = resolution.requestedVersion;
  return {
    component,
    resolution,
    ...(assessment && { assessment: versionOf(catalogue, assessment, version) }),
    ...distroAssessment,
  };
}

const versionOf = (catalogue: Catalogue, assessment: Assessment, version: string): Assessment =>
  createVersionAssessment(kevFromCatalogue(catalogue))(assessment, version);

function assessed(
  role: "assessment" | "distroAssessment",
  releaseCycle: CycleRef,
  catalogue: Catalogue,
  asOf: IsoDate,
): { assessment?: Assessment; distroAssessment?: Assessment } {
  const product = catalogue.product(releaseCycle.product);
  const cycle = product && cycleByName(product, releaseCycle.cycle, asOf);
  return product && cycle ? { [role]: assess(product, cycle, asOf) } : {};
}

function ofCycle(slug: string, version: string, { catalogue, asOf }: ExplainSetting, trace: Tracer): AssessedComponent {
  const product = findProduct(catalogue, slug);
  if (!product)
    throw EolgateError.of("product-not-found", { name: slug, suggestions: "" }, { where: `${slug}:${version}` });
  trace("product", `${slug} is ${product.name} (${product.slug})`);
  const component: Component = { ...SUBJECT, name: product.name, version };
  const found = resolveVersion(product, version, { asOf, trace });
  if (found.kind === "unresolved") {
    return {
      component,
      resolution: {
        kind: "unmatched",
        reason: found.reason,
        product: product.slug,
        ...(found.candidates && { candidates: found.candidates }),
      },
    };
  }
  const releaseCycle: CycleRef = { product: product.slug, cycle: found.cycle.name };
  const matched = found.versionMatchedBy === undefined ? {} : { versionMatchedBy: found.versionMatchedBy };
  return {
    component,
    resolution: { kind: "resolved", releaseCycle, matchedBy: "name", requestedVersion: version, ...matched },
    assessment:
      found.versionMatchedBy === undefined
        ? assess(product, found.cycle, asOf)
        : versionOf(catalogue, assess(product, found.cycle, asOf), version),
  };
}
