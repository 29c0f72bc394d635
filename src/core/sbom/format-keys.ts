/** Keys that tell the format of an object. An object with keys of two formats is ambiguous and refused. */
import { EolgateError } from "../errors.ts";
import { members, type Members, type Shape } from "../../bytes/walk.ts";

export type JsonKind = "cyclonedx" | "spdx2" | "spdx3";
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
} as const satisfies Readonly<Record<string, JsonKind | EnvelopeKind>>;

/** The members of a document's object: those of its own format, and a refusal for those of all others. */
export function documentMembers<C>(kind: JsonKind, own: () => Readonly<Record<string, Shape<C>>>): Members<C> {
  return members(() => {
    const others = Object.entries(FORMAT_KEYS).filter(([, format]) => format !== kind);
    return { ...Object.fromEntries(others.map(([key]) => [key, otherFormat<C>(key)])), ...own() };
  });
}

const otherFormat = <C>(key: string): Shape<C> => ({
  met: (_, walk) => walk.refuse(walk.start, (where) => twoFormats(key, where)),
});

export const twoFormats = (key: string, where: string): EolgateError =>
  EolgateError.of("two-formats", { what: `the key "${key}"` }, { where });
