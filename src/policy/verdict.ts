/** The verdict over all components: the reasons, the coverage, and the merged verdict of several documents. */
import type {
  Assessment,
  ComponentKind,
  Counted,
  EvaluatedRows,
  Coverage,
  EvaluatedComponent,
  OldestStatement,
  Policy,
  Severity,
  Verdict,
  Waiver,
} from "../model/index.ts";
import { daysBetween, firstDay } from "../lifecycle/days.ts";
import { CONDITION_ORDER } from "./conditions.ts";
import { backportingDistribution, isMinimum } from "./deciding.ts";

const SEVERITY: Readonly<Record<Severity, number>> = { pass: 0, warn: 1, fail: 2 };
/** Negative when `a` is the worse severity. */
export const bySeverity = (a: Severity, b: Severity): number => SEVERITY[b] - SEVERITY[a];

/** The verdict on the components of a document. `waivers` are those of the policy, by use. */
export function verdictOf(rows: EvaluatedRows, policy: Policy, waivers: Verdict["waivers"]): Verdict {
  const reasons = countReasons(rows);
  const coverage = coverageOf(rows, policy);
  const value = rows.length > 0 ? verdictValue(reasons, coverage, policy) : worstOf(reasons);
  return { value, reasons, coverage, ...oldest(rows.counts().flatMap(statementOf)), waivers };
}

/** A document has no verdict if too little of it was assessed, unless the assessed part fails. */
function verdictValue(reasons: Verdict["reasons"], coverage: Coverage, policy: Policy): Verdict["value"] {
  const worst = worstOf(reasons);
  return worst !== "fail" && coverageShortfall(coverage, policy) !== undefined ? "none" : worst;
}

/**
 * Adds `absent` to the components that could not be assessed: the number of elements that a document names and does not
 * contain.
 */
export function withAbsent(verdict: Verdict, absent: number, policy: Policy): Verdict {
  if (absent === 0) return verdict;
  const counted = coverage(verdict.coverage.assessed, verdict.coverage.notAssessed + absent);
  return { ...verdict, coverage: counted, value: verdictValue(verdict.reasons, counted, policy) };
}

/** The statement that a component relies on that does not fail; a waiver needs none. */
function statementOf({ value: { outcome } }: Counted<EvaluatedComponent>): readonly OldestStatement[] {
  const { assessment, severity, waived } = outcome;
  const day = assessment?.provenance.verifiedAt ?? null;
  if (assessment === undefined || day === null || severity === "fail" || waived !== undefined) return [];
  return [{ day, ageDays: daysBetween(firstDay(day), assessment.asOf), releaseCycle: assessment.releaseCycle }];
}

function oldest(statements: readonly OldestStatement[]): Pick<Verdict, "oldestStatement"> {
  const [first] = statements.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  return first === undefined ? {} : { oldestStatement: first };
}

function countReasons(rows: EvaluatedRows): Verdict["reasons"] {
  const open = rows.counts().filter(({ value: { outcome } }) => outcome.severity !== "pass");
  return sumReasons(
    open.map(({ value: { outcome }, count }) => ({ verdict: outcome.severity, condition: outcome.condition, count })),
  );
}

/** One entry for each verdict and condition, worst first. */
function sumReasons(parts: Verdict["reasons"]): Verdict["reasons"] {
  const sums = new Map<string, Verdict["reasons"][number]>();
  for (const { verdict, condition, count } of parts) {
    const key = `${verdict} ${condition}`;
    sums.set(key, { verdict, condition, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].toSorted(
    (a, b) =>
      bySeverity(a.verdict, b.verdict) || CONDITION_ORDER.indexOf(a.condition) - CONDITION_ORDER.indexOf(b.condition),
  );
}

const worstOf = (reasons: Verdict["reasons"]): Severity => reasons[0]?.verdict ?? "pass";

/**
 * Merges the verdicts of several documents: the worst severity, the sums of the counts. A waiver is unused only if it
 * is unused in all of them.
 */
export function mergeVerdicts(verdicts: readonly Verdict[]): Verdict {
  const reasons = sumReasons(verdicts.flatMap((verdict) => verdict.reasons));
  const sum = (count: (verdict: Verdict) => number): number => verdicts.reduce((total, each) => total + count(each), 0);
  const all = (list: keyof Verdict["waivers"]) => distinct(verdicts.flatMap(({ waivers }) => waivers[list]));
  const used = all("used");
  const isUsed = new Set(used.map(waiverKey));
  return {
    value: worstOf(reasons),
    reasons,
    coverage: coverage(
      sum(({ coverage: { assessed } }) => assessed),
      sum(({ coverage: { notAssessed } }) => notAssessed),
    ),
    ...oldest(verdicts.flatMap(({ oldestStatement }) => oldestStatement ?? [])),
    waivers: {
      used,
      unused: all("unused").filter((waiver) => !isUsed.has(waiverKey(waiver))),
      expired: all("expired"),
    },
  };
}

/** Waivers are compared by content, because verdicts from another thread or a file have their own copies. */
const waiverKey = ({ target, reason, expires, approvedBy }: Waiver): string =>
  JSON.stringify([target, reason, expires, approvedBy]);

const distinct = (waivers: readonly Waiver[]): readonly Waiver[] => [
  ...new Map(waivers.map((waiver) => [waiverKey(waiver), waiver])).values(),
];

/**
 * The assessed share of the assessable components. Files, data, the root, minimums and components out of scope are not counted; a
 * distro-maintained package counts as assessed only if the distribution's cycle has an end.
 */
function coverageOf(rows: EvaluatedRows, policy: Policy): Coverage {
  let assessed = 0;
  let notAssessed = 0;
  for (const { value, count } of rows.counts()) {
    if (value.resolution.kind === "not-applicable" || value.outcome.outOfScope === true) continue;
    // A lower bound does not state which version is in use.
    if (isMinimum(value.resolution)) continue;
    if (isAssessed(value, policy)) assessed += count;
    else if (value.resolution.kind !== "unmatched") notAssessed += count;
  }
  return coverage(assessed, notAssessed + unmatchedComponents(rows));
}

/** Unmatched components that could have been assessed. */
function unmatchedComponents(rows: EvaluatedRows): number {
  const isCounted = rows
    .counts()
    .map(({ value: { resolution, outcome } }) => resolution.kind === "unmatched" && outcome.outOfScope !== true);
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    if (isCounted[rows.ids[index] ?? 0] !== true) continue;
    if (!NOT_EXPECTED.has(rows.component(index).kind)) count += 1;
  }
  return count;
}

const NOT_EXPECTED: ReadonlySet<ComponentKind> = new Set(["root", "file", "data"]);

function isAssessed({ resolution, assessment, distroAssessment }: EvaluatedComponent, policy: Policy): boolean {
  if (resolution.kind === "unmatched") return false;
  if (resolution.kind === "distro-maintained") return hasEnd(assessment);
  const isKnown = assessment !== undefined && assessment.cycle.eol.kind !== "unknown";
  return isKnown || backportingDistribution(distroAssessment, policy) !== undefined;
}

const hasEnd = (assessment: Assessment | undefined): boolean =>
  assessment?.cycle.eol.kind === "dated" || assessment?.cycle.eol.kind === "ended";

/** Rounds down: 99.96 % must not be shown as 100 %. */
function coverage(assessed: number, notAssessed: number): Coverage {
  const total = assessed + notAssessed;
  return { assessed, notAssessed, percent: total === 0 ? 0 : Math.floor((assessed * 1000) / total) / 10 };
}

/**
 * Why a document with components has no verdict: `nothing` was assessed, or less than the policy requires (`below`).
 */
export function coverageShortfall(
  { assessed, notAssessed }: Coverage,
  policy: Policy,
): "nothing" | "below" | undefined {
  if (assessed === 0 && !policy.allowUnassessed) return "nothing";
  return assessed * 100 < policy.minCoverage * (assessed + notAssessed) ? "below" : undefined;
}
