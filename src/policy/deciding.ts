/** Which assessment and which support decide for a component: its own, the distribution's, or support beyond the end. */
import { withSupport } from "../lifecycle/assess.ts";
import { hasCycle } from "../resolve/has-cycle.ts";
import type { IsoDate } from "../text/ids.ts";
import type { AssessedComponent, Assessment, PackageEnd, Policy, Resolution } from "../model/index.ts";

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
  { resolution, assessment, distroAssessment: distro }: AssessedComponent,
  policy: Policy,
): Assessment | undefined {
  if (resolution.kind !== "resolved" || isMinimum(resolution)) return undefined;
  return policy.distroPackages === "distro" && backportingDistribution(distro, policy) ? undefined : assessment;
}

/**
 * The assessment of the distribution's release, where the distribution decides because it backports fixes. A release
 * without a known end does not decide.
 */
export function backportingDistribution(
  distroAssessment: Assessment | undefined,
  { distroPackages }: Policy,
): Assessment | undefined {
  return distroAssessment?.status === "unknown" || distroPackages === "upstream" ? undefined : distroAssessment;
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

/** Whether a lower bound admits a release cycle that has ended. */
export const admitsEnded = ({ resolution, assessment }: AssessedComponent, policy: Policy): boolean =>
  isMinimum(resolution) && assessment !== undefined && withSupport(assessment, policy).support.status === "eol";

/** The end of support of a package that has a product of its own, or that is assessed by its distribution. */
export function packageEndOf(resolution: Resolution): PackageEnd | undefined {
  return hasCycle(resolution) ? resolution.packageEnd : undefined;
}

/** ` since 2024-05-01`, after the sentence about the end of one package; empty without one. */
export function formatPackageEnd(resolution: Resolution | undefined): string {
  const packageEnd = resolution && packageEndOf(resolution);
  if (packageEnd === undefined) return "";
  const { kind, from } = packageEnd;
  const since = from === undefined ? "" : ` since ${from}`;
  return kind === "limited" ? ` beyond limited support${since}` : since;
}
