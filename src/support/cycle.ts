/** Determines the support level of a component from its release cycle, with the catalogue's sources as evidence. */
import { backportingDistribution, withSupport } from "../lifecycle/assess.ts";
import { endedAs } from "../lifecycle/gate.ts";
import { sameDate } from "../lifecycle/days.ts";
import { hasCycle } from "../resolve/unresolved.ts";
import type {
  AssessedComponent,
  Assessment,
  Claim,
  CycleLevel,
  PackageEnd,
  Evidence,
  Policy,
  StatementCode,
} from "../model/index.ts";
import type { IsoDate } from "../text/ids.ts";
import { declaredSupport } from "./declared.ts";
import { type CycleSupport, NO_CYCLE } from "./decide.ts";

/** What the catalogue and the document state of a component. */
export function knownSupport(component: AssessedComponent, policy: Policy, asOf: IsoDate): CycleSupport {
  const declared = declaredSupport(component.component, asOf);
  return { ...cycleSupport(component, policy), ...(declared && { declared }) };
}

/**
 * Uses the release cycle of the component, or that of its distribution where the policy assesses packages by their
 * distribution.
 */
export function cycleSupport(component: AssessedComponent, policy: Policy): CycleSupport {
  const { resolution, assessment } = component;
  if (!hasCycle(resolution)) return NO_CYCLE;
  const distro = backportingDistribution(component.distroAssessment, policy);
  const deciding = endsFirst(policy, distro, assessment);
  if (deciding === undefined) return NO_CYCLE;
  const counted = withSupport(deciding, policy);
  const isByDistro = deciding === distro || resolution.kind === "distro-maintained";
  const { packageEnd } = resolution;
  const isDropped = packageEnd !== undefined && isByDistro && counted.support.status !== "eol";
  return isDropped && hasEnded(packageEnd, deciding)
    ? packageEndSupport(packageEnd)
    : fromAssessment(counted, isByDistro);
}

/** The one that decides: the distribution's, unless the policy asks for both and only upstream's has ended or ends soon. */
function endsFirst(policy: Policy, distro: Assessment | undefined, own: Assessment | undefined) {
  if (policy.distroPackages !== "both" || distro === undefined || own === undefined) return distro ?? own;
  const [atDistro, atOwn] = [distro, own].map((each) => ORDER[withSupport(each, policy).support.status]);
  return (atOwn ?? 0) < (atDistro ?? 0) ? own : distro;
}

const ORDER: Readonly<Record<Assessment["status"], number>> = { eol: 0, approaching: 1, unknown: 2, active: 2 };

const hasEnded = ({ kind, from }: PackageEnd, { asOf }: Assessment): boolean =>
  kind === "ended" && (from === undefined || from <= asOf);

function packageEndSupport({ url, readOn, from }: PackageEnd): CycleSupport {
  const evidence: Evidence = {
    source: "catalogue",
    statement: "distribution-ended",
    url,
    retrievedAt: readOn,
    ...(from !== undefined && { date: from }),
  };
  const endOfSupport = from === undefined ? undefined : ({ value: from, precision: "day" } as const);
  return { level: "end-of-support", evidence: [evidence], ...(endOfSupport && { endOfSupport }) };
}

function fromAssessment(assessment: Assessment, isDistribution: boolean): CycleSupport {
  const { support, cycle } = assessment;
  if (support.status === "unknown") return NO_CYCLE;
  const level = levelOf(assessment);
  return {
    level,
    evidence: evidenceFor(assessment, STATEMENTS[level][isDistribution ? 1 : 0]),
    // A newer release ends no support: an older one is to be updated.
    ...(support.date && level !== "superseded" && { endOfSupport: support.date }),
    ...(cycle.successor !== undefined && { replacement: cycle.successor }),
  };
}

function levelOf({ support, cycle }: Assessment): CycleLevel {
  const ended = endedAs({ support, cycle });
  return ended === undefined ? "supported" : ENDED_LEVELS[ended];
}

const ENDED_LEVELS = { eol: "end-of-support", retired: "no-longer-maintained", superseded: "superseded" } as const;

const STATEMENTS: Readonly<Record<CycleLevel, readonly [own: StatementCode, distribution: StatementCode]>> = {
  supported: ["cycle-supported", "distribution-supported"],
  superseded: ["cycle-superseded", "cycle-superseded"],
  "end-of-support": ["cycle-ended", "distribution-ended"],
  "no-longer-maintained": ["cycle-retired", "cycle-retired"],
};

/** The source of the date that counts; without a recorded address it cannot be checked, so it is left out. */
function evidenceFor(assessment: Assessment, statement: StatementCode): readonly Evidence[] {
  const { date } = assessment.support;
  const { url, retrievedAt } = extendedSource(assessment) ?? sourceOf(assessment);
  if (url === undefined || retrievedAt === undefined) return [];
  return [{ source: "catalogue", statement, url, retrievedAt, ...(date && { date: date.value }) }];
}

function sourceOf({ provenance, support: { track } }: Assessment): Partial<Pick<Evidence, "url" | "retrievedAt">> {
  const [claim] = provenance.claims;
  const url = track?.url ?? provenance.url ?? claim?.url;
  const retrievedAt = provenance.verifiedAt ?? claim?.retrievedAt;
  return { ...(url !== undefined && { url }), ...(retrievedAt !== undefined && { retrievedAt }) };
}

/** The claim on the end of extended support, where that is the end of the track that counts. */
function extendedSource({ cycle, support: { date, track } }: Assessment): Claim | undefined {
  if (date === null || track === null) return undefined;
  return cycle.eoesClaims?.find(({ end }) => end.kind === "dated" && sameDate(end.date, date));
}
