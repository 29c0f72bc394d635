/** Keys that tell the format of an object. An object with keys of two formats is ambiguous and refused. */
import type { Schema } from "../json-rows/schema.ts";
import { EolgateError } from "../messages/error.ts";

export type JsonFormat = "cyclonedx" | "spdx2" | "spdx3";
/** Envelopes, by the member that contains the document. */
export type EnvelopeKind = "dsse" | "sigstore" | "in-toto" | "predicate-data" | "export";

export const FORMAT_KEYS = {
  bomFormat: "cyclonedx",
  components: "cyclonedx",
  spdxVersion: "spdx2",
  SPDXID: "spdx2",
  packages: "spdx2",
  "@context": "spdx3",
  "@graph": "spdx3",
  payload: "dsse",
  payloadType: "dsse",
  dsseEnvelope: "sigstore",
  predicate: "in-toto",
  predicateType: "in-toto",
  Data: "predicate-data",
  sbom: "export",
} as const satisfies Readonly<Record<string, JsonFormat | EnvelopeKind>>;

type Members<C> = Readonly<Record<string, Schema<C>>>;

/** The members of an object: those of its own format, and a refusal for the keys of all others. */
export const documentMembers =
  <C>(format: JsonFormat | EnvelopeKind, own: () => Members<C>): (() => Members<C>) =>
  () => {
    const others = Object.entries(FORMAT_KEYS).filter(([, other]) => other !== format);
    return { ...Object.fromEntries(others.map(([key]) => [key, otherFormat<C>(key)])), ...own() };
  };

const otherFormat = <C>(key: string): Schema<C> => ({
  sameAs: "a key of another format",
  begin: (_, value) => value.refuse(value.start, (where) => twoFormats(key, where)),
});

const twoFormats = (key: string, where: string): EolgateError =>
  EolgateError.of("two-formats", { what: `the key "${key}"` }, { where });
