/** How the page of a product shows the support of a release cycle: the same in the strip, the table and the picture. */
import type { IsoDate } from "../../core/ids.ts";
import type { Assessment, End, Product, SupportTrack } from "../../core/model.ts";
import { runningTracks } from "../../core/lifecycle/support.ts";
import { formatDay } from "../../core/messages/format.ts";
import { formatEnd } from "../../report/labels.ts";

/** How far support of a release cycle reaches today. */
export type Reach = "active" | "security" | "soon" | "free" | "paid" | "ended" | "retired" | "unknown";

/** The longest free track that still runs. */
export const freeTrack = ({ cycle, asOf }: Assessment): SupportTrack | undefined =>
  runningTracks(cycle, asOf).find(({ cost }) => cost === "free");

export const paidTrack = ({ cycle, asOf }: Assessment): SupportTrack | undefined =>
  runningTracks(cycle, asOf).find(({ cost }) => cost === "paid");

export function reachOf(of: Assessment): Reach {
  if (of.status === "unknown") return "unknown";
  if (of.status === "approaching") return "soon";
  if (of.status === "active") return hasEnded(of.cycle.eoasFrom, of.asOf) ? "security" : "active";
  if (freeTrack(of)) return "free";
  if (of.cycle.retired) return "retired";
  return paidTrack(of) ? "paid" : "ended";
}

const hasEnded = (end: End | undefined, asOf: IsoDate): boolean =>
  end?.kind === "ended" || (end?.kind === "dated" && end.date.value < asOf);

/** Whether fixes are published without a contract. */
export const isMaintained = (of: Assessment): boolean => {
  const reach = reachOf(of);
  return reach === "active" || reach === "security" || reach === "soon" || reach === "free";
};

/** `ends 30 Apr 2028, in 17 months`, `standard support ended; LTS until 30 Jun 2028 (free)`. */
export function supportText(of: Assessment): string {
  const free = of.status === "eol" ? freeTrack(of) : undefined;
  if (free) return `standard support ended; ${trackText(free)}`;
  const { when, distance } = formatEnd(of);
  if (of.eolDate !== null) return `${of.status === "eol" ? "ended" : "ends"} ${formatDay(of.eolDate)}, ${distance}`;
  return when === "supported" || when === "unknown" ? distance : `${when}, ${distance}`;
}

/** `LTS until 30 Jun 2028 (free)`: the name without that of its vendor. */
export function trackText({ name, vendor, end, cost }: SupportTrack): string {
  const short = vendor !== "" && name.startsWith(`${vendor} `) ? name.slice(vendor.length + 1) : name;
  return `${short} ${end === null ? `(${cost}), no end announced` : `until ${formatDay(end)} (${cost})`}`;
}

/** Other versions may be supported. */
export const isRetiredOnly = ({ scope }: Product): boolean => scope === "retired-only";
