/** The configuration file that waivers are written to: the one that `check` reads. */
import { resolve } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { readTextIfPresent } from "../platform/bounded-file.ts";
import type { Invocation } from "./command.ts";
import { readSettings, text, type Settings } from "./config.ts";

const NEW_FILE = "eolgate.config.yaml";

/** `--config`, else the nearest configuration file here or in a parent folder, else a new file here. */
export async function configurationFile(invocation: Invocation): Promise<{ settings: Settings; path: string }> {
  const { io } = invocation;
  const { config: named, ...flags } = invocation.flags;
  // The named file may not exist yet, so it is not read as settings.
  const settings = await readSettings({ ...invocation, flags, io: { ...io, env: { ...io.env, EOLGATE_CONFIG: "" } } });
  const given = text(named) ?? text(io.env["EOLGATE_CONFIG"]);
  const found = given === undefined ? settings.config?.path : undefined;
  return { settings, path: found ?? resolve(io.cwd, given ?? NEW_FILE) };
}

/** Empty for a file that does not exist yet. */
export const textOfFile = (file: string): string =>
  readTextIfPresent(file, "configuration file", (cause) =>
    EolgateError.of("config-unreadable", {}, { where: file, cause }),
  );
