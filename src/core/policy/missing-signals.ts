/** Components whose support level a source should have decided and did not, where the policy fails on that level. */
import type { Finding, Policy, SupportCondition } from "../model.ts";
import { couldMeet } from "../support/decide.ts";

export interface MissingSignals {
  readonly count: number;
  /** What happened at the first of them: `HTTP 503`; empty when nothing more is known. */
  readonly detail: string;
}

/** Undefined when no missing answer could turn the gate red. */
export function missingSignals(findings: readonly Finding[], { failOn }: Policy): MissingSignals | undefined {
  const conditions = failOn.flatMap(({ kind }) => (isSupportCondition(kind) ? [kind] : []));
  if (conditions.length === 0) return undefined;
  const missing = findings.filter(
    ({ support, outcome }) =>
      support !== undefined && outcome.outOfScope !== true && conditions.some((each) => couldMeet(support, each)),
  );
  const [first] = missing;
  if (first === undefined) return undefined;
  return { count: missing.length, detail: first.support?.unanswered?.[0]?.detail ?? "" };
}

const isSupportCondition = (kind: string): kind is SupportCondition => kind === "unmaintained" || kind === "inactive";
