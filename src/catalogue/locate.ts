/** Where the catalogue is looked for: the path that was asked for, the environment, the user's cache, then the bundled one. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface LocateOptions {
  /** `--catalogue FILE`. */
  readonly path?: string;
  /** Reads `EOLGATE_CATALOGUE`, `EOLGATE_CACHE`, `XDG_CACHE_HOME`, `LOCALAPPDATA`. Empty when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

/** Undefined: the bundled one. A path that was asked for is answered even when nothing is there, so that loading fails. */
export function locateCatalogue({ path, env = {}, platform = process.platform }: LocateOptions): string | undefined {
  const asked = path ?? nonEmpty(env["EOLGATE_CATALOGUE"]);
  if (asked !== undefined) return asked;
  // Without an environment nobody's cache is meant: libraries and tests get the bundled one.
  const cached = Object.keys(env).length > 0 ? join(cacheFolder(env, platform), "catalogue.json") : undefined;
  return cached !== undefined && existsSync(cached) ? cached : undefined;
}

/** The user's cache folder of eolgate, by the platform's custom. */
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
