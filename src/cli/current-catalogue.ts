/** What the catalogue commands share: the file at hand, the user's cache, keys, and the form of the answer. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { KeyObject } from "node:crypto";
import { fileURLToPath } from "node:url";
import { BUNDLED } from "../catalogue/places.ts";
import { cacheFolder, locateCatalogue } from "../catalogue/locate.ts";
import { readPublicKey } from "../catalogue/signature.ts";
import { EolgateError } from "../core/errors.ts";
import type { Invocation } from "./commands.ts";
import { deliver, jsonText } from "./output.ts";
import type { SettingsLayer } from "./settings.ts";
import { text } from "./config.ts";

export interface CatalogueFile {
  readonly bytes: Buffer;
  readonly origin: string;
}

/** The catalogue that commands would use. */
export async function currentCatalogueFile({ io }: Invocation, values: SettingsLayer): Promise<CatalogueFile> {
  const named = text(values["catalogue"]);
  const path = locateCatalogue({ env: io.env, ...(named !== undefined && { path: resolve(io.cwd, named) }) });
  return path === undefined
    ? { bytes: await readCatalogueFile(fileURLToPath(BUNDLED)), origin: "bundled" }
    : { bytes: await readCatalogueFile(path), origin: path };
}

export async function readCatalogueFile(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw EolgateError.of("catalogue-missing", {}, { where: path, cause });
  });
}

/** A file of another place, as the command names it. */
export async function namedFile({ io }: Invocation, path: string): Promise<CatalogueFile> {
  return { bytes: await readCatalogueFile(resolve(io.cwd, path)), origin: path };
}

export const cacheOf = ({ io }: Invocation): string => cacheFolder(io.env);

/** `--key` or EOLGATE_CATALOGUE_KEY: a file, or the key itself. */
export async function configuredKey({ io }: Invocation, values: SettingsLayer): Promise<KeyObject | undefined> {
  const said = text(values["key"]);
  if (said === undefined) return undefined;
  const isKey = said.includes("-----BEGIN") || /^[A-Za-z0-9+/]{43}=$/.test(said);
  const path = resolve(io.cwd, said);
  const pem = isKey
    ? said
    : await readFile(path, "utf8").catch((cause: unknown) => Promise.reject(keyMissing(path, cause)));
  return readPublicKey(pem, isKey ? "--key" : path);
}

export function keyMissing(path: string, cause: unknown): EolgateError {
  return EolgateError.raw("config", { code: "bad-key", message: "the key cannot be read", where: path, cause });
}

/** JSON as it is, or words. */
export async function answer(
  { io }: Invocation,
  values: SettingsLayer,
  json: unknown,
  words: () => string,
): Promise<number> {
  const body = text(values["format"]) === "json" ? jsonText(json) : words();
  await deliver(io, text(values["output"]), body);
  return 0;
}
