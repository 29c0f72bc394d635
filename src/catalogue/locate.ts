/** Locates the catalogue: the given path, the environment, the user's cache, then the bundled one. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where a catalogue may be found. */
export interface LocateOptions {
  /** `--catalogue FILE`. */
  readonly path?: string;
  /** Reads `EOLGATE_CATALOGUE`, `EOLGATE_CACHE`, `XDG_CACHE_HOME`, `LOCALAPPDATA`. Empty when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Decides where the user's cache is. Default: the platform of the process. */
  readonly platform?: NodeJS.Platform;
}

/** Undefined means the bundled catalogue. A named path is returned even when no file is there, so that loading it fails. */
export function locateCatalogue({ path, env = {}, platform = process.platform }: LocateOptions): string | undefined {
  const named = path ?? nonEmpty(env["EOLGATE_CATALOGUE"]);
  if (named !== undefined) return named;
  // Without an environment there is no user: libraries and tests get the bundled catalogue.
  const cached = Object.keys(env).length > 0 ? join(cacheFolder(env, platform), "catalogue.json") : undefined;
  return cached !== undefined && existsSync(cached) ? cached : undefined;
}

/** The user's cache folder for eolgate, where the platform keeps caches. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const own = nonEmpty(env["EOLGATE_CACHE"]);
  if (own !== undefined) return own;
  const home = nonEmpty(env["HOME"]) ?? nonEmpty(env["USERPROFILE"]) ?? homedir();
  if (platform === "win32") return join(nonEmpty(env["LOCALAPPDATA"]) ?? join(home, "AppData", "Local"), "eolgate");
  if (platform === "darwin") return join(home, "Library", "Caches", "eolgate");
  return join(nonEmpty(env["XDG_CACHE_HOME"]) ?? join(home, ".cache"), "eolgate");
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
