/** Which assessment and which support decide for a component: its own, the distribution's, or support beyond the end. */
import { endedAs, isNewlySuperseded } from "../lifecycle/gate.ts";
import type { Rule } from "./condition-row.ts";
import { doubtOn } from "../lifecycle/doubts.ts";
import { DOUBT_TEXTS, formatDoubt } from "../messages/doubts.ts";
import { formatKev } from "../messages/format.ts";
import { backportingDistribution, withSupport } from "../lifecycle/assess.ts";
import { hasCycle } from "../resolve/unresolved.ts";
import type { IsoDate } from "../text/ids.ts";
import type {
  AffectingKev,
  Assessed,
  AssessedComponent,
  Assessment,
  Component,
  Condition,
  DeclaredLevel,
  DoubtKind,
  LifecycleDate,
  PackageEnd,
  Policy,
  Resolution,
} from "../model/index.ts";
import { lastDay, sameDate } from "../lifecycle/days.ts";
import { supportCondition } from "../support/decide.ts";
import { declaredDate, declaredLevel, declaredSupport } from "../support/declared.ts";

interface DatedCandidate {
  readonly candidate: AssessedComponent;
  readonly asOf: IsoDate;
}

/**
 * The assessment that KEV ranges can be compared with: the component's own. A distribution patches its packages without
 * raising upstream's version, so upstream's ranges say nothing about them, and its own KEV entries are about the
 * system.
 */
export function exploitable(
  { resolution, assessment, distroAssessment: distro }: Assessed,
  policy: Pick<Policy, "distroPackages">,
): Assessment | undefined {
  if (resolution.kind !== "resolved" || isMinimum(resolution)) return undefined;
  return policy.distroPackages === "distro" && backportingDistribution(distro, policy) ? undefined : assessment;
}

/** The known exploited vulnerabilities of a version that count, for all reports. */
export function exploitedBy(of: Assessed, policy: Pick<Policy, "distroPackages">): readonly AffectingKev[] {
  const assessment = exploitable(of, policy);
  return assessment?.kevBasis === "affected" ? assessment.kevEntries : [];
}

/** The entries name the product, or earlier releases of the cycle, and do not show whether this version is fixed. */
export function mayBeExploited({ candidate }: { readonly candidate: Assessed }, policy: Policy): boolean {
  const basis = exploitable(candidate, policy)?.kevBasis;
  return basis === "product" || basis === "depends-on-patch";
}

/** Which earlier releases are affected, or that it is not known. */
export function formatEarlierKev(findings: readonly Assessed[]): string {
  const entries = findings.flatMap(({ assessment }) => assessment?.kevEntries ?? []);
  return entries.length === 0 ? "the affected versions are not known" : `earlier releases: ${formatKev(entries)}`;
}

/**
 * A package that its distribution stopped supporting before its own end. Where upstream's cycle decides, this applies only to
 * packages that no other rule could assess.
 */
export function droppedBy(
  { candidate: { resolution }, asOf }: DatedCandidate,
  policy: Policy,
): "ended" | "limited" | undefined {
  const dropped = packageEndOf(resolution);
  if (dropped === undefined || (resolution.kind === "resolved" && policy.distroPackages === "upstream"))
    return undefined;
  return dropped.from === undefined || dropped.from <= asOf ? dropped.kind : undefined;
}

/** Whether the cycle is the lowest one that a lower bound admits, which need not be in use. */
export const isMinimum = (resolution: Resolution): boolean =>
  resolution.kind === "resolved" && resolution.minimum === true;

/**
 * Whether only requirers that admit no supported release need a component, and only for development. Without evidence of each
 * of these, it is not blocked.
 */
export function isBlocked({ component, requirements }: AssessedComponent): boolean {
  if (component.scope !== "development" || requirements?.haveRanges !== true) return false;
  const requirement = requirements.of(component);
  if (requirement?.isDirect !== false || requirement.requirers.length === 0) return false;
  return requirement.requirers.every(({ admitsSupported }) => admitsSupported === false);
}

/** Whether a lower bound admits a release cycle that has ended. */
export const admitsEnded = ({ resolution, assessment }: AssessedComponent, policy: Policy): boolean =>
  isMinimum(resolution) && assessment !== undefined && withSupport(assessment, policy).support.status === "eol";

/** The end of support of a package that has a product of its own, or that is assessed by its distribution. */
export function packageEndOf(resolution: Resolution): PackageEnd | undefined {
  return hasCycle(resolution) ? resolution.packageEnd : undefined;
}

/** The end of a package that its distribution dropped; it counts until the release has ended as a whole. */
export function packageEndIn({ findings, outcome, assessment }: DecidedRow): PackageEnd | undefined {
  const own = outcome.condition === "package-eol" && findings[0] ? packageEndOf(findings[0].resolution) : undefined;
  return own?.kind === "ended" && assessment?.support.status !== "eol" ? own : undefined;
}

interface DecidedRow {
  readonly findings: readonly Pick<Assessed, "resolution">[];
  readonly outcome: { readonly condition: Condition };
  readonly assessment?: Assessment;
}

/** ` since 2024-05-01`, after the sentence about the end of one package; empty without one. */
export function formatPackageEnd(resolution: Resolution | undefined): string {
  const packageEnd = resolution && packageEndOf(resolution);
  if (packageEnd === undefined) return "";
  const { kind, from } = packageEnd;
  const since = from === undefined ? "" : ` since ${from}`;
  return kind === "limited" ? ` beyond limited support${since}` : since;
}

/** Whether a declaration of the component contradicts the assessment of its cycle. */
export function contradictsDeclaration({ declared }: Component, assessment: Assessment): boolean {
  const isDated = declared.some((each) => declaredDate(each) !== undefined);
  return declared.some((each) => {
    if (each.milestone === "support-level") return !isDated && contradictsLevel(each.value, assessment);
    const date = declaredDate(each);
    return date !== undefined && contradictsDate(date, assessment);
  });
}

function contradictsDate(declared: LifecycleDate, assessment: Assessment): boolean {
  if (knownEnds(assessment).some((date) => sameDate(date, declared))) return false;
  if (assessment.eolDate !== null) return true;
  return declaresEnded(declared, assessment.asOf) ? isSupported(assessment) : assessment.support.status === "eol";
}

/** "Support" may mean active, standard or extended support, so any of the cycle's ends may be meant. */
function knownEnds({ cycle, eolDate }: Assessment): readonly LifecycleDate[] {
  const ends = [cycle.eoasFrom, cycle.eoesFrom].flatMap((end) => (end?.kind === "dated" ? end.date : []));
  return [...(eolDate === null ? [] : [eolDate]), ...ends, ...cycle.tracks.flatMap((track) => track.end ?? [])];
}

const declaresEnded = (date: LifecycleDate, asOf: IsoDate): boolean => lastDay(date) < asOf;
const isSupported = ({ status }: Assessment): boolean => status === "active" || status === "approaching";

function contradictsLevel(value: string, assessment: Assessment): boolean {
  const level = declaredLevel(value);
  if (level === undefined) return false;
  return level === "supported" ? assessment.support.status === "eol" : isSupported(assessment);
}

/** A distro-maintained package without a product has no cycle that its declaration could be compared with. */
export function declaresOtherwise({ component, resolution, assessment }: AssessedComponent): boolean {
  return (
    component.declared.length > 0 &&
    resolution.kind === "resolved" &&
    assessment !== undefined &&
    contradictsDeclaration(component, assessment)
  );
}

/** A document states this level of support of a component of which the catalogue has no cycle with an end. */
export function declares(level: DeclaredLevel, { candidate, asOf }: DatedCandidate): boolean {
  const { component, resolution, assessment } = candidate;
  const isOpen =
    resolution.kind === "unmatched" ||
    (resolution.kind === "resolved" && (assessment === undefined || assessment.cycle.eol.kind === "unknown"));
  return isOpen && component.declared.length > 0 && declaredSupport(component, asOf)?.level === level;
}

/** A cycle that was not assessed must not read as a supported one. */
export function isNotAssessed({ resolution, assessment }: AssessedComponent): boolean {
  return hasCycle(resolution) && assessment === undefined;
}

/** A newer release does not warn at once: until then, a superseded cycle passes without being called supported. */
export const SUPERSEDED_RULES: readonly Rule<Assessment>[] = [
  {
    fails: "never",
    otherwise: "pass",
    applies: (of, policy) => isNewlySuperseded(of, policy.supersededAfterDays),
  },
  {
    fails: "superseded",
    otherwise: "warn",
    applies: (of, policy) => endedAs(of) === "superseded" && !isNewlySuperseded(of, policy.supersededAfterDays),
  },
];

/** The row of a doubt: the cycle is not known to have ended, so it warns unless the policy fails on it. */
export const doubtRow = (kind: DoubtKind) => ({
  ...DOUBT_TEXTS[kind],
  strict: true as const,
  cycle: [
    {
      fails: kind,
      otherwise: "warn" as const,
      applies: ({ support: { status, track }, doubts, asOf }: Assessment) =>
        status !== "eol" && track === null && doubtOn(doubts, asOf)?.kind === kind,
    },
  ],
  sentence: ({ subject, assessment }: { readonly subject: string; readonly assessment: Assessment | undefined }) => {
    const doubt = assessment && doubtOn(assessment.doubts, assessment.asOf);
    return `${subject}: ${DOUBT_TEXTS[kind].title}${doubt ? `: ${formatDoubt(doubt)}` : ""}`;
  },
});

/** The support level that signals gave the component meets the condition. */
export function hasLevel(condition: "unmaintained" | "inactive"): (input: DatedCandidate) => boolean {
  return ({ candidate: { support } }) => support !== undefined && supportCondition(support.level) === condition;
}

/** A source of signals, or the file itself, states that the package is no longer maintained. */
export const isUnmaintained = (input: DatedCandidate): boolean =>
  input.candidate.component.retirement !== undefined || hasLevel("unmaintained")(input);
