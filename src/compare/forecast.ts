/**
 * Predicts failures: evaluates the policy again on each day on which the outcome for a release cycle can change.
 * Components that change together are evaluated once, so the cost grows with the cycles and not with the components.
 */
import { evaluatePolicy } from "../policy/evaluate.ts";
import { packageEndOf } from "../policy/deciding.ts";
import { activeWaivers } from "../policy/waiver.ts";
import { type IsoDate, cycleKey } from "../text/ids.ts";
import { assessLater } from "../lifecycle/assess.ts";
import { addDays, addMonths, lastDay } from "../lifecycle/days.ts";
import { SCORE_STEPS } from "../lifecycle/score.ts";
import type {
  Assessment,
  AssessedComponent,
  Finding,
  Forecast,
  Policy,
  RuleOutcome,
  UpcomingFailure,
} from "../model/index.ts";

/**
 * Forecasts the failures of the next `months` calendar months. `asOf` is the day (UTC) of the scan that gave the
 * findings.
 */
export function forecast(findings: readonly Finding[], policy: Policy, asOf: IsoDate, months: number): Forecast {
  const until = addMonths(asOf, months);
  const failures = groupFindings(findings, policy, asOf).flatMap(
    (group) => firstFailure(group, policy, { asOf, until }) ?? [],
  );
  return { from: asOf, until, failures: mergeFailures(failures).sort(byDay) };
}

/** Findings with the same outcome on every day. Those that fail today, or have no cycle, are left out. */
function groupFindings(
  findings: readonly Finding[],
  policy: Policy,
  asOf: IsoDate,
): readonly (readonly [Finding, ...Finding[]])[] {
  const byPurl = activeWaivers(
    policy.waivers.filter(({ target }) => target.startsWith("pkg:")),
    asOf,
  );
  const ids = new Map<unknown, number>();
  const id = (value: unknown): number => {
    if (!ids.has(value)) ids.set(value, ids.size);
    return ids.get(value) ?? -1;
  };
  const grouped = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const { assessment, distroAssessment, resolution, outcome, component } = finding;
    if (outcome.assessment === undefined || outcome.severity === "fail" || outcome.baselined || outcome.outOfScope)
      continue;
    const key = [
      assessment,
      distroAssessment,
      packageEndOf(resolution),
      outcome.condition,
      byPurl.ofComponent(component),
    ]
      .map(id)
      .join(" ");
    const group = grouped.get(key);
    if (group) group.push(finding);
    else grouped.set(key, [finding]);
  }
  return [...grouped.values()];
}

interface ForecastWindow {
  readonly asOf: IsoDate;
  readonly until: IsoDate;
}

/** The first day in the window on which the group fails. */
function firstFailure(
  group: readonly [Finding, ...Finding[]],
  policy: Policy,
  window: ForecastWindow,
): UpcomingFailure | undefined {
  const [first] = group;
  for (const day of candidateDays(first, policy, window)) {
    const outcome = evaluatePolicy([onDay(first, day)], policy, day).findings[0]?.outcome;
    if (outcome?.severity === "fail") return { day, outcome, cause: causeOf(first.outcome, outcome), findings: group };
  }
  return undefined;
}

function onDay({ component, resolution, assessment, distroAssessment }: Finding, day: IsoDate): AssessedComponent {
  return {
    component,
    resolution,
    assessment: assessment && assessLater(assessment, day),
    distroAssessment: distroAssessment && assessLater(distroAssessment, day),
  };
}

function causeOf(today: RuleOutcome, then: RuleOutcome): UpcomingFailure["cause"] {
  if (today.waived) return "waiver";
  if (then.condition === "score") return "score";
  return then.assessment?.support.track ? "support" : "end";
}

/** Every day in the window on which the outcome may change, in order. */
function candidateDays(finding: Finding, policy: Policy, { asOf, until }: ForecastWindow): readonly IsoDate[] {
  const assessments = [finding.assessment, finding.distroAssessment].filter((assessment) => assessment !== undefined);
  const days = new Set([
    ...assessments.flatMap((assessment) => cycleDays(assessment, policy)),
    ...componentDays(finding, policy),
  ]);
  return [...days].filter((day) => day > asOf && day <= until).sort();
}

const dayAfter = (date: IsoDate): IsoDate => addDays(date, 1);

function cycleDays({ cycle, eolDate, releaseCycle }: Assessment, policy: Policy): readonly IsoDate[] {
  const standard = eolDate === null ? [] : [lastDay(eolDate)];
  const extended = cycle.eoesFrom?.kind === "dated" ? [cycle.eoesFrom.date] : [];
  const tracks = [...cycle.tracks.flatMap((track) => track.end ?? []), ...extended].map(lastDay);
  const contracts = policy.contracts
    .filter(({ product }) => product === releaseCycle.product)
    .map((contract) => contract.until);
  const targets = new Set<string>([releaseCycle.product, cycleKey(releaseCycle)]);
  const waivers = policy.waivers.filter(({ target }) => targets.has(target)).map(({ expires }) => expires);
  return [
    ...standard.flatMap((end) => SCORE_STEPS.map((days) => addDays(end, days))),
    ...[...standard, ...tracks, ...contracts].map((end) => addDays(end, -policy.warnDays)),
    ...(cycle.rolling ? standard.map((end) => addDays(end, policy.supersededAfterDays)) : []),
    ...[...standard, ...tracks, ...contracts, ...waivers].map(dayAfter),
  ];
}

/** Days of the component itself: after its waivers by purl expire, and when its distribution stops supporting it. */
function componentDays({ component, resolution }: Finding, policy: Policy): readonly IsoDate[] {
  const packageEnd = packageEndOf(resolution)?.from;
  const purls = component.purls.length === 0 ? [] : policy.waivers.filter(({ target }) => target.startsWith("pkg:"));
  return [...purls.map(({ expires }) => dayAfter(expires)), ...(packageEnd === undefined ? [] : [packageEnd])];
}

/** Groups of one cycle that fail on one day for one reason are one upcoming failure. */
function mergeFailures(failures: readonly UpcomingFailure[]): UpcomingFailure[] {
  const groups = Map.groupBy(failures, failureKey);
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map(({ day, outcome, cause }) => ({
      day,
      outcome,
      cause,
      findings: same.flatMap((failure) => failure.findings),
    })),
  );
}

const cycleOf = ({ outcome }: UpcomingFailure): string =>
  outcome.assessment ? cycleKey(outcome.assessment.releaseCycle) : "";
/** Equal for failures of one release cycle on one day for one reason; in the order of a forecast. */
export const failureKey = (failure: UpcomingFailure): string =>
  `${failure.day} ${cycleOf(failure)} ${failure.outcome.condition} ${failure.cause}`;
const byDay = (a: UpcomingFailure, b: UpcomingFailure): number => (failureKey(a) < failureKey(b) ? -1 : 1);
