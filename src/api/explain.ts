/**
 * `eolgate explain`: runs the main path for one subject, with a trace of every step. Returns data; `report/` formats
 * it.
 */
import { EolgateError } from "../messages/error.ts";
import { evaluatePolicy } from "../policy/evaluate.ts";
import type { IsoDate } from "../text/ids.ts";
import { formatDate, formatGateEnd } from "../messages/format.ts";
import type {
  AssessedComponent,
  Assessment,
  Catalogue,
  Component,
  Finding,
  Policy,
  Product,
  Tracer,
} from "../model/index.ts";
import { formatSupport, POLICY_NOT_RECORDED } from "../messages/support.ts";
import { listedLevels } from "../support/listed.ts";
import { askedVersion } from "../resolve/typed.ts";
import { parseCpe } from "../resolve/cpe.ts";
import { findProduct } from "../resolve/product.ts";
import { assessAsked, assessComponent, createAssessContext, purlComponent } from "../resolve/answer.ts";
import { NO_COMPONENT } from "../resolve/resolve.ts";
import { milestonesOf } from "../wire/product.ts";

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
  /** How the subject was read: a purl, a CPE, `slug:version` of a tracked product, or a component's name and version. */
  readonly readAs: "purl" | "cpe" | "cycle" | "name";
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
  const { catalogue, asOf, policy } = context;
  const { strict, distroPackages } = policy;
  const answers = createAssessContext(catalogue, { strict, asOf, distroPackages });
  if (subject.startsWith("pkg:"))
    return { readAs: "purl", candidate: assessComponent(purlComponent(subject), answers, trace) };
  if (/^cpe:/i.test(subject))
    return { readAs: "cpe", candidate: assessComponent(cpeComponent(subject), answers, trace) };
  const asked = cycleIn(subject, context);
  if (asked) {
    const product = productOf(asked.slug, asked.version, catalogue);
    trace("product", `${asked.slug} is ${product.name} (${product.slug})`);
    return { readAs: "cycle", candidate: assessAsked(product, asked.version, answers, trace) };
  }
  const [, name, version] = /^(.+)@([^@]+)$/.exec(subject) ?? [];
  // Without a version, the subject can only be an exact name or a model id; the resolver decides which.
  const component = { ...NO_COMPONENT, name: name ?? subject, ...(version && { version }) };
  return { readAs: "name", candidate: assessComponent(component, answers, trace) };
}

/** @throws EolgateError `invalid-request` for a text that is no CPE */
function cpeComponent(subject: string): Component {
  if (parseCpe(subject) === undefined)
    throw EolgateError.of("invalid-request", {
      problem: `${subject} is not a CPE`,
      advice: "Write it as cpe:2.3:a:vendor:product:version:*:*:*:*:*:*:* or cpe:/a:vendor:product:version.",
    });
  return { ...NO_COMPONENT, name: subject, cpes: [subject.trim()] };
}

function productOf(slug: string, version: string, catalogue: Catalogue): Product {
  const product = findProduct(catalogue, slug);
  if (product) return product;
  throw EolgateError.of("product-not-found", { name: slug, suggestions: "" }).at(`${slug}:${version}`);
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
