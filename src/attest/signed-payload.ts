/**
 * Verifies the signature of a Sigstore bundle or a DSSE envelope with public keys, by Sigstore's own verifier.
 * https://github.com/secure-systems-lab/dsse
 */
import type { KeyObject } from "node:crypto";
import { type Bundle, bundleFromJSON } from "@sigstore/bundle";
import { toSignedEntity, Verifier } from "@sigstore/verify";
import { keyId } from "../catalogue/signature.ts";
import { EolgateError } from "../messages/error.ts";
import { asList, isRecord } from "../text/values.ts";
import { BUNDLE_TYPE } from "./sign.ts";

/** Bytes that one of the keys signed. */
export interface SignedPayload {
  readonly payload: Buffer;
  readonly payloadType: string;
  readonly key: KeyObject;
  /** Parts of the bundle that were not checked. */
  readonly notChecked: readonly string[];
}

/**
 * Returns the payload that one of the keys signed. Of an envelope with several signatures, one is enough.
 * @param keys public keys, at least one
 * @throws EolgateError `bad-statement` for another file, `bad-signature`
 */
export function openSigned(bytes: Uint8Array, keys: readonly KeyObject[], where: string): SignedPayload {
  const bundles = bundlesIn(bytes, where);
  for (const bundle of bundles) {
    const key = keys.find((each) => isSignedBy(bundle, each));
    const { content } = bundle;
    if (key === undefined || content.$case !== "dsseEnvelope") continue;
    const { payload, payloadType } = content.dsseEnvelope;
    return { payload, payloadType, key, notChecked: uncheckedParts(bundle) };
  }
  throw wrongSignature(bundles, keys, where);
}

/** A bundle has one signature; each one of an envelope becomes a bundle. */
function bundlesIn(bytes: Uint8Array, where: string): readonly Bundle[] {
  const value = parseSigned(bytes, where);
  if (!isRecord(value)) throw badStatement("it is not a JSON object", where);
  if ("dsseEnvelope" in value) return [openBundle(value, where)];
  if ("messageSignature" in value) throw badStatement("the bundle signs a file and not a statement", where);
  if (!("payload" in value && "signatures" in value))
    throw badStatement(
      "_type" in value ? "the statement is not signed" : "it is neither a Sigstore bundle nor a DSSE envelope",
      where,
    );
  return asList(value["signatures"]).map((signature) => {
    const hint = isRecord(signature) && typeof signature["keyid"] === "string" ? signature["keyid"] : "";
    const dsseEnvelope = { ...value, signatures: [signature] };
    const verificationMaterial = { publicKey: { hint } };
    return openBundle({ mediaType: BUNDLE_TYPE, dsseEnvelope, verificationMaterial }, where);
  });
}

function parseSigned(bytes: Uint8Array, where: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badStatement("it is not JSON, or it is incomplete", where);
  }
}

function openBundle(value: unknown, where: string): Bundle {
  let bundle: Bundle;
  try {
    bundle = bundleFromJSON(value);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badStatement(`the bundle is damaged: ${why.slice(0, 200)}`, where);
  }
  if (bundle.verificationMaterial.content.$case === "publicKey") return bundle;
  throw badStatement(
    "it is signed with a certificate, which is not verified here",
    where,
    "Verify it with cosign or gh attestation verify, or sign with a key (--attest-key).",
  );
}

/** Entries of transparency logs and timestamps need keys of their own, which no flag names: they are left out. */
function isSignedBy(bundle: Bundle, publicKey: KeyObject): boolean {
  const trust = {
    certificateAuthorities: [],
    timestampAuthorities: [],
    tlogs: [],
    ctlogs: [],
    publicKey: () => ({ publicKey, validFor: () => true }),
  };
  const verifier = new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 });
  const material = { ...bundle.verificationMaterial, tlogEntries: [], timestampVerificationData: undefined };
  try {
    verifier.verify(toSignedEntity({ ...bundle, verificationMaterial: material }));
    return true;
  } catch {
    return false;
  }
}

function uncheckedParts({ verificationMaterial }: Bundle): readonly string[] {
  const { tlogEntries, timestampVerificationData } = verificationMaterial;
  return [
    ...(tlogEntries.length > 0 ? ["the entries in transparency logs"] : []),
    ...(timestampVerificationData?.rfc3161Timestamps.length ? ["the timestamps of the signature"] : []),
  ];
}

function wrongSignature(bundles: readonly Bundle[], keys: readonly KeyObject[], where: string): EolgateError {
  const ids = keys.map(keyId);
  const named = bundles.flatMap(({ verificationMaterial: { content } }) =>
    content.$case === "publicKey" && content.publicKey.hint !== "" ? [content.publicKey.hint.slice(0, 80)] : [],
  );
  const problem = named.some((hint) => ids.includes(hint))
    ? "the signature does not match: the statement or the signature was changed"
    : `the statement is not signed with ${ids.length === 1 ? "the key" : "one of the keys"} ${ids.join(", ")}${named.length > 0 ? `; it names the key ${named.join(", ")}` : ", or was changed"}`;
  return EolgateError.of("bad-signature", { problem }).at(where);
}

/** The error for a file that is no statement which can be verified. */
export const badStatement = (problem: string, where: string, advice?: string): EolgateError =>
  EolgateError.of("bad-statement", { problem: `the file cannot be verified: ${problem}`, advice }).at(where);
