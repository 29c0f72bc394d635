/** The readers that nearly every document needs: these alone are loaded at start-up. */
import type { SbomDocument } from "../model.ts";
import { readCycloneDx } from "./cyclonedx.ts";
import type { DocumentKind } from "./detect.ts";
import type { JsonKind } from "./format-keys.ts";
import { readSpdx2 } from "./spdx2.ts";
import { readSpdx3 } from "./spdx3.ts";
import type { Opened } from "./unwrap.ts";

export type Reader = (opened: Opened) => SbomDocument;

export const JSON_READERS: Readonly<Record<JsonKind, Reader>> = {
  cyclonedx: readCycloneDx,
  spdx2: readSpdx2,
  spdx3: readSpdx3,
};

export const isJsonKind = (kind: DocumentKind): kind is JsonKind => Object.hasOwn(JSON_READERS, kind);
