/** Finds SBOMs that are attached to an image, and checks whether an attachment is about this image. */
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { decodeBase64 } from "../../text/encodings.ts";
import type { Descriptor } from "./manifest.ts";

/** BuildKit puts the attestations of an image into its index. https://docs.docker.com/build/metadata/attestations/attestation-storage/ */
const REFERENCE_TYPE = "vnd.docker.reference.type";
const REFERENCE_DIGEST = "vnd.docker.reference.digest";

export const isAttestation = ({ annotations }: Descriptor): boolean =>
  annotations?.[REFERENCE_TYPE] === "attestation-manifest";

export const isAttestationOf = (entry: Descriptor, digest: string): boolean =>
  isAttestation(entry) && entry.annotations?.[REFERENCE_DIGEST] === digest;

/** Tags of cosign for attestations and SBOMs of a digest. https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md */
export const cosignTags = (digest: string): readonly string[] => {
  const name = digest.replace(":", "-");
  return [`${name}.att`, `${name}.sbom`];
};

/** The tag of the index of referrers to a digest, for registries without the referrers API. */
export const referrersTag = (digest: string): string => digest.replace(":", "-").slice(0, 128);

/** Media types of blobs that are, or contain, an SBOM. */
const SBOM_TYPES = /(?:spdx|cyclonedx|in-toto|dsse|sigstore\.bundle|vnd\.syft)/;

export const mayBeSbom = (types: {
  readonly mediaType?: string | undefined;
  readonly artifactType?: string | undefined;
}): boolean => SBOM_TYPES.test(types.mediaType ?? "") || SBOM_TYPES.test(types.artifactType ?? "");

/** The content of an attachment. */
export type Attachment =
  | { readonly kind: "sbom"; readonly format: string }
  /** A statement about something other than software components: provenance, a scan, a VEX. */
  | { readonly kind: "other" }
  /** A statement that does not name this image. */
  | { readonly kind: "foreign" }
  | { readonly kind: "unreadable"; readonly why: string };

const statementSchema = Type.Object({
  predicateType: Type.String(),
  subject: Type.Array(Type.Object({ digest: Type.Record(Type.String(), Type.String()) })),
});
const envelopeSchema = Type.Object({ payload: Type.String() });
const bundleSchema = Type.Object({ dsseEnvelope: Type.Unknown() });

const SBOM_PREDICATES: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/(?:www\.)?spdx\.dev\/Document/, "SPDX"],
  [/^https?:\/\/(?:www\.)?cyclonedx\.org\/(?:bom|schema)/, "CycloneDX"],
];

/**
 * Determines what an attachment contains.
 * @param digests Digests of the image: of its manifest, its index and its configuration.
 */
export function classifyAttachment(bytes: Uint8Array, digests: ReadonlySet<string>): Attachment {
  const value = unwrap(parseJson(bytes));
  if (value === undefined) return { kind: "sbom", format: "SBOM" }; // XML or tag-value: its reader decides
  if (!Check(statementSchema, value)) return classifyDocument(value);
  const format = SBOM_PREDICATES.find(([pattern]) => pattern.test(value.predicateType))?.[1];
  if (format === undefined) return { kind: "other" };
  return namesAny(value, digests) ? { kind: "sbom", format } : { kind: "foreign" };
}

const namesAny = ({ subject }: Static<typeof statementSchema>, digests: ReadonlySet<string>): boolean =>
  subject.some(({ digest }) => Object.entries(digest).some(([algorithm, hex]) => digests.has(`${algorithm}:${hex}`)));

/** A document without a statement: only the registry links it to the image. */
function classifyDocument(value: unknown): Attachment {
  if (hasKey(value, "bomFormat")) return { kind: "sbom", format: "CycloneDX" };
  if (hasKey(value, "spdxVersion") || hasKey(value, "@graph")) return { kind: "sbom", format: "SPDX" };
  if (hasKey(value, "artifacts") && hasKey(value, "descriptor"))
    return { kind: "unreadable", why: "it is in Syft's own format" };
  return { kind: "other" };
}

const hasKey = (value: unknown, key: string): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key);

/** A statement in a DSSE envelope, in a Sigstore bundle. */
function unwrap(value: unknown): unknown {
  const envelope = Check(bundleSchema, value) ? value.dsseEnvelope : value;
  if (!Check(envelopeSchema, envelope)) return envelope;
  const payload = decodeBase64(new TextEncoder().encode(envelope.payload));
  return payload === undefined ? null : (parseJson(payload) ?? null);
}

/** Undefined for what is not JSON. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return value;
  } catch {
    return undefined;
  }
}
