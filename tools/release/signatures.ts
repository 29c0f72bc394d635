/**
 * Checksums, signatures and provenance of the files of a release. The rehearsal signs with a key that exists only while
 * it runs: it shows that everything can be verified, and what a verification refuses. A release is signed by GitHub with
 * the identity of its workflow.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { objectOf } from "../json.ts";

/** https://github.com/secure-systems-lab/dsse/blob/master/envelope.md */
export interface Envelope {
  readonly payloadType: string;
  /** Base64 of the statement. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

interface Subject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}
/** https://slsa.dev/spec/v1.0/provenance in a statement of in-toto. */
export interface Provenance {
  readonly _type: "https://in-toto.io/Statement/v1";
  readonly subject: readonly Subject[];
  readonly predicateType: "https://slsa.dev/provenance/v1";
  readonly predicate: {
    readonly buildDefinition: {
      readonly buildType: string;
      readonly externalParameters: { readonly version: string };
      readonly resolvedDependencies: readonly {
        readonly uri: string;
        readonly digest: { readonly gitCommit: string };
      }[];
    };
    readonly runDetails: { readonly builder: { readonly id: string } };
  };
}

/** What was built: the version, the repository with the source, and its commit. */
export interface Source {
  readonly version: string;
  readonly repository: string;
  readonly commit: string;
}

const IN_TOTO = "application/vnd.in-toto+json";

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The lines of `sha256sum` for the files of a folder, in order of their names. */
export function checksums(folder: string, names: readonly string[]): string {
  return names
    .toSorted()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`)
    .join("");
}

/** Names the problems of a folder with `SHA256SUMS` in its text: files that differ, that are absent, or not listed. */
export function checksumProblems(folder: string, sums: string, notListed: ReadonlySet<string>): readonly string[] {
  const listed = new Map(
    [...sums.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, digest = "", name = ""]) => [name, digest]),
  );
  const present = new Set(readdirSync(folder));
  const wrong = [...listed].flatMap(([name, digest]) => {
    if (!present.has(name)) return [`${name} is listed and absent`];
    return sha256(readFileSync(join(folder, name))) === digest ? [] : [`${name} does not have its checksum`];
  });
  const others = [...present].filter((name) => !listed.has(name) && !notListed.has(name));
  return [...wrong, ...others.map((name) => `${name} has no checksum`)];
}

export function provenanceOf(sums: string, { version, repository, commit }: Source): Provenance {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [...sums.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, digest = "", name = ""]) => ({
      name,
      digest: { sha256: digest },
    })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/main/docs/releasing.md`,
        externalParameters: { version },
        resolvedDependencies: [{ uri: `git+${repository}`, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: `${repository}/blob/main/tools/release/rehearse.ts` } },
    },
  };
}

/** The bytes that a signature covers: the type and the payload with their lengths. */
function signedBytes(type: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
}

/** First 16 hex digits of SHA-256 over the public key in DER form. */
const keyId = (key: KeyObject): string => sha256(key.export({ type: "spki", format: "der" })).slice(0, 16);

export function seal(statement: Provenance, privateKey: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(null, signedBytes(IN_TOTO, payload), privateKey).toString("base64");
  return {
    payloadType: IN_TOTO,
    payload: payload.toString("base64"),
    signatures: [{ keyid: keyId(createPublicKey(privateKey)), sig }],
  };
}

/** @returns the statement of an envelope that the key has signed. Throws for every other envelope. */
export function unseal(envelope: Partial<Envelope>, publicKey: KeyObject): Partial<Provenance> {
  const { payloadType, payload = "", signatures = [] } = envelope;
  if (payloadType !== IN_TOTO) throw new Error(`the envelope contains ${payloadType ?? "no type"}, not ${IN_TOTO}`);
  const bytes = Buffer.from(payload, "base64");
  const isSigned = signatures.some(({ sig }) =>
    verify(null, signedBytes(payloadType, bytes), publicKey, Buffer.from(sig, "base64")),
  );
  if (!isSigned) throw new Error(`the provenance has no signature of the key ${keyId(publicKey)}`);
  return objectOf(JSON.parse(bytes.toString("utf8")));
}

/** Names where a provenance differs from the source and the files that a user has. */
export function provenanceProblems(provenance: Partial<Provenance>, sums: string, source: Source): readonly string[] {
  const expected = provenanceOf(sums, source);
  const parts = ["_type", "subject", "predicateType", "predicate"] as const;
  return parts
    .filter((part) => JSON.stringify(provenance[part]) !== JSON.stringify(expected[part]))
    .map((part) => `the ${part} of the provenance is not that of ${source.repository} at ${source.commit}`);
}
