/** Support beyond the standard end. Status and score never rest on it; one factor and the gate ask here. */
import type { IsoDate } from "../ids.ts";
import type { ReleaseCycle, SupportTrack } from "../model.ts";
import { lastDay } from "./days.ts";

/**
 * The tracks of a line that still run on `asOf`, the longest first; one without an announced end runs longest.
 * An end of extended support that comes without a track (`eoesFrom`) is a paid track of nobody in particular:
 * without evidence support is paid.
 */
export function runningTracks(cycle: ReleaseCycle, asOf: IsoDate): readonly SupportTrack[] {
  const running = [...cycle.tracks, ...unnamedTrack(cycle)].filter((track) => untilDay(track) >= asOf);
  return running.length > 1 ? running.toSorted(longestFirst) : running;
}

/** ISO days sort as text; this sorts after each of them. */
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
