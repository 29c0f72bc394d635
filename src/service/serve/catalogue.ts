/**
 * The catalogue of a server: loaded from its file, refreshed from the channel, and loaded again when another process
 * replaces the file.
 */
import type { KeyObject } from "node:crypto";
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { CatalogueBytes } from "../../catalogue/update/install.ts";
import { resignCatalogue } from "../../catalogue/file.ts";
import { signDigest } from "../../catalogue/signature.ts";
import { lazy } from "../../text/values.ts";
import { parseCatalogue } from "../../catalogue/load.ts";
import { BUNDLED, RELEASE_CHANNEL } from "../../catalogue/places.ts";
import { isExecutable } from "../../platform/package-files.ts";
import { utcDay } from "../clock.ts";
import type { ServedCatalogue } from "../http/editions.ts";
import type { Log } from "./log.ts";
import { cacheOf, currentCatalogueFile, installOptions, privateKey, trustOf } from "../../shell/catalogue-file.ts";
import type { Invocation } from "../../shell/command.ts";
import type { ProcessContext } from "../../shell/process-context.ts";
import { flagValues, stringValue } from "../../shell/settings.ts";

export interface CatalogueService {
  readonly first: ServedCatalogue;
  /**
   * Reads the channel, or the sources if no channel is configured, and replaces the user's catalogue. Undefined if
   * `--catalogue` names a file, which is never replaced.
   */
  readonly refresh: (() => Promise<object>) | undefined;
  /**
   * The catalogue, if its file has changed since it was last served: by a refresh, another process, or `eolgate
   * catalogue update`.
   */
  readonly changed: () => Promise<ServedCatalogue | undefined>;
}

export async function openCatalogueService(invocation: Invocation): Promise<CatalogueService> {
  const { io } = invocation;
  const values = flagValues(invocation);
  const keyFile = stringValue(values["signKey"]);
  const key = keyFile === undefined ? undefined : await privateKey(io, keyFile);
  let file = await currentCatalogueFile(io, values);
  let fileState = await stateOf(file);
  const folder = cacheOf(io);

  async function changed(): Promise<ServedCatalogue | undefined> {
    const next = await currentCatalogueFile(io, values);
    const nextState = await stateOf(next);
    if (nextState === fileState) return undefined;
    const served = toServed(next, key);
    [file, fileState] = [next, nextState];
    return served;
  }

  /** The channel needs one request, the sources need sixty. */
  async function refresh(): Promise<object> {
    const channel = stringValue(io.env["EOLGATE_CHANNEL"]) ?? RELEASE_CHANNEL;
    const isMirrored = stringValue(io.env["EOLGATE_SOURCE_BASE"]) !== undefined;
    return channel === undefined || isMirrored ? refreshFromSources() : refreshFromChannel(io, channel);
  }

  async function refreshFromSources(): Promise<object> {
    const { updateInWorker } = await import("../../pipeline/index.ts");
    const now = io.now();
    const path = file.origin === "bundled" ? undefined : file.origin;
    const base = io.env["EOLGATE_SOURCE_BASE"];
    const task = { folder, path, today: utcDay(now), now, base, env: io.env };
    const report = await updateInWorker(task, io.stop());
    const failed = report.sources.filter(({ outcome }) => outcome === "failed").map(({ id }) => id);
    return { sources: report.sources.length, failed, quarantined: report.quarantined.length };
  }

  return {
    first: toServed(file, key),
    refresh: stringValue(values["catalogue"]) === undefined ? refresh : undefined,
    changed,
  };
}

async function refreshFromChannel(io: ProcessContext, channel: string): Promise<object> {
  const { updateFrom } = await import("../../catalogue/channel/pull.ts");
  const { locate } = await import("../../catalogue/channel/location.ts");
  const origin = await locate(channel, io.cwd, { env: io.env, signal: io.stop() });
  const trust = await trustOf(io, { publisherKey: io.env["EOLGATE_PUBLISHER_KEY"] });
  const result = await updateFrom({ ...(await installOptions(io, {})), origin, trust });
  const overdue = result.kind === "installed" && result.overdueSince && { overdue_since: result.overdueSince };
  return { channel: origin.location.address, status: result.kind, ...overdue };
}

/** With a key, the published file has the signature of this key, so that other installations can verify it. */
function toServed({ bytes, origin }: CatalogueBytes, key: KeyObject | undefined): ServedCatalogue {
  const signed = lazy(() => (key ? resignCatalogue(bytes, origin, (digest) => signDigest(digest, key)) : bytes));
  return { catalogue: parseCatalogue(bytes, origin), bytes: signed };
}

/** Varies an interval by up to 10 %, so that many servers do not ask the sources at the same time. */
export const jitter = (every: number, random: () => number = Math.random): number =>
  Math.round(every * (0.9 + 0.2 * random()));

/** The modification time and size of the file, by which a change is detected every minute. */
async function stateOf({ origin }: CatalogueBytes): Promise<string> {
  // The data of an executable does not change while it runs.
  if (origin === "bundled" && isExecutable()) return origin;
  const { mtimeMs, size } = await stat(origin === "bundled" ? fileURLToPath(BUNDLED) : origin);
  return `${origin} ${mtimeMs} ${size}`;
}

/**
 * Loads a changed file, at an interval and on request. If the file is not valid, the current catalogue stays in use.
 */
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
