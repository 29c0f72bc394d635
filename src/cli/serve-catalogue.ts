/** The catalogue that a server serves: loaded from its file, refreshed from the channel, and taken anew when somebody else replaced the file. */
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { CatalogueBytes } from "../catalogue/install.ts";
import { parseCatalogue } from "../catalogue/load.ts";
import { BUNDLED } from "../catalogue/places.ts";
import { isExecutable } from "../platform/package-files.ts";
import { utcDay } from "../server/clock.ts";
import type { ServedCatalogue } from "../server/editions.ts";
import type { Log } from "../server/log.ts";
import { RELEASE_CHANNEL } from "../catalogue/channel/release.ts";
import { cacheOf, currentCatalogueFile, installOptions, trustOf } from "./current-catalogue.ts";
import type { Invocation } from "./command.ts";
import { flagValues } from "./value-origins.ts";
import { text } from "./config.ts";

export interface CatalogueService {
  readonly first: ServedCatalogue;
  /** Reads the channel, or the sources where no channel is configured, and writes the user's catalogue; undefined when a file was named, which is not ours to replace. */
  readonly refresh: (() => Promise<object>) | undefined;
  /** The file, when it is another one than was served last: a refresh, another process, or `eolgate catalogue update`. */
  readonly changed: () => Promise<ServedCatalogue | undefined>;
}

export async function openCatalogueService(invocation: Invocation): Promise<CatalogueService> {
  const { io } = invocation;
  const values = flagValues(invocation);
  let file = await currentCatalogueFile(invocation, values);
  let stamp = await stampOf(file);
  const folder = cacheOf(invocation);

  async function changed(): Promise<ServedCatalogue | undefined> {
    const next = await currentCatalogueFile(invocation, values);
    const nextStamp = await stampOf(next);
    if (nextStamp === stamp) return undefined;
    const served = toServed(next);
    [file, stamp] = [next, nextStamp];
    return served;
  }

  /** The channel is one signed request; the sources are sixty. */
  async function refresh(): Promise<object> {
    const channel = text(io.env["EOLGATE_CATALOGUE_CHANNEL"]) ?? RELEASE_CHANNEL;
    const isMirrored = text(io.env["EOLGATE_SOURCE_BASE"]) !== undefined;
    return channel === undefined || isMirrored ? refreshFromSources() : refreshFromChannel(invocation, channel);
  }

  async function refreshFromSources(): Promise<object> {
    const { updateInWorker } = await import("../catalogue/update/in-worker.ts");
    const now = io.now();
    const path = file.origin === "bundled" ? undefined : file.origin;
    const base = io.env["EOLGATE_SOURCE_BASE"];
    const task = { folder, path, today: utcDay(now), now, base, env: io.env };
    const report = await updateInWorker(task, io.stop());
    const failed = report.sources.filter(({ outcome }) => outcome === "failed").map(({ id }) => id);
    return { sources: report.sources.length, failed, quarantined: report.quarantined.length };
  }

  return {
    first: toServed(file),
    refresh: text(values["catalogue"]) === undefined ? refresh : undefined,
    changed,
  };
}

async function refreshFromChannel(invocation: Invocation, channel: string): Promise<object> {
  const { io } = invocation;
  const { updateFrom } = await import("../catalogue/channel/update-from.ts");
  const { locate } = await import("../catalogue/channel/location.ts");
  const origin = await locate(channel, io.cwd, { env: io.env, signal: io.stop() });
  const trust = await trustOf(invocation, { key: io.env["EOLGATE_CATALOGUE_KEY"] });
  const result = await updateFrom({ ...(await installOptions(invocation, {})), origin, trust });
  return { channel: origin.location.address, status: result.kind };
}

const toServed = ({ bytes, origin }: CatalogueBytes): ServedCatalogue => ({
  catalogue: parseCatalogue(bytes, origin),
  bytes: () => bytes,
});

/** A tenth more or less, so that many servers do not ask the sources at the same minute. */
export function spread(every: number, random: () => number = Math.random): number {
  return Math.round(every * (0.9 + 0.2 * random()));
}

/** When and how big the file was: cheap to ask every minute. */
async function stampOf({ origin }: CatalogueBytes): Promise<string> {
  // What an executable contains does not change while it runs.
  if (origin === "bundled" && isExecutable()) return origin;
  const { mtimeMs, size } = await stat(origin === "bundled" ? fileURLToPath(BUNDLED) : origin);
  return `${origin} ${mtimeMs} ${size}`;
}

/** Loads a changed file, every minute and on request. With a broken file, the last good catalogue stays in use. */
export function followCatalogueChanges(
  service: CatalogueService,
  take: (served: ServedCatalogue) => void,
  log: Log,
  every: number,
) {
  const look = async (): Promise<void> => {
    try {
      const served = await service.changed();
      if (served) take(served);
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        "the new catalogue cannot be used; the current one stays in use",
      );
    }
  };
  const timer = setInterval(() => void look(), every);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}
