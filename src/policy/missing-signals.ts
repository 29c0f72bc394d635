/**
 * Finds components whose support level is missing because a source did not answer, where the policy fails on that
 * level.
 */
import type { Counted, Judgement, Policy, SupportCondition } from "../model/index.ts";
import { couldMeet } from "../support/decide.ts";

export interface MissingSignals {
  readonly count: number;
  /** Why the first of them has no answer, such as `HTTP 503`; empty when nothing more is known. */
  readonly detail: string;
}

/** Returns the missing answers that could make the gate fail; undefined when there are none. */
export function missingSignals(
  judgements: readonly Counted<Judgement>[],
  { failOn }: Policy,
): MissingSignals | undefined {
  const conditions = failOn.flatMap(({ kind }) => (isSupportCondition(kind) ? [kind] : []));
  if (conditions.length === 0) return undefined;
  const missing = judgements.filter(
    ({ value: { support, outcome } }) =>
      support !== undefined && outcome.outOfScope !== true && conditions.some((each) => couldMeet(support, each)),
  );
  const [first] = missing;
  if (first === undefined) return undefined;
  const count = missing.reduce((sum, each) => sum + each.count, 0);
  return { count, detail: first.value.support?.unanswered?.[0]?.detail ?? "" };
}

const isSupportCondition = (kind: string): kind is SupportCondition => kind === "unmaintained" || kind === "inactive";
