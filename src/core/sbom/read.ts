/** Step 1 of the main path: bytes in, a document out. One row for each format that can be read. */
import type { SbomDocument } from "../model.ts";
import { readCycloneDx } from "./cyclonedx.ts";
import type { DocumentKind } from "./detect.ts";
import { readSpdx2 } from "./spdx2.ts";
import { readSpdx3 } from "./spdx3.ts";
import { unwrap, type Opened } from "./unwrap.ts";

const READERS: Readonly<Record<DocumentKind, (opened: Opened) => SbomDocument>> = {
  cyclonedx: readCycloneDx,
  spdx2: readSpdx2,
  spdx3: readSpdx3,
};

/**
 * Reads a CycloneDX JSON 1.2–1.7 or SPDX JSON 2.2, 2.3 or 3.0 document, also UTF-16, in a DSSE envelope, an in-toto
 * statement or an `{"sbom": …}` export. Positions, spans and pointers count in the innermost bytes, which are the given
 * ones unless an envelope encodes them.
 *
 * A document without components is returned as such: whether that is an answer is for the gate to say.
 *
 * @throws Fault of kind `input` (`not-json`, `truncated`, `invalid-utf8`, `empty-document`, `not-sbom`,
 * `private-format`, `unsupported-version`, `unsupported-format`, `bad-envelope`) that says where.
 */
export function readSbom(bytes: Uint8Array): SbomDocument {
  return readOpened(unwrap(bytes));
}

export const readOpened = (opened: Opened): SbomDocument => READERS[opened.kind](opened);
