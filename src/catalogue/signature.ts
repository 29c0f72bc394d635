/** Ed25519 over a catalogue's digest: who published it, where the digest alone says that it is whole. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { EolgateError } from "../core/errors.ts";
import type { StoredHead, StoredSignature } from "./schema.ts";

/** A PEM public key, or its raw 32 bytes in base64. @throws Fault `config`. */
export function readPublicKey(text: string, where: string): KeyObject {
  try {
    const raw = Buffer.from(text.trim(), "base64");
    const key = text.includes("-----BEGIN")
      ? createPublicKey(text)
      : createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") }, format: "jwk" });
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch (cause) {
    throw notAKey("public", where, cause);
  }
  throw notAKey("public", where);
}

/** A PEM private key. @throws Fault `config`. */
export function readPrivateKey(text: string, where: string): KeyObject {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch (cause) {
    throw notAKey("private", where, cause);
  }
  throw notAKey("private", where);
}

export function signDigest(digest: string, key: KeyObject): StoredSignature {
  return {
    algorithm: "ed25519",
    key: keyId(createPublicKey(key)),
    value: sign(null, Buffer.from(digest), key).toString("base64"),
  };
}

/** First 16 hex digits of SHA-256 over the key's DER form. */
export function keyId(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("hex").slice(0, 16);
}

/** @throws Fault `catalogue`, code `catalogue-unsigned` or `catalogue-signature`. */
export function checkSignature({ digest, signature }: StoredHead, key: KeyObject, origin: string): void {
  if (signature === null) {
    throw EolgateError.of("catalogue-unsigned", {}, { where: origin });
  }
  const sound =
    signature.algorithm === "ed25519" &&
    verify(null, Buffer.from(digest), key, Buffer.from(String(signature.value), "base64"));
  if (sound) return;
  throw EolgateError.of(
    "catalogue-signature",
    { keyId: keyId(key), signature: String(signature.key).slice(0, 40) },
    { where: origin },
  );
}

function notAKey(half: "public" | "private", where: string, cause?: unknown): EolgateError {
  return EolgateError.raw("config", {
    code: "bad-key",
    message: `this is no Ed25519 ${half} key`,
    where,
    hint: "Make one with: openssl genpkey -algorithm ed25519 -out key.pem",
    cause,
  });
}
