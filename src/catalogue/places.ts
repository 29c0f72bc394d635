/**
 * Where the catalogue's data is. This file is two folders below the root in `src/`, in `dist/` and in the bundles, so the
 * same relative addresses are valid in all of them.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The compiled catalogue that is part of the package. */
export const BUNDLED = new URL("../../src/data/catalogue.json", import.meta.url);

/** The curated entries as reviewed files. */
export const CURATED = new URL("../../src/pipeline/curated/", import.meta.url);

/** Names of the packages that releases of Debian ship (see `debian-packages.ts`). */
export const DEBIAN_PACKAGES = new URL("../../src/data/debian-packages.bin", import.meta.url);

/** How many packages of real documents the catalogue resolves, as measured. */
export const DOCUMENT_COVERAGE = new URL("../../src/data/document-coverage.json", import.meta.url);

// Locates the catalogue: the given path, the environment, the user's cache, then the bundled one.

/** Where a catalogue may be found. */
export interface LocateOptions {
  /** `--catalogue FILE`. */
  readonly path?: string;
  /** The folder from which a relative path starts; by default that of the process. */
  readonly cwd?: string;
  /** Reads `EOLGATE_CATALOGUE`, `EOLGATE_CACHE`, `XDG_CACHE_HOME`, `LOCALAPPDATA`. Empty when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Decides where the user's cache is. Default: the platform of the process. */
  readonly platform?: string;
}

/** The file that a flag or the environment names; undefined: the one that was installed, or the bundled one. */
export const namedCatalogue = ({ path, env = {} }: LocateOptions): string | undefined =>
  path ?? nonEmpty(env["EOLGATE_CATALOGUE"]);

/** Undefined means the bundled catalogue. A named path is returned even when no file is there, so that loading it fails. */
export function locateCatalogue(options: LocateOptions): string | undefined {
  const { env = {}, platform = process.platform } = options;
  const named = namedCatalogue(options);
  if (named !== undefined) return named;
  // Without an environment there is no user: libraries and tests get the bundled catalogue.
  const cached = Object.keys(env).length > 0 ? join(cacheFolder(env, platform), "catalogue.json") : undefined;
  return cached !== undefined && existsSync(cached) ? cached : undefined;
}

/** The user's cache folder for eolgate, where the platform keeps caches. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
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

// The channel that a release reads by default. Both values are set when the first release is made; until then
// `catalogue update` needs `--channel`, `EOLGATE_CHANNEL` or `--from-sources`, and signatures need `--publisher-key`.
// docs/operating.md describes how the keys are made and where their private halves are kept.

/** Address of the folder that contains `v1/metadata.json`. */
export const RELEASE_CHANNEL: string | undefined = undefined;

/** The command that brings a newer catalogue: from the channel where one is configured, else from the sources. */
export const updateCommand = ({
  EOLGATE_CHANNEL: channel = "",
}: Readonly<Record<string, string | undefined>>): string =>
  `eolgate catalogue update${RELEASE_CHANNEL === undefined && channel === "" ? " --from-sources" : ""}`;

/**
 * Ed25519 public keys, each as its raw 32 bytes in base64. The first signs; the last is the root key, which is kept
 * offline and takes over when the first is lost or stolen. A signature by either is accepted.
 */
export const RELEASE_KEYS: readonly string[] = [];
