/**
 * The server's secret, from which keys and links are derived, so that the store does not reveal them. It has versions for
 * rotation: the highest version is used for new keys, older versions to send existing keys again.
 */
import { createHash, createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import type { Store } from "../store/store.ts";

/** A version of the secret. The object does not expose its bytes, so they cannot be logged. */
export interface Secret {
  readonly version: number;
  /** HMAC-SHA-256 (32 bytes) of the purpose and the id. */
  derive(purpose: SecretPurpose, id: string): Buffer;
}

export type SecretPurpose =
  | "key"
  | "watch-confirm"
  | "watch-unsubscribe"
  | "watch-manage"
  | "watch-webhook"
  | "watch-feed"
  | "fingerprint";

export interface SecretRing {
  readonly current: Secret;
  version(version: number): Secret | undefined;
  /** Highest first. */
  readonly versions: readonly number[];
}

export interface SecretSettings {
  /** `--secret-file`. */
  readonly file?: string;
  /** `EOLGATE_SECRET`. */
  readonly text?: string;
  /** Data folder of the embedded store, in which a secret is created if none is given; absent with `--database`. */
  readonly folder?: string;
}

/** Characters. A shorter secret could be found offline from one key. */
const MIN_LENGTH = 32;
const FILE = "secret";

/** Read the secret, or create one in the data folder. @throws EolgateError `server-config`, `config-unreadable` */
export function loadSecrets({ file, text, folder }: SecretSettings): SecretRing {
  if (file !== undefined) return parseSecrets(read(file), file);
  if (text !== undefined && text !== "") return parseSecrets(text, "EOLGATE_SECRET");
  if (folder !== undefined) return parseSecrets(readOrCreate(folder), join(folder, FILE));
  throw EolgateError.of("server-config", {
    problem: "a database requires a secret that is the same in every process",
    advice: "Create one with openssl rand -hex 32 > secret, and set --secret-file secret or EOLGATE_SECRET.",
  });
}

/** Parse lines of `VERSION:SECRET`, or a single secret without a version; `#` begins a comment line. @throws EolgateError `server-config` */
export function parseSecrets(text: string, where: string): SecretRing {
  const entries = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.split(/\s+/))
    .filter((entry) => entry !== "");
  const secrets = new Map<number, Secret>();
  for (const entry of entries) {
    const [, number = "1", value = ""] = /^(?:(\d{1,6}):)?(.*)$/.exec(entry) ?? [];
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
 * Checks that the store was used with the same secret before. With another secret, existing keys and links would not
 * work. @throws EolgateError `secret-mismatch`
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
  return readBoundedFile(file, "secret file", (cause) =>
    EolgateError.of("config-unreadable", { problem: "the secret file cannot be read" }, { where: file, cause }),
  ).toString("utf8");
}

function readOrCreate(folder: string): string {
  const file = join(folder, FILE);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `1:${randomBytes(32).toString("hex")}\n`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    // If the file could not be created, reading it throws the error.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return read(file);
  }
  return read(file);
}

function bad(where: string, what: string): EolgateError {
  return EolgateError.of("server-config", { problem: `the secret cannot be used: ${what}` }).at(where);
}

const KEY_PREFIX = "eolg_";

const ID_BYTES = 10;
const PROOF_BYTES = 16;
const CHECK_BYTES = 4;
const ID_CHARACTERS = (ID_BYTES * 8) / 5;
const SHAPE = /^eolg_[a-z2-7]{48}$/;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** 16 base32 characters from 10 random bytes. */
export const keyId = (random: Uint8Array): string => base32(random.subarray(0, ID_BYTES));

/** The key's text. It depends only on the id and the secret, so a lost key can be sent again. */
export function keyText(id: string, secret: Secret): string {
  const proof = secret.derive("key", id).subarray(0, PROOF_BYTES);
  const body = Buffer.concat([unbase32(id), proof]);
  return KEY_PREFIX + base32(Buffer.concat([body, checksum(body)]));
}

/** The id in a key's text; undefined if the format or the checksum is wrong. */
export function idOfKey(text: string): string | undefined {
  if (!SHAPE.test(text)) return undefined;
  const bytes = unbase32(text.slice(KEY_PREFIX.length));
  const body = bytes.subarray(0, ID_BYTES + PROOF_BYTES);
  if (!checksum(body).equals(bytes.subarray(ID_BYTES + PROOF_BYTES))) return undefined;
  return text.slice(KEY_PREFIX.length, KEY_PREFIX.length + ID_CHARACTERS);
}

/** SHA-256, hexadecimal, which the store contains instead of keys and tokens. */
export const hashOf = (text: string): string => hash("sha256", text, "hex");

/** Whether `text` has the given hash. Compares in constant time. */
export function hasHash(text: string, hash: string): boolean {
  const stored = Buffer.from(hash, "hex");
  const presented = createHash("sha256").update(text).digest();
  return stored.length === presented.length && timingSafeEqual(stored, presented);
}

const checksum = (body: Uint8Array): Buffer =>
  createHash("sha256").update(KEY_PREFIX).update(body).digest().subarray(0, CHECK_BYTES);

/** Base32 of RFC 4648, in lower case and without padding. */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((value >>> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET.charAt((value << (5 - bits)) & 31);
}

function unbase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text) {
    value = (value << 5) | ALPHABET.indexOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 255);
    value &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
