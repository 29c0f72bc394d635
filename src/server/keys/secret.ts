/**
 * The server's secret: keys and links are derived from it, so the store alone reveals none. It has versions, so that
 * it can be rotated: the highest makes new keys, older ones stay to send old keys again until their line is removed.
 */
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EolgateError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";

/** One version of the secret. The bytes stay inside: there is nothing to print. */
export interface Secret {
  readonly version: number;
  /** 32 bytes of HMAC-SHA-256 for this purpose and id. */
  derive(purpose: SecretPurpose, id: string): Buffer;
}

export type SecretPurpose =
  | "key"
  | "watch-confirm"
  | "watch-unsubscribe"
  | "watch-manage"
  | "watch-feed"
  | "fingerprint";

export interface SecretRing {
  readonly current: Secret;
  version(version: number): Secret | undefined;
  readonly versions: readonly number[];
}

export interface SecretSettings {
  /** `--secret-file`. */
  readonly file?: string;
  /** `EOLGATE_SECRET`. */
  readonly text?: string;
  /** Data folder of the embedded store, where a secret is made when none is given; absent with `--database`. */
  readonly folder?: string;
}

/** Shorter ones could be guessed offline from one key. */
const MIN_LENGTH = 32;
const FILE = "secret";

/** @throws EolgateError `config` when there is none, or it is too short, or the file cannot be read. */
export function loadSecrets({ file, text, folder }: SecretSettings): SecretRing {
  if (file !== undefined) return parseSecrets(read(file), file);
  if (text !== undefined && text !== "") return parseSecrets(text, "EOLGATE_SECRET");
  if (folder !== undefined) return parseSecrets(readOrMake(folder), join(folder, FILE));
  throw EolgateError.of("secret-missing", {});
}

/** Lines of `VERSION:SECRET`, or one bare secret, which is version 1; `#` begins a comment line. */
export function parseSecrets(text: string, where: string): SecretRing {
  const words = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.split(/\s+/))
    .filter((word) => word !== "");
  const secrets = new Map<number, Secret>();
  for (const word of words) {
    const [, number = "1", value = ""] = /^(?:(\d{1,6}):)?(.*)$/.exec(word) ?? [];
    const version = Number(number);
    if (value.length < MIN_LENGTH) throw bad(where, `version ${version} is shorter than ${MIN_LENGTH} characters`);
    if (secrets.has(version)) throw bad(where, `version ${version} is given twice`);
    secrets.set(version, secret(version, value));
  }
  const current = secrets.get(Math.max(...secrets.keys()));
  if (!current) throw bad(where, "it is empty");
  return { current, version: (version) => secrets.get(version), versions: [...secrets.keys()].sort((a, b) => b - a) };
}

/**
 * Refuses to start with another secret than the one this store's keys were made with: a server that went on would
 * send links and keys that do not work.
 */
export async function checkSecrets(store: Store, ring: SecretRing): Promise<void> {
  for (const version of ring.versions) {
    const fingerprint =
      ring.version(version)?.derive("fingerprint", String(version)).toString("hex").slice(0, 16) ?? "";
    const stored = await store.settings.setOnce(`secret:${version}`, fingerprint);
    if (stored === fingerprint) continue;
    throw EolgateError.of("secret-mismatch", { version });
  }
}

function secret(version: number, value: string): Secret {
  return {
    version,
    derive: (purpose, id) => createHmac("sha256", value).update(`eolgate ${purpose} ${id}`).digest(),
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw EolgateError.of("secret-unreadable", {}, { where: file, cause });
  }
}

function readOrMake(folder: string): string {
  const file = join(folder, FILE);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `1:${randomBytes(32).toString("hex")}\n`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    // The file exists already, or cannot be created, which reading it reports.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return read(file);
  }
  return read(file);
}

function bad(where: string, what: string): EolgateError {
  return EolgateError.of("secret-bad", { what }, { where });
}
