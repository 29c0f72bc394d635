/** Requests a new watch list, for the API route and the forms of the pages. */
import type { CycleRef } from "../../model/index.ts";
import { addressBlock } from "./address.ts";
import { WATCH_LIMIT } from "../alerts/limits.ts";
import type { Caller, FollowedPackages, WatchService } from "./services.ts";

export interface WatchRequest {
  readonly email: string;
  /** Distinct release cycles, highest risk first. */
  readonly cycles: readonly CycleRef[];
  readonly follow: FollowedPackages["follow"];
  readonly packages: FollowedPackages["packages"];
  readonly caller: Caller;
  /** The address of the client. */
  readonly ip: string;
}

export interface RequestedWatch {
  /** The normalized address. */
  readonly email: string;
  readonly watched: readonly CycleRef[];
  /** Release cycles beyond the limit of a list, which are not watched. */
  readonly dropped: readonly CycleRef[];
}

/** @throws EolgateError as `WatchService.watch` */
export async function requestWatch(
  watches: WatchService,
  { email, cycles, follow, packages, caller, ip }: WatchRequest,
): Promise<RequestedWatch> {
  const watched = cycles.slice(0, WATCH_LIMIT);
  const from = caller.kind === "anonymous" ? addressBlock(ip) : undefined;
  const answer = await watches.watch(email, watched, { follow, packages }, from);
  return { email: answer.email, watched, dropped: cycles.slice(WATCH_LIMIT) };
}
