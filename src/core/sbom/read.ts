/** Step 1 of the main path: bytes in, a document out. One row for each format that can be read. */
import type { SbomDocument } from "../model.ts";
import { JSON_READERS, type Reader } from "./json-readers.ts";
import type { DocumentKind } from "./detect.ts";
import { readTagValue } from "./tag-value/spdx2.ts";
import { unwrap, type Opened } from "./unwrap.ts";
import { readCycloneDxXml } from "./xml/cyclonedx.ts";

const READERS: Readonly<Record<DocumentKind, Reader>> = {
  ...JSON_READERS,
  "cyclonedx-xml": readCycloneDxXml,
  "spdx2-tag-value": readTagValue,
};

/**
 * Reads a CycloneDX 1.2–1.7 document in JSON or XML, or SPDX 2.2, 2.3 in JSON or tag-value, or SPDX 3.0.x in JSON, also
 * UTF-16, in a DSSE envelope, an in-toto statement or an `{"sbom": …}` export. Positions, spans and pointers count in the
 * innermost bytes, which are the given ones unless an envelope encodes them.
 *
 * A document without components is returned as such: whether that is an answer is for the gate to say.
 *
 * @throws Fault of kind `input` (`not-json`, `not-xml`, `not-tag-value`, `truncated`, `invalid-utf8`, `empty-document`,
 * `not-sbom`, `private-format`, `wrong-type`, `unsupported-version`, `unsupported-format`, `bad-envelope`) that says where, or
 * `too-large` for XML past its limits.
 */
export const readSbom = (bytes: Uint8Array): SbomDocument => readOpened(unwrap(bytes));

export const readOpened = (opened: Opened): SbomDocument => READERS[opened.kind](opened);
