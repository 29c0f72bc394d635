/**
 * What a server runs twice a day: the sources again, on a thread of its own, and the new catalogue into service. Whether
 * this process is the one that refreshes is decided by whoever calls: a store that several share gives one of them a lease.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { KeyObject } from "node:crypto";
import { asIsoDate } from "../core/ids.ts";
import type { Catalogue, CatalogueChanges } from "../core/model.ts";
import { BUNDLED, parseCatalogue } from "./load.ts";
import { fetchCatalogue, takeCatalogue } from "./take.ts";
import { updateInWorker } from "./update/in-worker.ts";

export const HALF_DAY = 12 * 60 * 60 * 1000;

export interface RefreshOptions {
  /** Where the new catalogue and the snapshots of sources stand. */
  readonly folder: string;
  /** The catalogue in service: `bundled`, or a path. */
  readonly origin: () => string;
  /** Brings it into service. Answers that are under way finish over the old one. */
  readonly replace: (fresh: FreshCatalogue) => void;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** 0 to 1: so that many servers do not ask the sources at the same minute. */
  readonly random?: () => number;
  /** Milliseconds between refreshes; half a day when absent. */
  readonly every?: number;
  readonly base?: string;
  /** Another server whose catalogue is taken instead of asking the sources. */
  readonly from?: string;
  readonly key?: KeyObject;
  readonly env?: Readonly<Record<string, string | undefined>>;
}
export interface FreshCatalogue {
  readonly catalogue: Catalogue;
  readonly bytes: Buffer;
}
export interface Refresh {
  /** Milliseconds, up to a tenth more or less than asked. */
  readonly every: number;
  /** Answers with what came of it, for the log. @throws Fault: the catalogue in service stays. */
  readonly run: () => Promise<Refreshed>;
}
export interface Refreshed {
  readonly date: string;
  readonly digest: string;
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly dates_moved: number;
  readonly statuses: number;
  readonly kev: number;
  /** Ids of the sources that could not be read. */
  readonly failed: readonly string[];
  readonly quarantined: number;
}

export function createRefresh(options: RefreshOptions): Refresh {
  const { random = Math.random, every = HALF_DAY, replace } = options;
  return {
    every: Math.round(every * (0.9 + 0.2 * random())),
    async run() {
      const { bytes, path, changes, failed, quarantined } = await (options.from === undefined
        ? fromSources(options)
        : fromServer(options, options.from));
      const catalogue = parseCatalogue(bytes, path);
      replace({ catalogue, bytes });
      return {
        date: catalogue.stamp.date,
        digest: catalogue.stamp.digest,
        lines_added: changes.linesAdded.length,
        lines_removed: changes.linesRemoved.length,
        dates_moved: changes.dates.length,
        statuses: changes.statuses.length,
        kev: changes.kev.length,
        failed,
        quarantined,
      };
    },
  };
}

interface Brought {
  readonly bytes: Buffer;
  readonly path: string;
  readonly changes: CatalogueChanges;
  readonly failed: readonly string[];
  readonly quarantined: number;
}

const pathOf = (origin: string): string => (origin === "bundled" ? fileURLToPath(BUNDLED) : origin);

async function fromSources({ folder, origin, clock, base, env = {} }: RefreshOptions): Promise<Brought> {
  const now = clock();
  const today = asIsoDate(new Date(now).toISOString().slice(0, 10));
  const report = await updateInWorker({ folder, path: pathOf(origin()), today, now, base, env });
  const failed = report.sources.filter(({ outcome }) => outcome === "failed").map(({ id }) => id);
  return { ...report, failed, quarantined: report.quarantined.length };
}

async function fromServer({ folder, origin, clock, key, env = {} }: RefreshOptions, from: string): Promise<Brought> {
  const now = clock();
  const path = pathOf(origin());
  const offered = await fetchCatalogue(from, { env });
  const taken = await takeCatalogue({
    folder,
    current: { bytes: await readFile(path), origin: path },
    offered,
    key,
    today: asIsoDate(new Date(now).toISOString().slice(0, 10)),
    now,
  });
  return { ...taken, bytes: offered.bytes, failed: [], quarantined: 0 };
}
