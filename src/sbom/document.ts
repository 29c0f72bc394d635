/** The document that the reader of every SBOM format returns. */
import { allBytes, type ByteSource } from "../json-rows/source.ts";
import { positions } from "../json-rows/position.ts";
import type { DocumentFields, ParsedDocument, Span } from "../model/index.ts";
import type { TableComponents } from "./component.ts";
import type { Opened } from "./envelope.ts";

/** A document with its bytes and the positions where enrichment writes. */
export interface ParsedSbom extends ParsedDocument {
  readonly components: TableComponents;
  readonly opened: Opened;
  /** The document's object. */
  readonly root: Span;
  /** End of the value that every document of its format has: CycloneDX `specVersion`, SPDX 2 `spdxVersion`. */
  readonly versionEnd: number;
  /** Position of CycloneDX `metadata`, SPDX 2 `annotations` or SPDX 3 `@graph`; undefined when absent. */
  readonly noteAt: number | undefined;
}

type DocumentField =
  | "format"
  | "specVersion"
  | "serialNumber"
  | "documentVersion"
  | "generator"
  | "signed"
  | "absentElements";

/** What a reader has read. */
export interface ReadParts extends Pick<
  ParsedSbom,
  "components" | "roots" | "dependencies" | "root" | "versionEnd" | "noteAt"
> {
  readonly fields: Pick<DocumentFields, DocumentField>;
  /** The bytes that `position` counts in; by default those of the opened input. */
  readonly source?: ByteSource;
}

export function createDocument(opened: Opened, { fields, source = opened.source, ...parts }: ReadParts): ParsedSbom {
  return { ...fields, ...parts, opened, wrappers: opened.wrappers, position: positions(source) };
}

/** The bytes of the document's object, without what it was wrapped in. */
export const documentBytes = ({ opened, root }: ParsedSbom): Uint8Array =>
  allBytes(opened.source).subarray(root.start, root.end);
