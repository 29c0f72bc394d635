/** Small fictional documents for the tests of reading. They are text, because the tests depend on their form. */
import type { ParsedSbom } from "../../src/sbom/component.ts";
import { parseSbom, readSbom } from "../../src/sbom/read.ts";
import { EolgateError } from "../../src/messages/error.ts";
import type { SbomDocument } from "../../src/model/index.ts";

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const bytesFor = (document: unknown): Uint8Array =>
  bytesOf(typeof document === "string" ? document : JSON.stringify(document));
/** The document as plain objects. */
export const read = (document: unknown): SbomDocument => readSbom(bytesFor(document));
/** The document as its reader returns it. */
export const parse = (document: unknown): ParsedSbom => parseSbom(bytesFor(document));

export const cyclonedx = (rest: object = {}, specVersion = "1.6"): object => ({
  bomFormat: "CycloneDX",
  specVersion,
  version: 1,
  ...rest,
});
export const spdx2 = (rest: object = {}, version = "2.3"): object => ({
  spdxVersion: `SPDX-${version}`,
  dataLicense: "CC0-1.0",
  SPDXID: "SPDXRef-DOCUMENT",
  name: "shop",
  documentNamespace: "https://example.org/shop",
  creationInfo: { created: "2026-01-01T00:00:00Z", creators: ["Tool: maker-1.0", "Organization: Example"] },
  ...rest,
});
export const spdx3 = (nodes: readonly object[], specVersion = "3.0.1"): object => ({
  "@context": `https://spdx.org/rdf/${specVersion}/spdx-context.jsonld`,
  "@graph": [
    {
      type: "CreationInfo",
      "@id": "_:creation",
      specVersion,
      created: "2026-01-01T00:00:00Z",
      createdBy: [],
      createdUsing: ["urn:tool"],
    },
    { type: "Tool", spdxId: "urn:tool", name: "maker", creationInfo: "_:creation" },
    ...nodes,
  ],
});

export function errorOf(run: () => unknown): EolgateError {
  try {
    run();
  } catch (error) {
    if (error instanceof EolgateError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
