/** Makes the document that every reader returns from what it has read. */
import type { ByteSource } from "../json-rows/source.ts";
import { positions } from "../json-rows/position.ts";
import { lazy } from "../text/lazy.ts";
import type { SbomDocument } from "../model/index.ts";
import type { Opened } from "./envelope.ts";
import { toDependencyMap, type DependencyGraph } from "./graph/dependency-graph.ts";
import { keepSource, type Source } from "./source.ts";

type Given = "format" | "specVersion" | "serialNumber" | "documentVersion" | "generator" | "signed" | "absentElements";

/** What a reader has read: fields of the document, its components and dependencies, and where enrichment writes. */
export interface ReadParts extends Pick<Source, "components" | "root" | "versionEnd" | "noteAt"> {
  readonly fields: Pick<SbomDocument, Given>;
  readonly roots: readonly string[];
  /** Computed when the first dependency is requested. `nodes` are the ids that depend on others, in order. */
  readonly dependencies: () => { readonly graph: DependencyGraph; readonly nodes: Iterable<number> };
  /** The bytes that `position` counts in; by default those of the opened input. */
  readonly source?: ByteSource;
}

export function createDocument(opened: Opened, parts: ReadParts): SbomDocument {
  const { fields, components, roots, root, versionEnd, noteAt, dependencies, source = opened.source } = parts;
  const map = lazy(() => {
    const { graph, nodes } = dependencies();
    return toDependencyMap(graph, nodes);
  });
  const document: SbomDocument = {
    ...fields,
    wrappers: opened.wrappers,
    get components() {
      return components.all();
    },
    roots,
    get dependencies() {
      return map();
    },
    position: positions(source),
  };
  return keepSource(document, { opened, components, root, versionEnd, noteAt, graph: () => dependencies().graph });
}
