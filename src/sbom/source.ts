/**
 * What the reader knows of a document beyond the model: its bytes, and the positions where enrichment writes.
 */
import { allBytes } from "../json-rows/source.ts";
import { EolgateError } from "../messages/error.ts";
import type { ComponentList, SbomDocument, Span } from "../model/index.ts";
import type { TableComponents } from "./component.ts";
import type { Opened } from "./envelope.ts";
import type { DependencyGraph } from "./graph/dependency-graph.ts";

export interface Source {
  readonly opened: Opened;
  /** In the order of the document's components. */
  readonly components: TableComponents;
  /** The document's object. */
  readonly root: Span;
  /** End of the value that every document of its format has: CycloneDX `specVersion`, SPDX 2 `spdxVersion`. */
  readonly versionEnd: number;
  /** Position of CycloneDX `metadata`, SPDX 2 `annotations` or SPDX 3 `@graph`; undefined when absent. */
  readonly noteAt: number | undefined;
  /** The dependencies; without it, the map of the document is used. */
  readonly graph?: () => DependencyGraph;
}

const sources = new WeakMap<SbomDocument, Source>();

export function keepSource(document: SbomDocument, source: Source): SbomDocument {
  sources.set(document, source);
  return document;
}

/** Undefined for a document that was not read from bytes. */
export const knownSourceOf = (document: SbomDocument): Source | undefined => sources.get(document);

/** The components of a document; of one that was read from bytes, none is made before it is requested. */
export const componentListOf = (document: SbomDocument): ComponentList =>
  sources.get(document)?.components ?? document.components;

/** @throws EolgateError `no-source` for a document that `readSbom` did not return */
export function sourceOf(document: SbomDocument): Source {
  const source = sources.get(document);
  if (source !== undefined) return source;
  throw EolgateError.of("no-source", {});
}

/** The bytes of the document's object, without what it was wrapped in. */
export function documentBytes(document: SbomDocument): Uint8Array {
  const { opened, root } = sourceOf(document);
  return allBytes(opened.source).subarray(root.start, root.end);
}
