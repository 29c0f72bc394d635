/** Limits wrong keys per network, in memory, so that guessing keys does not cause a query of the store each time. */
import { HOUR } from "../http/clock.ts";
import type { Clock } from "../http/clock.ts";

export interface Failures {
  /** Counts a wrong key. False if the network has exceeded the limit in the current hour. */
  count(network: string): boolean;
}

/** Wrong keys per network and hour. */
const LIMIT = 60;
const MAX_NETWORKS = 20_000;

export function createFailures(clock: Clock, limit = LIMIT): Failures {
  const windows = new Map<string, { readonly since: number; count: number }>();
  const current = (network: string) => {
    const window = windows.get(network);
    const age = window ? clock() - window.since : 0;
    // If the clock was set back, the window is reset, so that it blocks for at most an hour.
    return window && age >= 0 && age < HOUR ? window : undefined;
  };
  return {
    count(network) {
      const window = current(network);
      if (window) {
        window.count += 1;
        return window.count <= limit;
      }
      windows.delete(network);
      const [oldest] = windows.keys();
      if (oldest !== undefined && windows.size >= MAX_NETWORKS) windows.delete(oldest);
      windows.set(network, { since: clock(), count: 1 });
      return limit > 0;
    },
  };
}
