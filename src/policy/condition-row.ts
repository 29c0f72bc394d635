/** What a row of the table of conditions states. */
import type { IsoDate } from "../text/ids.ts";
import type {
  AssessedComponent,
  Assessment,
  FailOn,
  Finding,
  Policy,
  RuleOutcome,
  Severity,
  SignalsMode,
  UnresolvedReason,
} from "../model/index.ts";
import type { LicenseDecision } from "./license.ts";

export interface Rule<Subject> {
  /** The condition of `failOn` that makes it fail; `always` and `never` do not depend on the policy. */
  readonly fails: FailOn["kind"] | "always" | "never";
  /** Its severity when the policy does not fail on it; undefined if the rule is skipped then. */
  readonly otherwise: Severity | undefined;
  readonly applies: (subject: Subject, policy: Policy) => boolean;
}

export interface RuleInput {
  readonly candidate: AssessedComponent;
  readonly license: LicenseDecision;
  readonly asOf: IsoDate;
}

/** What the sentence about an outcome depends on. */
export interface SentenceContext {
  /** The component with its release cycle: `kestrel 3.2.1 (Kestrel 3)`. */
  readonly subject: string;
  readonly component: string;
  /** ` (ended 2024-05-01, 1 year ago)`; empty without an end. */
  readonly since: string;
  readonly retiredBy: string;
  readonly warnDays: number;
  readonly assessment: Assessment | undefined;
  readonly reason: UnresolvedReason | undefined;
  readonly outcome: RuleOutcome;
  readonly findings: readonly Finding[];
}

export interface ConditionRow {
  /** What it matches, for docs/policy.md; absent where `failOn` cannot name the condition. */
  readonly matches?: string;
  /** Users write the condition with a limit, `score>=N`, of at most this number. */
  readonly highest?: number;
  /** Another condition that includes this one when the policy fails on it. */
  readonly includedIn?: FailOn["kind"];
  /** It fails with `strict`, too. */
  readonly strict?: true;
  /** It is determined by support levels: the policy needs one of these values of `signals`, which can state it. */
  readonly needsSignals?: readonly SignalsMode[];
  /** Its sentence states the support level of a component. */
  readonly statesLevel?: true;
  /** Rules on a release cycle, by the support that counts under the policy. */
  readonly cycle?: readonly Rule<Assessment>[];
  /** Rules on one component, whatever its cycle. */
  readonly component?: readonly Rule<RuleInput>[];
  /** Reports list each component in a row of its own, because its release cycle does not matter. */
  readonly isSingle?: true;
  /** As a heading. */
  readonly title: string;
  /** After `1 component`, and after `3 components`. */
  readonly one: string;
  readonly many: string;
  /** The same for a warning, where it differs. */
  readonly warning?: { readonly one: string; readonly many: string };
  /** The name of the rule in SARIF. */
  readonly sarif: string;
  readonly sentence: (context: SentenceContext) => string;
}
