/** `eolgate explain`: the main path for one subject, with a trace of every step. Returns data; `report/` formats it. */
import { EolgateError } from "../core/errors.ts";
import { evaluatePolicy } from "../core/policy/evaluate.ts";
import type { IsoDate } from "../core/ids.ts";
import { asPurl } from "../core/ids.ts";
import { assess } from "../core/lifecycle/assess.ts";
import type {
  Assessment,
  AssessedComponent,
  Catalogue,
  Component,
  Finding,
  CycleRef,
  Policy,
  Tracer,
} from "../core/model.ts";
import { findProduct } from "../core/resolve/product.ts";
import { createResolver } from "../core/resolve/resolve.ts";
import { cycleByName } from "../core/resolve/version/older.ts";
import { resolveVersion } from "../core/resolve/version/resolve.ts";

/** One step of a resolution. */
export interface ExplainStep {
  /** What was tried; see `Tracer`. */
  readonly step: string;
  /** What came of it, in words. */
  readonly detail: string;
}

/** How a subject was resolved and what the policy makes of it. */
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

export function explain(subject: string, setting: ExplainSetting): Explanation {
  const steps: ExplainStep[] = [];
  const tell: Tracer = (step, detail) => void steps.push({ step, detail });
  const { readAs, candidate } = candidateOf(subject, setting, tell);
  const [finding] = evaluatePolicy([candidate], { ...setting.policy, scope: "all" }, setting.asOf).findings;
  if (!finding) throw new TypeError("judge answers with one finding for each candidate");
  return { subject, readAs, steps, finding, asOf: setting.asOf };
}

function candidateOf(
  subject: string,
  setting: ExplainSetting,
  tell: Tracer,
): Pick<Explanation, "readAs"> & { readonly candidate: AssessedComponent } {
  if (subject.startsWith("pkg:"))
    return {
      readAs: "purl",
      candidate: ofComponent({ ...SUBJECT, name: subject, purls: [asPurl(subject)] }, setting, tell),
    };
  const tracked = /^(?<slug>[^:@\s]+):(?<version>\S.*)$/.exec(subject)?.groups;
  if (tracked?.["slug"] !== undefined && tracked["version"] !== undefined)
    return { readAs: "cycle", candidate: ofCycle(tracked["slug"], tracked["version"], setting, tell) };
  const named = /^(?<name>.+)@(?<version>[^@]+)$/.exec(subject)?.groups;
  if (named?.["name"] !== undefined && named["version"] !== undefined) {
    return {
      readAs: "name",
      candidate: ofComponent({ ...SUBJECT, name: named["name"], version: named["version"] }, setting, tell),
    };
  }
  // Without a version, the subject can only be an exact name or a model id; the resolver decides which.
  return { readAs: "name", candidate: ofComponent({ ...SUBJECT, name: subject }, setting, tell) };
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
  tell: Tracer,
): AssessedComponent {
  const resolution = createResolver(catalogue, null, {
    strict: policy.strict,
    asOf,
    distroPackages: policy.distroPackages,
  })(component, tell);
  if (resolution.kind === "covered")
    return { component, resolution, ...assessed("assessment", resolution.by, catalogue, asOf) };
  if (resolution.kind !== "resolved") return { component, resolution };
  const maintainer = resolution.maintainedBy ? assessed("maintainer", resolution.maintainedBy, catalogue, asOf) : {};
  return { component, resolution, ...assessed("assessment", resolution.releaseCycle, catalogue, asOf), ...maintainer };
}

function assessed(
  role: "assessment" | "maintainer",
  releaseCycle: CycleRef,
  catalogue: Catalogue,
  asOf: IsoDate,
): { assessment?: Assessment; maintainer?: Assessment } {
  const product = catalogue.product(releaseCycle.product);
  const cycle = product && cycleByName(product, releaseCycle.cycle, asOf);
  return product && cycle ? { [role]: assess(product, cycle, asOf) } : {};
}

function ofCycle(slug: string, version: string, { catalogue, asOf }: ExplainSetting, tell: Tracer): AssessedComponent {
  const product = findProduct(catalogue, slug);
  if (!product)
    throw EolgateError.of("product-not-found", { name: slug, suggestions: "" }, { where: `${slug}:${version}` });
  tell("product", `${slug} is ${product.name} (${product.slug})`);
  const component: Component = { ...SUBJECT, name: product.name, version };
  const found = resolveVersion(product, version, { asOf, trace: tell });
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
    assessment: assess(product, found.cycle, asOf),
  };
}
