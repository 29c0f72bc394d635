/** Support beyond the standard end. It never changes the status; it changes one factor of the score, and policies may accept it. */
import type { IsoDate } from "../text/ids.ts";
import type { ReleaseCycle, SupportTrack } from "../model/index.ts";
import { lastDay } from "./days.ts";

/**
 * The support tracks of a cycle that still run on `asOf`, the longest first; a track without an announced end is the
 * longest. An end of extended support without a track (`eoesFrom`) counts as a paid track without a vendor: support
 * counts as free only with evidence.
 */
export function runningTracks(cycle: ReleaseCycle, asOf: IsoDate): readonly SupportTrack[] {
  const running = [...cycle.tracks, ...unnamedTrack(cycle)].filter((track) => untilDay(track) >= asOf);
  return running.length > 1 ? running.toSorted(longestFirst) : running;
}

/** ISO dates sort as text; this sorts after all of them. */
const NO_END = "~";
const untilDay = (track: SupportTrack): string => (track.end === null ? NO_END : lastDay(track.end));

function longestFirst(a: SupportTrack, b: SupportTrack): number {
  const [left, right] = [untilDay(a), untilDay(b)];
  return left === right ? 0 : left > right ? -1 : 1;
}

function unnamedTrack({ eoesFrom, tracks }: ReleaseCycle): readonly SupportTrack[] {
  if (tracks.length > 0 || eoesFrom === undefined) return [];
  if (eoesFrom.kind !== "dated" && eoesFrom.kind !== "open") return [];
  const end = eoesFrom.kind === "dated" ? eoesFrom.date : null;
  return [{ name: "extended support", vendor: "", cost: "paid", end }];
}
