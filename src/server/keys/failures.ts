/** Wrong keys have a limit of their own per network, in memory: guessing must not cost a look-up in the store each. */
import { HOUR } from "../clock.ts";
import type { Clock } from "../clock.ts";

export interface Failures {
  /** Counts one wrong key; false when this network has tried too many in this hour. */
  count(network: string): boolean;
}

/** Wrong keys an hour and network. */
const LIMIT = 60;
const MAX_NETWORKS = 20_000;

export function createFailures(clock: Clock, limit = LIMIT): Failures {
  const windows = new Map<string, { readonly since: number; count: number }>();
  const current = (network: string) => {
    const window = windows.get(network);
    const age = window ? clock() - window.since : 0;
    // A clock that jumped back must not block for longer than one window.
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
