/** The first step of the main path: bytes in, a document out. One row for each format that can be read. */
import { MemorySource, type ByteSource } from "../json-rows/source.ts";
import type { SbomDocument } from "../model/index.ts";
import { readCycloneDxXml } from "./cyclonedx/xml/document.ts";
import type { DocumentFormat } from "./detect.ts";
import { openDocument, type Opened } from "./envelope.ts";
import { JSON_READERS, type DocumentReader } from "./json-formats.ts";
import { readTagValue } from "./spdx2/tag-value.ts";

const READERS: Readonly<Record<DocumentFormat, DocumentReader>> = {
  ...JSON_READERS,
  "cyclonedx-xml": readCycloneDxXml,
  "spdx2-tag-value": readTagValue,
};

export type { ByteSource } from "../json-rows/source.ts";

/**
 * Reads CycloneDX 1.2 to 1.7 in JSON or XML, SPDX 2.2 and 2.3 in JSON or tag-value, and SPDX 3.0 in JSON, also in UTF-16, a
 * DSSE envelope, an in-toto statement or an `{"sbom": …}` export.
 *
 * Positions, spans and pointers count in the innermost bytes, which are the given ones unless an envelope encodes them. A
 * source is read in pieces and has to stay unchanged as long as the document is used. A document without components is
 * returned as such: the policy decides about it.
 *
 * @param input the document's bytes, or a source of them
 * @throws EolgateError of kind `input` or `too-large` with a position: `docs/errors.md` lists the codes
 */
export const readSbom = (input: Uint8Array | ByteSource): SbomDocument =>
  readOpened(openDocument(input instanceof Uint8Array ? new MemorySource(input) : input));

export const readOpened = (opened: Opened): SbomDocument => READERS[opened.format](opened);
