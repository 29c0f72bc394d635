/**
 * What the reader knows of a document beyond its meaning: the bytes it stands in and the places where enrichment
 * writes. Kept beside the document, so that the model stays free of it.
 */
import { EolgateError } from "../errors.ts";
import type { SbomDocument, Span } from "../model.ts";
import type { PlacedComponent } from "./placed.ts";
import type { DependencyGraph } from "./ref-graph.ts";
import type { Opened } from "./unwrap.ts";

export interface Source {
  readonly opened: Opened;
  /** In the order of the document's components. */
  readonly drafts: readonly PlacedComponent[];
  /** The document's object. */
  readonly root: Span;
  /** End of the value that every document of its format has: CycloneDX `specVersion`, SPDX 2 `spdxVersion`. */
  readonly versionEnd: number;
  /** Begin of CycloneDX `metadata`, SPDX 2 `annotations` or SPDX 3 `@graph`; undefined when absent. */
  readonly noteAt: number | undefined;
  /** Who depends on whom, read from the bytes; undefined where the document's map has to serve. */
  readonly graph?: () => DependencyGraph | undefined;
}

const sources = new WeakMap<SbomDocument, Source>();

export function keepSource(document: SbomDocument, source: Source): SbomDocument {
  sources.set(document, source);
  return document;
}

/** Undefined for a document that was not read from bytes. */
export const knownSourceOf = (document: SbomDocument): Source | undefined => sources.get(document);

/** @throws Fault of kind `internal` for a document that `readSbom` did not make. */
export function sourceOf(document: SbomDocument): Source {
  const source = sources.get(document);
  if (source !== undefined) return source;
  throw EolgateError.of("no-source", {});
}
