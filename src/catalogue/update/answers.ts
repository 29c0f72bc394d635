/** The answers of a catalogue to the questions of an update: severity and resolution under the default policy. */
import { assess, createVersionAssessment, kevFromCatalogue } from "../../lifecycle/assess.ts";
import type {
  AssessedComponent,
  Assessment,
  Catalogue,
  CycleRef,
  Finding,
  Resolution,
  Severity,
} from "../../model/index.ts";
import { evaluatePolicy } from "../../policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../policy/policy.ts";
import { hasCycle } from "../../resolve/unresolved.ts";
import { createResolver, NO_COMPONENT } from "../../resolve/resolve.ts";
import { cycleByName, resolveVersion } from "../../resolve/version/resolve.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { Question } from "./questions.ts";

export interface GateAnswer {
  readonly severity: Severity | "unresolved";
  /** A known exploited vulnerability affects the version. */
  readonly exploited: boolean;
  /** The release cycle, or the reason why there is none. */
  readonly resolution: string;
}

/** Returns the function that answers questions on one day, in their order. */
export function createAnswers(
  catalogue: Catalogue,
  today: IsoDate,
): (questions: readonly Question[]) => readonly GateAnswer[] {
  const toCandidate = createCandidates(catalogue, today);
  return (questions) =>
    evaluatePolicy(questions.map(toCandidate), DEFAULT_POLICY, today).findings.map((finding) => toAnswer(finding));
}

function toAnswer({ resolution, outcome, assessment }: Finding): GateAnswer {
  return {
    severity: hasCycle(resolution) ? outcome.severity : "unresolved",
    exploited: assessment?.kevBasis === "affected",
    resolution: textOf(resolution),
  };
}

function textOf(resolution: Resolution): string {
  if (resolution.kind === "unmatched") return resolution.reason;
  if (resolution.kind === "not-applicable") return resolution.why;
  const { product, cycle } = resolution.kind === "resolved" ? resolution.releaseCycle : resolution.by;
  return `${product}:${cycle}`;
}

/** Resolves and assesses a question as a check does. */
function createCandidates(catalogue: Catalogue, today: IsoDate): (question: Question) => AssessedComponent {
  const resolve = createResolver(catalogue, null, { strict: false, asOf: today });
  const ofVersion = createVersionAssessment(kevFromCatalogue(catalogue, false));
  const known = new Map<string, Assessment | undefined>();
  const ofCycle = ({ product: slug, cycle: name }: CycleRef): Assessment | undefined => {
    const key = `${slug}:${name}`;
    if (!known.has(key)) {
      const product = catalogue.product(slug);
      const cycle = product && cycleByName(product, name, today);
      known.set(key, product && cycle && assess(product, cycle, today));
    }
    return known.get(key);
  };
  return (question) => {
    const component = question.component ?? NO_COMPONENT;
    const resolution =
      question.component === undefined ? resolveProduct(catalogue, question, today) : resolve(question.component);
    if (!hasCycle(resolution)) return { component, resolution };
    if (resolution.kind !== "resolved") return { component, resolution, assessment: ofCycle(resolution.by) };
    const { releaseCycle, requestedVersion, maintainedBy } = resolution;
    const assessment = ofCycle(releaseCycle);
    return {
      component,
      resolution,
      assessment: assessment && ofVersion(assessment, requestedVersion),
      distroAssessment: maintainedBy && ofCycle(maintainedBy),
    };
  };
}

function resolveProduct(catalogue: Catalogue, { row, version }: Question, asOf: IsoDate): Resolution {
  const product = catalogue.product(row);
  if (product === undefined) return { kind: "unmatched", reason: "name-not-recognised" };
  const found = resolveVersion(product, version, { asOf });
  return found.kind === "cycle"
    ? {
        kind: "resolved",
        releaseCycle: { product: product.slug, cycle: found.cycle.name },
        matchedBy: "name",
        requestedVersion: version,
      }
    : { kind: "unmatched", reason: found.reason, product: product.slug };
}
