/**
 * The rules of the policy, as two ordered tables. A rule that applies gives a failure when the policy fails on it, and
 * its `otherwise` severity when it does not. The worst severity wins; among equals the first rule of the table.
 */
import { hasCycle } from "../resolve/has-cycle.ts";
import type { IsoDate } from "../text/ids.ts";
import { runningTracks } from "../lifecycle/support.ts";
import type {
  AssessedComponent,
  Assessment,
  Condition,
  PackageEnd,
  ExtendedSupportContract,
  FailOn,
  Policy,
  Resolution,
  RuleOutcome,
  Severity,
  SupportCondition,
  SupportTrack,
} from "../model/index.ts";
import { supportCondition } from "../support/decide.ts";
import { contradictsDeclaration } from "./declaration.ts";
import type { LicenseDecision } from "./license.ts";

interface Rule<Subject> {
  readonly condition: Condition;
  readonly applies: (subject: Subject, policy: Policy) => boolean;
  /** The `failOn` condition of the policy that makes it fail. */
  readonly fails: FailOn["kind"] | "always" | "never";
  /** Its severity when the policy does not fail on it; undefined if the rule is skipped then. */
  readonly otherwise: Severity | undefined;
}

/** Rules on a release cycle. A failure by one of these becomes a warning while an accepted support track runs. */
export const CYCLE_RULES: readonly Rule<Assessment>[] = [
  { condition: "eol", fails: "eol", otherwise: "warn", applies: hasEnded },
  { condition: "retired", fails: "retired", otherwise: "warn", applies: isRetired },
  { condition: "superseded", fails: "superseded", otherwise: "warn", applies: isSuperseded },
  { condition: "score", fails: "score", otherwise: undefined, applies: scoresTooHigh },
  { condition: "approaching", fails: "approaching", otherwise: "warn", applies: endsSoon },
  { condition: "unknown", fails: "unknown", otherwise: "pass", applies: isUnknown },
];

/** Rules on one component, whatever its cycle. */
export const COMPONENT_RULES: readonly Rule<RuleInput>[] = [
  { condition: "kev", fails: "kev", otherwise: undefined, applies: isExploited },
  { condition: "kev-product", fails: "kev-product", otherwise: undefined, applies: isNamedAsExploited },
  { condition: "package-eol", fails: "eol", otherwise: "warn", applies: isDroppedByDistribution },
  { condition: "license", fails: "always", otherwise: "warn", applies: ({ license }) => license === "denied" },
  { condition: "license", fails: "never", otherwise: "warn", applies: ({ license }) => license === "unreadable" },
  { condition: "declared-mismatch", fails: "declared-mismatch", otherwise: "warn", applies: declaresOtherwise },
  { condition: "unmaintained", fails: "unmaintained", otherwise: "warn", applies: meets("unmaintained") },
  { condition: "inactive", fails: "inactive", otherwise: undefined, applies: meets("inactive") },
  { condition: "unknown", fails: "unknown", otherwise: "pass", applies: notAssessed },
  { condition: "unknown", fails: "unknown", otherwise: undefined, applies: isCycleUnknown },
  { condition: "untracked", fails: "untracked", otherwise: undefined, applies: isUnmatched },
  // Nearly every Debian image contains a package of limited support (binutils): reported without a warning.
  { condition: "package-eol", fails: "never", otherwise: "pass", applies: isLimited },
];

/** The support level that signals gave the component meets the condition. */
function meets(condition: SupportCondition): (input: RuleInput) => boolean {
  return ({ candidate: { support } }) => support !== undefined && supportCondition(support.level) === condition;
}

/** The input of the rules on one component. */
export interface RuleInput {
  readonly candidate: AssessedComponent;
  readonly license: LicenseDecision;
  readonly asOf: IsoDate;
}

/** The conditions in the order in which reasons of one severity are listed. */
export const CONDITION_ORDER: readonly Condition[] = [
  ...new Set([...CYCLE_RULES, ...COMPONENT_RULES].map((rule) => rule.condition)),
  "none",
];

const SEVERITY: Readonly<Record<Severity, number>> = { pass: 0, warn: 1, fail: 2 };
/** Negative when `a` is the worse severity. */
export const bySeverity = (a: Severity, b: Severity): number => SEVERITY[b] - SEVERITY[a];

/** The severity that a rule gives, and its condition. */
export type RuleResult = Pick<RuleOutcome, "severity" | "condition">;
const NO_RULE: RuleResult = { severity: "pass", condition: "none" };

/**
 * Evaluates the rules and returns the result of the first one with the worst severity; `pass`, `none` when none
 * applies. The severities under this policy are computed once, so that skipped rules cost nothing per component.
 */
export function firstWorst<Subject>(rules: readonly Rule<Subject>[], policy: Policy): (subject: Subject) => RuleResult {
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

function failsBy(kind: Rule<unknown>["fails"], { failOn }: Policy): boolean {
  return kind === "always" || (kind !== "never" && failOn.some((each) => each.kind === kind || implies(each, kind)));
}

/** Failing on `approaching` includes `eol`, and failing on `kev-product` includes `kev`. */
const implies = (asked: FailOn, kind: FailOn["kind"]): boolean =>
  (asked.kind === "approaching" && kind === "eol") || (asked.kind === "kev-product" && kind === "kev");

const isEol = ({ status }: Assessment): boolean => status === "eol";

/** Ended at an end of life that is stated. Retirement and supersession have conditions of their own. */
function hasEnded(assessment: Assessment): boolean {
  return isEol(assessment) && !assessment.cycle.retired && !assessment.cycle.rolling;
}

function isRetired(assessment: Assessment): boolean {
  return isEol(assessment) && assessment.cycle.retired;
}

function isSuperseded(assessment: Assessment): boolean {
  return isEol(assessment) && assessment.cycle.rolling && !assessment.cycle.retired;
}

/** A known exploited vulnerability affects the version. Its lifecycle status does not matter: it has to be updated. */
function isExploited({ candidate }: RuleInput, policy: Policy): boolean {
  return exploitable(candidate, policy)?.kevBasis === "affected";
}

/** KEV entries name the product without stating affected versions. */
function isNamedAsExploited({ candidate }: RuleInput, policy: Policy): boolean {
  return exploitable(candidate, policy)?.kevBasis === "product";
}

/**
 * The assessment that KEV ranges can be compared with: the component's own. A distribution patches its packages without
 * raising upstream's version, so upstream's ranges say nothing about them, and its own KEV entries are about the
 * system.
 */
export function exploitable(
  { resolution, assessment, maintainer }: AssessedComponent,
  policy: Policy,
): Assessment | undefined {
  if (resolution.kind !== "resolved") return undefined;
  return policy.distroPackages === "distro" && backportingDistribution(maintainer, policy) ? undefined : assessment;
}

/**
 * The assessment of the distribution's release, where the distribution decides because it backports fixes. A release
 * without a known end does not decide.
 */
export function backportingDistribution(
  maintainer: Assessment | undefined,
  { distroPackages }: Policy,
): Assessment | undefined {
  return maintainer?.status === "unknown" || distroPackages === "upstream" ? undefined : maintainer;
}

function scoresTooHigh(assessment: Assessment, policy: Policy): boolean {
  return assessment.score >= scoreLimit(policy);
}

function scoreLimit({ failOn }: Policy): number {
  return failOn.reduce((limit, each) => (each.kind === "score" ? Math.min(limit, each.atLeast) : limit), Infinity);
}

function endsSoon({ daysUntilEol }: Assessment, { warnDays }: Policy): boolean {
  return daysUntilEol !== null && daysUntilEol <= warnDays;
}

function isUnknown({ status }: Assessment): boolean {
  return status === "unknown";
}

/** The longest support beyond the standard end that the policy accepts for a cycle. */
export function acceptedTrack(assessment: Assessment, policy: Policy, asOf: IsoDate): SupportTrack | undefined {
  if (policy.support === "standard") return undefined;
  const tracks = runningTracks(assessment.cycle, asOf);
  const free = tracks.find((track) => track.cost === "free");
  if (free !== undefined || policy.support === "free") return free;
  if (policy.contracts.length === 0) return tracks[0];
  const contract = policy.contracts
    .filter((each) => covers(each, assessment) && each.until >= asOf)
    .toSorted((a, b) => (a.until < b.until ? 1 : -1))[0];
  return (
    contract && {
      name: "contract",
      vendor: contract.vendor,
      cost: "paid",
      end: { value: contract.until, precision: "day" },
    }
  );
}

const covers = ({ product, cycle }: ExtendedSupportContract, { releaseCycle }: Assessment): boolean =>
  product === releaseCycle.product && (cycle === undefined || cycle === releaseCycle.cycle);

/**
 * A package that its distribution stopped supporting before its own end. Where upstream's cycle decides, this applies only to
 * packages that no other rule could assess.
 */
function droppedBy({ candidate: { resolution }, asOf }: RuleInput, policy: Policy): "ended" | "limited" | undefined {
  const dropped = packageEndOf(resolution);
  if (dropped === undefined || (resolution.kind === "resolved" && policy.distroPackages === "upstream"))
    return undefined;
  return dropped.from === undefined || dropped.from <= asOf ? dropped.kind : undefined;
}

function isDroppedByDistribution(input: RuleInput, policy: Policy): boolean {
  return droppedBy(input, policy) === "ended";
}

function isLimited(input: RuleInput, policy: Policy): boolean {
  return droppedBy(input, policy) === "limited";
}

/** The end of support of a package that has a product of its own, or that is assessed by its distribution. */
export function packageEndOf(resolution: Resolution): PackageEnd | undefined {
  return hasCycle(resolution) ? resolution.packageEnd : undefined;
}

/** A distro-maintained package without a product has no cycle that its declaration could be compared with. */
function declaresOtherwise({ candidate: { component, resolution, assessment } }: RuleInput): boolean {
  return (
    component.declared.length > 0 &&
    resolution.kind === "resolved" &&
    assessment !== undefined &&
    contradictsDeclaration(component, assessment)
  );
}

function isUnmatched({ candidate: { resolution } }: RuleInput): boolean {
  return resolution.kind === "unmatched";
}

/** The product is known, its cycle is not. */
function isCycleUnknown({ candidate: { resolution } }: RuleInput): boolean {
  return resolution.kind === "unmatched" && resolution.product !== undefined;
}

/** A cycle that was not assessed must not read as a supported one. */
function notAssessed({ candidate: { resolution, assessment } }: RuleInput): boolean {
  return hasCycle(resolution) && assessment === undefined;
}
