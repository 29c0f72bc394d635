/** Documents for callers of the library: read without a promise, and as plain objects. */
import { MemorySource, type ByteSource } from "../json-rows/source.ts";
import type { ParsedDocument, SbomDocument } from "../model/index.ts";
import { lazy } from "../text/values.ts";
import { DocumentComponent, type ParsedSbom } from "./component.ts";
import { readCycloneDx } from "./cyclonedx/json.ts";
import { readCycloneDxXml } from "./cyclonedx/xml/document.ts";
import { openDocument, type DocumentFormat, type Opened } from "./envelope.ts";
import { dependenciesOf, toDependencyMap } from "./graph/dependency-graph.ts";
import { readSpdx2 } from "./spdx2/json.ts";
import { readTagValue } from "./spdx2/tag-value.ts";
import { readSpdx3 } from "./spdx3/json.ts";

const READERS: Readonly<Record<DocumentFormat, (opened: Opened) => ParsedSbom>> = {
  cyclonedx: readCycloneDx,
  "cyclonedx-xml": readCycloneDxXml,
  spdx2: readSpdx2,
  "spdx2-tag-value": readTagValue,
  spdx3: readSpdx3,
};

/** The same document, and the same errors, as `openSbom`, with all readers loaded. */
export function parseSbom(input: Uint8Array | ByteSource): ParsedSbom {
  const opened = openDocument(input instanceof Uint8Array ? new MemorySource(input) : input);
  return READERS[opened.format](opened);
}

/**
 * Reads CycloneDX 1.2 to 1.7 in JSON or XML, SPDX 2.2 and 2.3 in JSON or tag-value, and SPDX 3.0 in JSON, also in UTF-16, a
 * DSSE envelope, an in-toto statement or an `{"sbom": …}` export.
 *
 * Positions, spans and pointers count in the innermost bytes, which are the given ones unless an envelope encodes them. A
 * document without components is returned as such: the policy decides about it.
 *
 * @param input the document's bytes, or a source of them, which is read in pieces
 * @throws EolgateError of kind `input` or `too-large` with a position: `docs/errors.md` lists the codes
 */
export const readSbom = (input: Uint8Array | ByteSource): SbomDocument => toPlainDocument(parseSbom(input));

/** Decodes every field of the document. */
export function toPlainDocument({ components, dependencies, ...document }: ParsedDocument): SbomDocument {
  const { format, specVersion, wrappers, serialNumber, documentVersion, generator, signed, roots, absentElements } =
    document;
  return {
    format,
    specVersion,
    wrappers,
    ...(serialNumber !== undefined && { serialNumber }),
    ...(documentVersion !== undefined && { documentVersion }),
    ...(generator !== undefined && { generator }),
    signed,
    components: Array.from(components, (each) => (each instanceof DocumentComponent ? each.toPlain() : each)),
    roots,
    ...(absentElements !== undefined && { absentElements }),
    dependencies: toDependencyMap(dependencies()),
    position: document.position,
  };
}

export const toParsedDocument = (document: SbomDocument): ParsedDocument => ({
  ...document,
  dependencies: lazy(() => dependenciesOf(document.dependencies)),
});
