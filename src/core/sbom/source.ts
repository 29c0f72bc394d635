/**
 * What the reader knows of a document beyond its meaning: the bytes it stands in and the places where enrichment
 * writes. Kept beside the document, so that the model stays free of it.
 */
import { Fault } from "../errors.ts";
import type { SbomDocument, Span } from "../model.ts";
import type { ComponentDraft } from "./draft.ts";
import type { Opened } from "./unwrap.ts";

export interface Source {
  readonly opened: Opened;
  /** In the order of the document's components. */
  readonly drafts: readonly ComponentDraft[];
  /** The document's object. */
  readonly root: Span;
  /** End of the value that every document of its format has: CycloneDX `specVersion`, SPDX 2 `spdxVersion`. */
  readonly versionEnd: number;
  /** Begin of CycloneDX `metadata`, SPDX 2 `annotations` or SPDX 3 `@graph`; undefined when absent. */
  readonly noteAt: number | undefined;
}

const sources = new WeakMap<SbomDocument, Source>();

export function keepSource(document: SbomDocument, source: Source): SbomDocument {
  sources.set(document, source);
  return document;
}

/** @throws Fault of kind `internal` for a document that `readSbom` did not make. */
export function sourceOf(document: SbomDocument): Source {
  const source = sources.get(document);
  if (source !== undefined) return source;
  throw new Fault("internal", {
    code: "no-source",
    message: "Only a document as readSbom returned it can be enriched",
  });
}
