/**
 * The text of a key: `eolg_` and 48 base32 characters, which contain the key's id (10 bytes), its proof (16 bytes of an
 * HMAC of the id with the server's secret) and a checksum (4 bytes of SHA-256). With the checksum, a mistyped key is
 * detected without the store. The prefix allows secret scanners to find leaked keys.
 */
import { createHash, hash, timingSafeEqual } from "node:crypto";
import type { Secret } from "./secret.ts";

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
