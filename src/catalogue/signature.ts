/** Ed25519 signatures over a catalogue's digest: the digest detects damage, the signature proves who published it. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { EolgateError } from "../messages/error.ts";
import type { StoredHead, StoredSignature } from "./schema.ts";

/** The algorithm of a key. A catalogue is signed with the first one only. */
export type KeyKind = "Ed25519" | "ECDSA P-256";
const OF_CATALOGUE: readonly KeyKind[] = ["Ed25519"];

/** Undefined for any other algorithm. */
export function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyKind | undefined {
  if (asymmetricKeyType === "ed25519") return "Ed25519";
  return asymmetricKeyDetails?.namedCurve === "prime256v1" ? "ECDSA P-256" : undefined;
}

/** A PEM public key, or the raw 32 bytes of an Ed25519 key in base64. @throws EolgateError `config`. */
export const readPublicKey = (text: string, where: string, kinds = OF_CATALOGUE): KeyObject =>
  keyFrom(() => publicKeyOf(text), "public", where, kinds);

function publicKeyOf(text: string): KeyObject {
  // Node would also read the key of a certificate, of which nothing is checked here, and that of a private key.
  if (text.includes("-----BEGIN PUBLIC KEY-----")) return createPublicKey(text);
  const x = Buffer.from(text.trim(), "base64").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** A PEM private key. @throws EolgateError `config`. */
export const readPrivateKey = (text: string, where: string, kinds = OF_CATALOGUE): KeyObject =>
  keyFrom(() => createPrivateKey(text), "private", where, kinds);

function keyFrom(read: () => KeyObject, half: string, where: string, kinds: readonly KeyKind[]): KeyObject {
  let cause: unknown;
  try {
    const key = read();
    if (kinds.some((kind) => kind === kindOf(key))) return key;
  } catch (error) {
    cause = error;
  }
  throw EolgateError.of("bad-key", { kind: `${kinds.join(" or ")} ${half}` }, { where, cause });
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

/** Who may sign a catalogue. */
export interface Trust {
  /** Of several keys, the last is the root key: it revokes others, and cannot be revoked. */
  readonly keys: readonly KeyObject[];
  /** Accept a catalogue without a signature. A wrong signature is refused all the same. */
  readonly allowUnsigned: boolean;
}

/**
 * Verifies a catalogue's signature. Answers with the id of the key, or undefined for an unsigned catalogue that is accepted.
 * @throws EolgateError `catalogue`, code `catalogue-unverified`.
 */
export function verifySignature({ digest, signature }: StoredHead, trust: Trust, origin: string): string | undefined {
  if (signature === null || trust.keys.length === 0) {
    if (trust.allowUnsigned) return undefined;
    const args =
      signature === null
        ? {
            problem: "the catalogue is not signed",
            advice: "Ask the publisher to sign it, or accept it with --allow-unsigned.",
          }
        : {
            problem: "no public key is configured to verify the signature of the catalogue",
            advice:
              "Name the publisher's key with --publisher-key, or accept the catalogue unverified with --allow-unsigned.",
          };
    throw EolgateError.of("catalogue-unverified", args).at(origin);
  }
  const value = Buffer.from(signature.value, "base64");
  const signer = trust.keys.find((key) => verify(null, Buffer.from(digest), key, value));
  if (signature.algorithm === "ed25519" && signer !== undefined) return keyId(signer);
  throw EolgateError.of("catalogue-unverified", {
    problem: `the catalogue is not signed with a trusted key (${trust.keys.map(keyId).join(", ")})`,
    advice: `Its signature names the key ${signature.key.slice(0, 40)}. Ask the publisher for the key, and name it with --publisher-key.`,
  }).at(origin);
}
