/** The support of a release cycle on a product's page, shared by the list, the table and the timeline. */
import type { IsoDate } from "../../../text/ids.ts";
import type { Assessment, End, Product, SupportTrack } from "../../../model/index.ts";
import { runningTracks } from "../../../lifecycle/support.ts";
import { formatDay } from "../../../messages/format.ts";
import { formatEnd } from "../../../report/labels.ts";
import { endWords } from "../parts.ts";

/** The phase of support of a release cycle on the day of the assessment. */
export type SupportPhase = "active" | "security" | "soon" | "free" | "paid" | "ended" | "retired" | "unknown";

export const paidTrack = ({ cycle, asOf }: Assessment): SupportTrack | undefined =>
  runningTracks(cycle, asOf).find(({ cost }) => cost === "paid");

export function supportPhase(assessment: Assessment): SupportPhase {
  const { status } = assessment.support;
  if (status === "unknown") return "unknown";
  if (status === "approaching") return "soon";
  if (status === "active" && assessment.status === "eol") return "free";
  if (status === "active") return hasEnded(assessment.cycle.eoasFrom, assessment.asOf) ? "security" : "active";
  if (assessment.cycle.retired) return "retired";
  return paidTrack(assessment) ? "paid" : "ended";
}

const hasEnded = (end: End | undefined, asOf: IsoDate): boolean =>
  end?.kind === "ended" || (end?.kind === "dated" && end.date.value < asOf);

/** Whether fixes are available without a contract. */
export const isMaintained = (assessment: Assessment): boolean => {
  const phase = supportPhase(assessment);
  return phase === "active" || phase === "security" || phase === "soon" || phase === "free";
};

/** The end of support: `ends 30 Apr 2028, in 17 months`, `standard support ended; LTS until 30 Jun 2028 (free)`. */
export function supportText(assessment: Assessment): string {
  const { status, track, date } = assessment.support;
  if (track && assessment.status === "eol" && status !== "eol") return `standard support ended; ${trackText(track)}`;
  const { when, distance } = formatEnd(assessment);
  if (date !== null) return `${endWords(assessment)} ${formatDay(date)}, ${distance}`;
  return when === "supported" || when === "unknown" ? distance : `${when}, ${distance}`;
}

/** A support track without the vendor's name: `LTS until 30 Jun 2028 (free)`. */
export function trackText({ name, vendor, end, cost }: SupportTrack): string {
  const short = vendor !== "" && name.startsWith(`${vendor} `) ? name.slice(vendor.length + 1) : name;
  return `${short} ${end === null ? `(${cost}), no end announced` : `until ${formatDay(end)} (${cost})`}`;
}

/** Whether the catalogue contains only retired versions of the product, so that other versions may be supported. */
export const isRetiredOnly = ({ scope }: Product): boolean => scope === "retired-only";
