/**
 * Whether an answer stops failing on a later day, or under another policy than the default one. An end that moves is failing
 * on fewer days long before it has come, and a free track hides the standard end.
 */
import { assessLater } from "../../lifecycle/assess.ts";
import { addDays, lastDay } from "../../lifecycle/days.ts";
import { supportUnder } from "../../lifecycle/support.ts";
import type { AssessedComponent, Assessment, Policy, ReleaseCycle } from "../../model/index.ts";
import { evaluatePolicy } from "../../policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../policy/policy.ts";
import { hasCycle } from "../../resolve/unresolved.ts";
import type { IsoDate } from "../../text/ids.ts";
import { rememberedOf } from "../../text/values.ts";

/** From today on. */
const DAYS = [0, 90, 365, 730];
const LEAST_SCORE = 70;

/**
 * The default policy, the strictest and the weakest one, and two that fail on one condition only: under the others a failure
 * for another reason would hide it. Doubts do not count, because a page that is read again clears them.
 */
const POLICIES: readonly Policy[] = [
  DEFAULT_POLICY,
  {
    ...DEFAULT_POLICY,
    failOn: [{ kind: "eol" }, { kind: "retired" }, { kind: "superseded" }, { kind: "kev" }, { kind: "kev-product" }],
    supersededAfterDays: 0,
    support: "standard",
    distroPackages: "both",
  },
  { ...DEFAULT_POLICY, support: "extended" },
  { ...DEFAULT_POLICY, failOn: [{ kind: "kev" }, { kind: "kev-product" }], distroPackages: "upstream" },
  { ...DEFAULT_POLICY, failOn: [{ kind: "score", atLeast: LEAST_SCORE }], support: "standard" },
];
const SUPPORT = (["standard", "free", "extended"] as const).map((support) => ({ ...DEFAULT_POLICY, support }));

/** What the policies ask of an assessment on the days. */
interface Terms {
  /** Bits of each day: ended under each setting of support, and a high score; of all days that of today, if no end is between them. */
  readonly failing: number;
  /** Retirement, supersession and known exploitation. */
  readonly marks: string;
}
const NO_TERMS: Terms = { failing: 0, marks: "" };

export interface LaterAnswers {
  /** Whether a candidate fails on one of the days under one of the policies. */
  readonly canFail: (candidate: AssessedComponent) => boolean;
  readonly isWeaker: (was: AssessedComponent, is: AssessedComponent) => boolean;
}

export function laterAnswers(today: IsoDate): LaterAnswers {
  const days = DAYS.map((more) => addDays(today, more));
  const termsOf = rememberedOf((assessment: Assessment) => termsOn(assessment, days));
  const terms = ({ assessment, distroAssessment }: AssessedComponent): readonly Terms[] =>
    [assessment, distroAssessment].map((each) => (each === undefined ? NO_TERMS : termsOf(each)));
  const failures = rememberedOf((candidate: AssessedComponent) => failuresOn(candidate, days));
  return {
    canFail: (candidate) =>
      hasCycle(candidate.resolution) &&
      (candidate.resolution.packageEnd !== undefined ||
        terms(candidate).some(({ failing, marks }) => failing !== 0 || marks !== "")),
    isWeaker(was, is) {
      // Few answers are weaker: their terms show it without a policy.
      const after = terms(is);
      const isAsStrict = terms(was).every(
        ({ failing, marks }, at) => (failing & ~(after[at]?.failing ?? 0)) === 0 && marks === after[at]?.marks,
      );
      return !(isAsStrict && isResolvedAlike(was, is)) && (failures(was) & ~failures(is)) !== 0;
    },
  };
}

/** Whether only the end differs, which other sources can confirm: they say nothing of tracks, exploitation and surface. */
export const isEndAlone = (was: AssessedComponent, is: AssessedComponent): boolean =>
  isResolvedAlike(was, is) && besideEnd(was) === besideEnd(is);

const besideEnd = ({ assessment: of }: AssessedComponent): string =>
  JSON.stringify([of?.cycle.tracks, of?.cycle.eoesFrom, of?.kevBasis === null, of?.factors.attackSurface]);

function isResolvedAlike({ resolution: was }: AssessedComponent, { resolution: is }: AssessedComponent): boolean {
  if (!hasCycle(was)) return true;
  const isMinimum = [was, is].map((each) => each.kind === "resolved" && each.minimum === true);
  return (
    hasCycle(is) &&
    was.kind === is.kind &&
    isMinimum[0] === isMinimum[1] &&
    JSON.stringify(was.packageEnd) === JSON.stringify(is.packageEnd)
  );
}

function termsOn(assessment: Assessment, days: readonly IsoDate[]): Terms {
  const { kevBasis, cycle } = assessment;
  const marks = `${kevBasis ?? ""}${cycle.retired ? " retired" : ""}${cycle.rolling ? " rolling" : ""}`;
  const isStable = endDays(cycle).every((day) => day < (days[0] ?? day) || day >= (days.at(-1) ?? day));
  let failing = 0;
  for (const day of isStable ? days.slice(0, 1) : days) {
    const then = day === assessment.asOf ? assessment : assessLater(assessment, day);
    for (const setting of SUPPORT) failing = failing * 2 + Number(supportUnder(then, setting).status === "eol");
    failing = failing * 2 + Number(then.score >= LEAST_SCORE);
  }
  return { failing: isStable ? failing * 0x11_11 : failing, marks };
}

const endDays = ({ eol, eoesFrom, tracks }: ReleaseCycle): readonly IsoDate[] => [
  ...[eol, eoesFrom].flatMap((end) => (end?.kind === "dated" ? [lastDay(end.date)] : [])),
  ...tracks.flatMap(({ end }) => (end === null ? [] : [lastDay(end)])),
];

/** A bit for each policy on each day, set where the gate fails. */
function failuresOn(candidate: AssessedComponent, days: readonly IsoDate[]): number {
  if (!hasCycle(candidate.resolution)) return 0;
  let bits = 0;
  for (const day of days) {
    const later = [onDay(candidate, day)];
    for (const policy of POLICIES)
      bits = bits * 2 + Number(evaluatePolicy(later, policy, day).findings[0]?.outcome.severity === "fail");
  }
  return bits;
}

const onDay = ({ assessment, distroAssessment, ...rest }: AssessedComponent, day: IsoDate): AssessedComponent => ({
  ...rest,
  ...(assessment && { assessment: assessLater(assessment, day) }),
  ...(distroAssessment && { distroAssessment: assessLater(distroAssessment, day) }),
});
