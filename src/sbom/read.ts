/** The readers, one row for each format. A new format is a row here and its keys in `envelope.ts`. */
import { MemorySource, type ByteSource } from "../json-rows/source.ts";
import type { SbomDocument } from "../model/index.ts";
import type { ParsedSbom } from "./component.ts";
import { readCycloneDx } from "./cyclonedx/json.ts";
import { readCycloneDxXml } from "./cyclonedx/xml/document.ts";
import { openDocument, type DocumentFormat, type Opened } from "./envelope.ts";
import { toPlainDocument } from "./plain.ts";
import { readSpdx2 } from "./spdx2/json.ts";
import { readTagValue } from "./spdx2/tag-value.ts";
import { readSpdx3 } from "./spdx3/json.ts";

export const READERS: Readonly<Record<DocumentFormat, (opened: Opened) => ParsedSbom>> = {
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
