/** Evaluates the policy over all components: step 4 of the main path. One pass; each cycle is evaluated once. */
import { backportingDistribution, isPlace, withSupport } from "../lifecycle/assess.ts";
import type { IsoDate } from "../text/ids.ts";
import type {
  Assessed,
  Assessment,
  AssessedComponent,
  Component,
  ComponentRows,
  Condition,
  Finding,
  EvaluatedComponent,
  Policy,
  RuleOutcome,
  Verdict,
} from "../model/index.ts";
import { ComponentRowsBuilder, rowsOfComponents, toFindings } from "./rows.ts";
import type { Rule, RuleInput } from "./condition-row.ts";
import { CONDITION_ROWS, CONDITIONS } from "./conditions.ts";
import { isBlocked, isMinimum } from "./deciding.ts";
import { createLicenseCheck } from "./license.ts";
import { bySeverity, verdictOf } from "./verdict.ts";
import { activeWaivers, type Waivers } from "./waiver.ts";

/** Returns whether a finding with this outcome is in an earlier report (see `api/baseline.ts`). */
export type IsBaselined = (candidate: AssessedComponent, ruleOutcome: RuleOutcome) => boolean;

/**
 * Evaluates the policy for all components of a document on a day (UTC). Returns the findings in the order of the
 * candidates, and the verdict over all of them. With `isBaselined`, only new findings fail; a baselined failure warns,
 * so that it is not mistaken for a pass.
 */
export function evaluatePolicy(
  candidates: readonly AssessedComponent[],
  policy: Policy,
  asOf: IsoDate,
  isBaselined?: IsBaselined,
): { readonly findings: readonly Finding[]; readonly verdict: Verdict } {
  const { rows, verdict } = evaluateRows(rowsOfComponents(candidates), policy, asOf, isBaselined);
  return { findings: toFindings(rows), verdict };
}

/** The same for the components of a document. Components with the same assessments share an outcome where possible. */
export function evaluateRows(
  candidates: ComponentRows<Assessed>,
  policy: Policy,
  asOf: IsoDate,
  isBaselined?: IsBaselined,
): { readonly rows: ComponentRows<EvaluatedComponent>; readonly verdict: Verdict } {
  const waivers = activeWaivers(policy.waivers, asOf);
  const evaluate = withBaseline(createEvaluator(policy, asOf, waivers), isBaselined);
  const sharing = createSharing(policy, isBaselined);
  const rows = new ComponentRowsBuilder<EvaluatedComponent>(candidates.components);
  const shared: (number | undefined)[] = [];
  for (let index = 0; index < candidates.length; index++) {
    const candidate = candidates.ids[index] ?? 0;
    let id = shared[candidate];
    const assessed = candidates.at(index);
    const component = candidates.component(index);
    if (id === undefined || sharing.isAlone(component, assessed)) {
      const outcome = evaluate({ ...assessed, component });
      id = rows.add({ ...assessed, outcome });
      if (!sharing.isAlone(component, assessed) && sharing.isShared(outcome)) shared[candidate] = id;
    }
    rows.set(index, id);
  }
  return { rows, verdict: verdictOf(rows, policy, waivers.account()) };
}

type Evaluate = (candidate: AssessedComponent) => RuleOutcome;

function withBaseline(evaluate: Evaluate, isBaselined: IsBaselined | undefined): Evaluate {
  if (isBaselined === undefined) return evaluate;
  return (candidate) => {
    const outcome = evaluate(candidate);
    return outcome.severity === "fail" && isBaselined(candidate, outcome)
      ? { ...outcome, severity: "warn", baselined: true }
      : outcome;
  };
}

/** Whether an outcome depends on more than the assessments of a component. */
interface Sharing {
  /** The component has fields that a rule compares. */
  readonly isAlone: (component: Component, assessed: Assessed) => boolean;
  /** Every other component with the same assessments has the outcome. */
  readonly isShared: (outcome: RuleOutcome) => boolean;
}

function createSharing({ scope, denyLicense, waivers }: Policy, isBaselined: IsBaselined | undefined): Sharing {
  const isByComponent = scope !== "all" || denyLicense.length > 0;
  // Waivers and baselines name components, and accept what fails or warns.
  const isAccepted = waivers.length > 0 || isBaselined !== undefined;
  return {
    isAlone: ({ declared, retirement, scope: own }, { requirements }) =>
      isByComponent ||
      declared.length > 0 ||
      retirement !== undefined ||
      (requirements?.haveRanges === true && own === "development"),
    isShared: ({ severity, waived }) => !isAccepted || (severity === "pass" && waived === undefined),
  };
}

const PASS: RuleOutcome = { severity: "pass", condition: "none" };
const OUT_OF_SCOPE: RuleOutcome = { severity: "pass", condition: "none", outOfScope: true };

/** Evaluates one candidate: by its cycle (kept per cycle), by its own properties, and then the waivers for its purl. */
function createEvaluator(policy: Policy, asOf: IsoDate, waivers: Waivers): Evaluate {
  const outcomes = new Map<Assessment, RuleOutcome>();
  const licenseOf = createLicenseCheck(policy.denyLicense);
  const cycleResult = firstWorst(CYCLE_RULES, policy);
  const componentResult = firstWorst(COMPONENT_RULES, policy);
  const outcomeOfCycle = (given: Assessment): RuleOutcome => {
    let ruleOutcome = outcomes.get(given);
    if (ruleOutcome === undefined) {
      const assessment = withSupport(given, policy);
      const result = scoredBySupport(cycleResult(assessment), assessment);
      ruleOutcome = waive({ ...result, assessment }, () => waivers.ofCycle(assessment.releaseCycle));
      outcomes.set(given, ruleOutcome);
    }
    return ruleOutcome;
  };
  const outcomeOfCycles = ({ resolution, assessment, distroAssessment }: AssessedComponent): RuleOutcome => {
    if (isMinimum(resolution)) return assessment === undefined ? PASS : { ...PASS, assessment };
    const place = isPlace(distroAssessment) ? distroAssessment : undefined;
    const distro = place ?? backportingDistribution(distroAssessment, policy);
    if (distro === undefined) return assessment === undefined ? PASS : outcomeOfCycle(assessment);
    const byDistro = outcomeOfCycle(distro);
    return (policy.distroPackages === "both" || place) && assessment !== undefined
      ? worse(outcomeOfCycle(assessment), byDistro)
      : byDistro;
  };
  return (candidate) => {
    if (candidate.resolution.kind === "not-applicable") return PASS;
    if (isOutOfScope(candidate, policy)) return OUT_OF_SCOPE;
    const byCycle = unlessBlocked(outcomeOfCycles(candidate), candidate, policy);
    const license = policy.denyLicense.length === 0 ? "allowed" : licenseOf(candidate.component.licenses);
    const itself = evaluateComponent(candidate, componentResult({ candidate, license, asOf }), { policy, waivers });
    return waive(mergeOutcomes(byCycle, itself), () => waivers.ofComponent(candidate.component));
  };
}

/** The score refers to the standard end, so a failure by score warns while another support counts. */
function scoredBySupport(result: RuleResult, { support }: Assessment): RuleResult {
  const isSupported = support.track !== null && support.status !== "eol";
  return result.condition === "score" && isSupported ? { ...result, severity: "warn" } : result;
}

/** A failure that the owner of the project cannot clear, because no range of a requirer admits a supported release. */
function unlessBlocked(outcome: RuleOutcome, candidate: AssessedComponent, policy: Policy): RuleOutcome {
  if (outcome.severity !== "fail" || !BLOCKING.has(outcome.condition) || !isBlocked(candidate)) return outcome;
  return { ...outcome, condition: "blocked", severity: failsBy("blocked", policy) ? "fail" : "warn" };
}

/** Conditions that a supported release clears. */
const BLOCKING: ReadonlySet<Condition> = new Set(["eol", "retired", "superseded"]);

/** `--scope runtime`: CycloneDX calls optional what cannot be called at run time, and excluded what is not part of it. */
function isOutOfScope({ component: { scope } }: AssessedComponent, policy: Policy): boolean {
  return policy.scope === "runtime" && scope !== undefined && scope !== "required";
}

/** Conditions of a component that concern its release cycle. */
const OF_CYCLE: ReadonlySet<Condition> = new Set(["kev", "kev-product", "minimum"]);

interface RuleContext {
  readonly policy: Policy;
  readonly waivers: Waivers;
}

/** A component without a cycle can be waived by the slug of its product, an exploited version by its cycle or slug. */
function evaluateComponent(
  { resolution, assessment }: AssessedComponent,
  result: RuleResult,
  { policy, waivers }: RuleContext,
): RuleOutcome {
  if (OF_CYCLE.has(result.condition) && assessment !== undefined)
    return waive({ ...result, assessment: withSupport(assessment, policy) }, () =>
      waivers.ofCycle(assessment.releaseCycle),
    );
  if (result.condition !== "unknown" || resolution.kind !== "unmatched" || resolution.product === undefined)
    return result;
  const { product } = resolution;
  return waive(result, () => waivers.ofCycle({ product }));
}

/** Looks for a waiver only where there is something to waive. */
function waive(ruleOutcome: RuleOutcome, find: () => RuleOutcome["waived"]): RuleOutcome {
  const waived = ruleOutcome.severity === "pass" ? undefined : find();
  return waived === undefined ? ruleOutcome : { ...ruleOutcome, severity: "pass", waived };
}

/** The worse of the outcomes of two cycles; among equals one with a condition, and then the distribution's. */
function worse(a: RuleOutcome, b: RuleOutcome): RuleOutcome {
  const order = bySeverity(a.severity, b.severity);
  if (order !== 0) return order < 0 ? a : b;
  return a.condition !== "none" && b.condition === "none" ? a : b;
}

/** The result of the component's own rules is used only where it is worse than the outcome of its cycle. */
function mergeOutcomes(byCycle: RuleOutcome, itself: RuleResult | RuleOutcome): RuleOutcome {
  const order = bySeverity(itself.severity, byCycle.severity);
  if (order > 0 || (order === 0 && (byCycle.condition !== "none" || itself.condition === "none"))) return byCycle;
  const assessment = ("assessment" in itself ? itself.assessment : undefined) ?? byCycle.assessment;
  return assessment === undefined ? itself : { ...itself, assessment };
}

type RuleResult = Pick<RuleOutcome, "severity" | "condition">;
const NO_RULE: RuleResult = { severity: "pass", condition: "none" };

type ConditionRule<Subject> = Rule<Subject> & { readonly condition: Condition };

const CYCLE_RULES: readonly ConditionRule<Assessment>[] = CONDITION_ROWS.flatMap(({ key, cycle = [] }) =>
  cycle.map((rule) => ({ ...rule, condition: key })),
);
const COMPONENT_RULES: readonly ConditionRule<RuleInput>[] = CONDITION_ROWS.flatMap(({ key, component = [] }) =>
  component.map((rule) => ({ ...rule, condition: key })),
);

/**
 * Evaluates the rules and returns the result of the first one with the worst severity; `pass`, `none` when none
 * applies. The severities under this policy are computed once, so that skipped rules cost nothing per component.
 */
function firstWorst<Subject>(
  rules: readonly ConditionRule<Subject>[],
  policy: Policy,
): (subject: Subject) => RuleResult {
  const active = rules.flatMap(({ applies, condition, fails, otherwise }) => {
    const severity = failsBy(fails, policy) ? "fail" : otherwise;
    return severity === undefined ? [] : [{ applies, result: { severity, condition } }];
  });
  return (subject) => {
    let worst: RuleResult | undefined;
    for (const { applies, result } of active) {
      if (worst && bySeverity(result.severity, worst.severity) >= 0) continue;
      if (applies(subject, policy)) worst = result;
    }
    return worst ?? NO_RULE;
  };
}

function failsBy(kind: Rule<unknown>["fails"], { failOn, strict }: Policy): boolean {
  if (kind === "always" || kind === "never") return kind === "always";
  const { includedIn, strict: failsStrictly } = CONDITIONS[kind];
  if (strict && failsStrictly) return true;
  return failOn.some((each) => each.kind === kind || each.kind === includedIn);
}
