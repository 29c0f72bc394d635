/**
 * What every surface states beside the specified fields of a release cycle: the outcome under the default policy, and who
 * maintains it by the support that counts.
 */
import { cycleFullName } from "../messages/cycle-names.ts";
import { formatTrackName } from "../messages/format.ts";
import type { Assessment, Condition, CountedSupport, Finding, Resolution, Severity } from "../model/index.ts";
import { doubtOn } from "./doubts.ts";

/** How support has ended. Retirement and supersession are no end of life; undefined: it has not ended. */
export function endedAs({ support: { status }, cycle }: Pick<Assessment, "support" | "cycle">) {
  if (status !== "eol") return undefined;
  return cycle.retired ? "retired" : cycle.rolling ? "superseded" : "eol";
}

/** Days after the newer release for which a superseded release cycle is listed without a warning, by default. */
export const DEFAULT_SUPERSEDED_AFTER_DAYS = 90;

/** Whether a newer release superseded the cycle fewer than so many days ago. A newer release without a day is no new one. */
export const isNewlySuperseded = (of: Pick<Assessment, "support" | "cycle">, days: number): boolean =>
  endedAs(of) === "superseded" && (of.support.daysPastEol ?? Infinity) < days;

export const isSupported = ({ status }: Pick<CountedSupport, "status">): boolean =>
  status === "active" || status === "approaching";

export interface GateWord {
  readonly outcome: Severity;
  readonly condition: Condition;
}

/** What the default policy decides about a release cycle. A test compares it with the conditions of the policy. */
export function gateOf(assessment: Assessment): GateWord {
  const { support, doubts, asOf } = assessment;
  const ended = endedAs(assessment);
  if (isNewlySuperseded(assessment, DEFAULT_SUPERSEDED_AFTER_DAYS)) return { outcome: "pass", condition: "superseded" };
  if (ended !== undefined) return { outcome: ended === "eol" ? "fail" : "warn", condition: ended };
  if (support.status === "approaching") return { outcome: "warn", condition: "approaching" };
  const doubt = support.track === null ? doubtOn(doubts, asOf) : undefined;
  if (doubt) return { outcome: "warn", condition: doubt.kind };
  return { outcome: "pass", condition: support.status === "unknown" ? "unknown" : "none" };
}

/** The words that text for people uses for the state of a release cycle. */
export type LifecycleWord = "ended" | "retired" | "superseded" | "supported" | "not assessed";
const ENDED: Partial<Record<string, LifecycleWord>> = { eol: "ended", retired: "retired", superseded: "superseded" };

/** @param isCounted - Whether the support that counts runs on the day. */
export const lifecycleWord = (condition: string, isCounted: boolean): LifecycleWord =>
  ENDED[condition] ?? (isCounted ? "supported" : "not assessed");

/** Supported, and known to be exploited: no answer about it may look as if all were well. */
export const isExploitedWhileSupported = ({ support, kevBasis }: Pick<Assessment, "support" | "kevBasis">): boolean =>
  isSupported(support) && kevBasis === "affected";

/**
 * Who maintains a release cycle: the distribution for a package that it builds (`Rocky Linux 9`), the support track that
 * counts (`Debian LTS`), else the maintainers of the product. Null where support has ended or is not known.
 * @param resolution - Of the component that the assessment decided about; without it, the assessment is of the cycle itself.
 */
export function maintainedBy({ support, productName, cycle, releaseCycle }: Assessment, resolution?: Resolution) {
  if (!isSupported(support)) return null;
  const track = support.track && formatTrackName(support.track);
  if (!isOfDistribution(releaseCycle.product, resolution)) return track ?? productName;
  return `${cycleFullName(productName, cycle)}${track === null ? "" : ` (${track})`}`;
}

/** Who maintains a component; null for a package that its distribution dropped. */
export function whoMaintains({
  resolution,
  outcome: { condition, assessment },
}: Pick<Finding, "resolution" | "outcome">) {
  const own = "packageEnd" in resolution && condition === "package-eol" ? resolution.packageEnd : undefined;
  return assessment === undefined || own?.kind === "ended" ? null : maintainedBy(assessment, resolution);
}

const isOfDistribution = (product: string, resolution: Resolution | undefined): boolean =>
  resolution?.kind === "distro-maintained" ||
  (resolution?.kind === "resolved" && resolution.maintainedBy?.product === product);
