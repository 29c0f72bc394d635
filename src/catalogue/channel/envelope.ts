/**
 * The signed envelope of the channel's metadata: DSSE (https://github.com/secure-systems-lab/dsse), the envelope of in-toto
 * and SLSA. The signature covers the payload's exact bytes and its type, so that nothing has to be canonicalized. This file
 * imports no package, because the job that signs has none.
 */
import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { keyId } from "../signature.ts";

export const METADATA_PATH = "v1/metadata.json";
export const CHANNEL_FORMAT = "eolgate-channel/1";
export const HISTORY_FORMAT = "eolgate-channel-history/1";
export const PAYLOAD_TYPE = "application/vnd.eolgate.catalogue-channel+json";

export interface Envelope {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly EnvelopeSignature[];
}
export interface EnvelopeSignature {
  /** First 16 hex digits of SHA-256 over the public key's DER form. Names the key; proves nothing. */
  readonly keyid: string;
  /** Base64. */
  readonly sig: string;
}

/** The ids of those of `keys` that signed the envelope. Compares every signature with every key: ids can be forged. */
export function signersOf(
  { payloadType, payload, signatures }: Envelope,
  keys: readonly KeyObject[],
): readonly string[] {
  // A key may sign other types of payload for other purposes.
  if (payloadType !== PAYLOAD_TYPE) return [];
  const bytes = signedBytes(payloadType, Buffer.from(payload, "base64"));
  return keys
    .filter((key) => signatures.some(({ sig }) => verify(null, bytes, key, Buffer.from(sig, "base64"))))
    .map(keyId);
}

/** DSSE's pre-authentication encoding: every part with its length, so that no two inputs give the same bytes. */
export function signedBytes(type: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
}

/** Signs with every key, so that clients that know only one of them can verify it. */
export function sealEnvelope(payload: Buffer, keys: readonly KeyObject[]): Envelope {
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString("base64"),
    signatures: keys.map((key) => ({
      keyid: keyId(createPublicKey(key)),
      sig: sign(null, signedBytes(PAYLOAD_TYPE, payload), key).toString("base64"),
    })),
  };
}
