/** The one path to a new watch list: the route for programs, the form, and the result of a check end here. */
import type { CycleRef } from "../core/model.ts";
import { addressBlock } from "./address.ts";
import { WATCH_LIMIT } from "./alerts/limits.ts";
import type { Caller, FollowedPackages, WatchService } from "./services.ts";

export interface WatchRequest {
  readonly email: string;
  /** Each once, riskiest first. */
  readonly cycles: readonly CycleRef[];
  readonly follow: FollowedPackages["follow"];
  readonly packages: FollowedPackages["packages"];
  readonly caller: Caller;
  /** The address of the client. */
  readonly ip: string;
}

export interface RequestedWatch {
  /** As it is stored. */
  readonly email: string;
  readonly watched: readonly CycleRef[];
  /** Those beyond the limit of a list. */
  readonly dropped: readonly CycleRef[];
}

/** @throws EolgateError `usage`, `quota`: see `WatchService.watch`. */
export async function requestWatch(
  watches: WatchService,
  { email, cycles, follow, packages, caller, ip }: WatchRequest,
): Promise<RequestedWatch> {
  const watched = cycles.slice(0, WATCH_LIMIT);
  const from = caller.kind === "anonymous" ? addressBlock(ip) : undefined;
  const answer = await watches.watch(email, watched, { follow, packages }, from);
  return { email: answer.email, watched, dropped: cycles.slice(WATCH_LIMIT) };
}
