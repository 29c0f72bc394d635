/** The file of the catalogue that a command uses, the user's cache of it, and the keys that verify and sign it. */
import { resolve } from "node:path";
import type { KeyObject } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseOffered } from "../catalogue/load.ts";
import { BUNDLED, RELEASE_KEYS, cacheFolder, locateCatalogue, namedCatalogue } from "../catalogue/places.ts";
import { readBoundedFile } from "../platform/bounded-file.ts";
import { readPackageFile } from "../platform/package-files.ts";
import { openCatalogue } from "../catalogue/file.ts";
import type { CatalogueBytes, InstallOptions } from "../catalogue/update/install.ts";
import { type KeyKind, readPrivateKey, readPublicKey, type Trust } from "../catalogue/signature.ts";
import { EolgateError } from "../messages/error.ts";
import type { SettingsLayer } from "./command.ts";
import type { ProcessContext } from "./process-context.ts";
import { listValue, isEnabled, stringValue } from "./settings.ts";

/** The file of the catalogue that commands use. */
export async function currentCatalogueFile(io: ProcessContext, values: SettingsLayer): Promise<CatalogueBytes> {
  const named = stringValue(values["catalogue"]);
  const options = { env: io.env, ...(named !== undefined && { path: resolve(io.cwd, named) }) };
  const path = locateCatalogue(options);
  if (path === undefined) return bundledFile();
  const file = { bytes: readCatalogueFile(path), origin: path };
  return namedCatalogue(options) === undefined ? file : accepted(file);
}

/**
 * The catalogue that an update replaces. A cached file that is damaged or of another format must not prevent the update
 * that repairs it: the bundled catalogue takes its place, with a note.
 */
export async function replaceableCatalogue(io: ProcessContext, values: SettingsLayer): Promise<CatalogueBytes> {
  const file = await currentCatalogueFile(io, values);
  try {
    openCatalogue(file.bytes, file.origin);
    return file;
  } catch (error) {
    if (!(error instanceof EolgateError) || file.origin === "bundled" || stringValue(values["catalogue"]) !== undefined)
      throw error;
    io.err(`eolgate: note: ${error.message} (${file.origin}); comparing with the bundled catalogue instead\n`);
    return bundledFile();
  }
}

export function bundledFile(): CatalogueBytes {
  try {
    return { bytes: readPackageFile(BUNDLED), origin: "bundled" };
  } catch (cause) {
    throw EolgateError.of("catalogue-unreadable", {}, { where: fileURLToPath(BUNDLED), cause });
  }
}

function readCatalogueFile(path: string): Buffer {
  return readBoundedFile(path, "catalogue", (cause) =>
    EolgateError.of("catalogue-unreadable", {}, { where: path, cause }),
  );
}

/** A file that the command line names. */
export async function namedFile(io: ProcessContext, path: string): Promise<CatalogueBytes> {
  return accepted({ bytes: readCatalogueFile(resolve(io.cwd, path)), origin: path });
}

/** @throws EolgateError `catalogue`, code `catalogue-unsafe` */
function accepted(file: CatalogueBytes): CatalogueBytes {
  parseOffered(file.bytes, file.origin);
  return file;
}

export const cacheOf = (io: ProcessContext): string => cacheFolder(io.env);

/** The options of every command that replaces the catalogue in use. */
export async function installOptions(io: ProcessContext, values: SettingsLayer): Promise<InstallOptions> {
  return {
    folder: cacheOf(io),
    current: await replaceableCatalogue(io, values),
    today: io.today(),
    now: io.now(),
    allowOlder: isEnabled(values["allowOlder"]),
    allowLoss: isEnabled(values["allowLoss"]),
    allowDateChanges: isEnabled(values["allowDateChanges"]),
  };
}

/** The configured keys, else those of the release. */
export async function trustOf(io: ProcessContext, values: SettingsLayer): Promise<Trust> {
  const named = await configuredKeys(io, values);
  const keys = named.length > 0 ? named : RELEASE_KEYS.map((key) => readPublicKey(key, "release"));
  return { keys, allowUnsigned: isEnabled(values["allowUnsigned"]) };
}

/** `--publisher-key` or EOLGATE_PUBLISHER_KEY: files, or the keys themselves. */
export async function configuredKeys(io: ProcessContext, values: SettingsLayer): Promise<readonly KeyObject[]> {
  return Promise.all(
    listValue(values["publisherKey"]).map(async (named) => {
      const isKey = named.includes("-----BEGIN") || /^[A-Za-z0-9+/]{43}=$/.test(named);
      const path = resolve(io.cwd, named);
      return readPublicKey(isKey ? named : readKeyFile(path), isKey ? "--publisher-key" : path);
    }),
  );
}

/** @throws EolgateError `config`, code `bad-key`. */
export async function privateKey(
  { cwd }: ProcessContext,
  file: string,
  kinds?: readonly KeyKind[],
): Promise<KeyObject> {
  const path = resolve(cwd, file);
  return readPrivateKey(readKeyFile(path), path, kinds);
}

/** @throws EolgateError `bad-key`, `config-unreadable` */
export async function publicKey({ cwd }: ProcessContext, file: string, kinds: readonly KeyKind[]): Promise<KeyObject> {
  const path = resolve(cwd, file);
  return readPublicKey(readKeyFile(path), path, kinds);
}

const readKeyFile = (path: string): string =>
  readBoundedFile(path, "key file", (cause) =>
    EolgateError.of("config-unreadable", { problem: "the key file cannot be read" }, { where: path, cause }),
  ).toString("utf8");
