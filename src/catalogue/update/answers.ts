/** The answers of a catalogue to the questions of an update: severity and resolution under the default policy. */
import type { AssessedComponent, Catalogue, Finding, Resolution, Severity } from "../../model/index.ts";
import { evaluatePolicy } from "../../policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../policy/policy.ts";
import { hasCycle } from "../../resolve/unresolved.ts";
import { assessAsked, assessComponent, createAssessContext } from "../../resolve/answer.ts";
import { NO_COMPONENT } from "../../resolve/resolve.ts";
import { type IsoDate, cycleKey } from "../../text/ids.ts";
import type { Question } from "./questions.ts";

export interface GateAnswer {
  readonly severity: Severity | "unresolved";
  /** A known exploited vulnerability affects the version. */
  readonly exploited: boolean;
  /** The release cycle, or the reason why there is none. */
  readonly resolution: string;
}

/** What an answer was given about. */
const candidates = new WeakMap<GateAnswer, AssessedComponent>();
export const candidateOf = (answer: GateAnswer): AssessedComponent | undefined => candidates.get(answer);

/** Returns the function that answers questions on one day, in their order. */
export function createAnswers(
  catalogue: Catalogue,
  today: IsoDate,
): (questions: readonly Question[]) => readonly GateAnswer[] {
  const toCandidate = createCandidates(catalogue, today);
  return (questions) => {
    const asked = questions.map(toCandidate);
    return evaluatePolicy(asked, DEFAULT_POLICY, today).findings.map((finding, index) => {
      const answer = toAnswer(finding);
      candidates.set(answer, asked[index] ?? finding);
      return answer;
    });
  };
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
  return cycleKey(resolution.kind === "resolved" ? resolution.releaseCycle : resolution.by);
}

/** Resolves and assesses a question as a check does. */
function createCandidates(catalogue: Catalogue, asOf: IsoDate): (question: Question) => AssessedComponent {
  const context = createAssessContext(catalogue, { strict: false, asOf });
  return ({ component, row, version }) => {
    if (component !== undefined) return assessComponent(component, context);
    const product = catalogue.product(row);
    if (product !== undefined) return assessAsked(product, version, context);
    return { component: NO_COMPONENT, resolution: { kind: "unmatched", reason: "name-not-recognised" } };
  };
}
