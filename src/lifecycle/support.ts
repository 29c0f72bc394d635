/**
 * The support that counts: the latest end of standard support and of the support tracks that a policy accepts. It decides
 * verdicts, and reports show its date. `Assessment.status` and the score keep the standard end.
 */
import type { IsoDate } from "../text/ids.ts";
import type { Assessment, CountedSupport, Doubt, End, Policy, ReleaseCycle, SupportTrack } from "../model/index.ts";
import { addDays, lastDay } from "./days.ts";
import { lifecycleState } from "./status.ts";

/** The fields of a policy that decide which support counts, and how old the statement about it may be. */
export type SupportSetting = Pick<Policy, "support" | "contracts" | "maxCatalogueAge">;

/** The support of a cycle on a day, if these tracks count beside standard support. */
export function supportThatCounts(
  cycle: Pick<ReleaseCycle, "eol">,
  tracks: readonly SupportTrack[],
  asOf: IsoDate,
  doubts: readonly Doubt[] = [],
): CountedSupport {
  const [track = null] = tracks.filter((each) => untilDay(each) > standardDay(cycle.eol, asOf)).toSorted(longestFirst);
  const trackEnd: End = track?.end ? { kind: "dated", date: track.end } : { kind: "open" };
  const end = track === null ? cycle.eol : trackEnd;
  return {
    date: end.kind === "dated" ? end.date : null,
    track,
    ...lifecycleState(end, asOf, track === null ? doubts : []),
  };
}

/** The tracks that count by default: those that are free. */
export const freeTracks = ({ tracks }: Pick<ReleaseCycle, "tracks">): readonly SupportTrack[] =>
  tracks.filter(({ cost }) => cost === "free");

/** The support of an assessed cycle under a policy. With contracts, they replace the paid tracks of the catalogue. */
export function supportUnder(assessment: Assessment, setting: SupportSetting): CountedSupport {
  if (setting.support === "free") return assessment.support;
  const { cycle, asOf, doubts } = assessment;
  const tracks = setting.support === "standard" ? [] : extendedTracks(assessment, setting);
  return supportThatCounts(cycle, tracks, asOf, doubts);
}

function extendedTracks({ cycle, releaseCycle }: Assessment, { contracts }: SupportSetting): readonly SupportTrack[] {
  if (contracts.length === 0) return allTracks(cycle);
  const bought = contracts
    .filter(
      (each) => each.product === releaseCycle.product && (each.cycle ?? releaseCycle.cycle) === releaseCycle.cycle,
    )
    .map(({ vendor, until }): SupportTrack => {
      return { name: "contract", vendor, cost: "paid", end: { value: until, precision: "day" } };
    });
  return [...freeTracks(cycle), ...bought];
}

/** The support tracks of a cycle that still run on `asOf`, the longest first. */
export const runningTracks = (cycle: ReleaseCycle, asOf: IsoDate): readonly SupportTrack[] =>
  allTracks(cycle)
    .filter((track) => untilDay(track) >= asOf)
    .toSorted(longestFirst);

/** ISO dates sort as text; this sorts after all of them. */
const NO_END = "~";
/** A track without an announced end is the longest. */
const untilDay = (track: SupportTrack): string => (track.end === null ? NO_END : lastDay(track.end));

/** After an end without a date only a track that runs on `asOf` lasts longer; an unknown end stays unknown. */
function standardDay(end: End, asOf: IsoDate): string {
  if (end.kind === "dated") return lastDay(end.date);
  return end.kind === "ended" ? addDays(asOf, -1) : NO_END;
}

function longestFirst(a: SupportTrack, b: SupportTrack): number {
  const [left, right] = [untilDay(a), untilDay(b)];
  return left === right ? 0 : left > right ? -1 : 1;
}

/**
 * An end of extended support without a track (`eoesFrom`) counts as a paid track without a vendor: support counts as
 * free only with evidence.
 */
function allTracks({ eoesFrom, tracks }: ReleaseCycle): readonly SupportTrack[] {
  if (tracks.length > 0 || (eoesFrom?.kind !== "dated" && eoesFrom?.kind !== "open")) return tracks;
  const end = eoesFrom.kind === "dated" ? eoesFrom.date : null;
  return [{ name: "extended support", vendor: "", cost: "paid", end }];
}
