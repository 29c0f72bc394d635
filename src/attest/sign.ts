/** Signs a statement: a DSSE envelope in a Sigstore bundle. https://docs.sigstore.dev/about/bundle/ */
import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { signedBytes } from "../catalogue/channel/envelope.ts";
import { keyId, type KeyKind, kindOf } from "../catalogue/signature.ts";

export const BUNDLE_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";
export const STATEMENT_PAYLOAD = "application/vnd.in-toto+json";

/** The algorithms that sign verdicts and attached SBOMs. */
export const VERDICT_KEYS: readonly KeyKind[] = ["Ed25519", "ECDSA P-256"];

/** Returns the function that signs a statement. @param key Ed25519 or ECDSA P-256 */
export function sealWith(key: KeyObject): (statement: string) => string {
  const hint = keyId(createPublicKey(key));
  const digest = kindOf(key) === "Ed25519" ? null : "sha256";
  return (statement) => {
    const payload = Buffer.from(statement);
    const sig = sign(digest, signedBytes(STATEMENT_PAYLOAD, payload), key).toString("base64");
    const bundle = {
      mediaType: BUNDLE_TYPE,
      // The payload follows soon: a report is recognized by its beginning.
      dsseEnvelope: { payloadType: STATEMENT_PAYLOAD, payload: payload.toString("base64"), signatures: [{ sig }] },
      verificationMaterial: { publicKey: { hint } },
    };
    return `${JSON.stringify(bundle, null, 2)}\n`;
  };
}
