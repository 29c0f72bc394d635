/** The readers that nearly every document needs: only these are loaded at start-up. */
import type { SbomDocument } from "../model/index.ts";
import { readCycloneDx } from "./cyclonedx/json.ts";
import type { DocumentFormat } from "./detect.ts";
import type { Opened } from "./envelope.ts";
import type { JsonFormat } from "./format-keys.ts";
import { readSpdx2 } from "./spdx2/json.ts";
import { readSpdx3 } from "./spdx3/json.ts";

export type DocumentReader = (opened: Opened) => SbomDocument;

export const JSON_READERS: Readonly<Record<JsonFormat, DocumentReader>> = {
  cyclonedx: readCycloneDx,
  spdx2: readSpdx2,
  spdx3: readSpdx3,
};

export const isJsonFormat = (format: DocumentFormat): format is JsonFormat => Object.hasOwn(JSON_READERS, format);
