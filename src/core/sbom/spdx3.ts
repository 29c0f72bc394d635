/**
 * Reads SPDX 3.0 JSON-LD. A document is a list of elements in any order that name each other by id, so packages are
 * completed when all elements were read.
 */
import { positions } from "../../bytes/position.ts";
import { mustBeList, Walk, type Shape } from "../../bytes/walk.ts";
import type { SbomDocument } from "../model.ts";
import { noSbom, unsupportedVersion } from "./faults.ts";
import { documentMembers } from "./format-keys.ts";
import { markDevelopment, markRoots, rootsFirst } from "./spdx-roles.ts";
import { requireTargets } from "./spdx3-targets.ts";
import { finishPackages } from "./spdx3-graph.ts";
import { anyElement, elementMembers, ElementReading, graphElement } from "./spdx3-node.ts";
import { keepSource } from "./source.ts";
import type { Opened } from "./unwrap.ts";

const VERSIONS = ["3.0", "3.0.0", "3.0.1"];
const CONTEXT = /^https?:\/\/spdx\.org\/rdf\/v?(3[^/]*)\//;

const context: Shape<ElementReading> = {
  text: ({ contexts }, walk) => void contexts.push(walk.text()),
  elements: { text: ({ contexts }, walk) => void contexts.push(walk.text()) },
};

const document: Shape<ElementReading> = {
  open: (into, walk) => into.begin(into.element.pointer, walk.start),
  // Without @graph the document is one element.
  close: (into, walk) => void into.end(walk.at),
  members: documentMembers("spdx3", () => ({
    ...elementMembers(),
    "@context": context,
    "@graph": {
      must: mustBeList('"@graph"'),
      met: (into, walk) => {
        into.graphAt = walk.start;
      },
      elements: graphElement,
    },
  })),
  others: () => anyElement,
};

export function readSpdx3(opened: Opened): SbomDocument {
  const into = new ElementReading(opened.pointer);
  const walk = new Walk(opened.bytes, opened.at, into);
  walk.value(document);
  const root = { start: opened.at, end: walk.at };
  if (opened.whole) walk.scanner.finish();
  const { graph } = into;
  const specVersion = versionOf(into, opened);
  walk.throwRefusal();
  requireTargets(graph, opened.bytes);
  const components = finishPackages(graph);
  const roots = markRoots(components, graph.described());
  markDevelopment(components, graph.edges);
  const drafts = rootsFirst(roots, components);
  const read: SbomDocument = {
    format: "SPDX",
    specVersion,
    wrappers: opened.wrappers,
    serialNumber: graph.documentId,
    generator: graph.generator(),
    signed: opened.signed,
    components: drafts,
    roots: roots.flatMap(({ bomRef }) => bomRef ?? []),
    dependencies: graph.edges.dependencies,
    position: positions(opened.bytes),
  };
  return keepSource(read, { opened, drafts, root, versionEnd: 0, noteAt: into.graphAt });
}

/** Creation infos name the version; the context does where there is none. */
function versionOf({ contexts, graph }: ElementReading, opened: Opened): string {
  const context = contexts.map((each) => CONTEXT.exec(each)?.[1]).find((version) => version !== undefined);
  if (context === undefined) throw noSbom(opened);
  const versions = [...graph.specVersions];
  const unknown = versions.find((version) => !VERSIONS.includes(version));
  const version = unknown ?? versions[0] ?? context;
  if (VERSIONS.includes(version)) return version;
  throw unsupportedVersion("SPDX", version, VERSIONS, `${opened.pointer}/@context`);
}
