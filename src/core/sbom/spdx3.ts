/**
 * Reads SPDX 3.0 JSON-LD: the first step of the main path, for this format. A document is a list of nodes in any order
 * that name each other by id, so packages are finished when all nodes were met.
 */
import type { SbomDocument } from "../model.ts";
import { noSbom, unsupportedVersion } from "./faults.ts";
import { positions } from "../../bytes/position.ts";
import { members, mustBeList, text, Walk, type Shape } from "../../bytes/walk.ts";
import { markDevelopment, markRoots, rootsFirst } from "./spdx-roles.ts";
import { finishPackages, Graph } from "./spdx3-graph.ts";
import { nodeMembers, NodeReading, nodeShape } from "./spdx3-node.ts";
import { keepSource } from "./source.ts";
import type { Opened } from "./unwrap.ts";

const VERSIONS = ["3.0", "3.0.0", "3.0.1"];
const CONTEXT = /^https?:\/\/spdx\.org\/rdf\/v?(3[^/]*)\//;

class Reading extends NodeReading {
  contexts: string[] = [];
  graphAt: number | undefined;
  rootStart = 0;
}

const sbom: Shape<Reading> = {
  open: (into, walk) => {
    into.rootStart = walk.start;
    into.begin();
  },
  close: (into, walk) => {
    // Without @graph the document is one node.
    if (into.graphAt === undefined) into.graph.add(into, into.base, into.rootStart, walk.at);
  },
  members: members(() => ({
    ...nodeMembers<Reading>(),
    "@context": {
      met: (into) => {
        into.contexts = [];
      },
      text: (into, walk) => void into.contexts.push(walk.text()),
      elements: { text: (into, walk) => void into.contexts.push(walk.text()) },
    },
    "@graph": {
      must: mustBeList('"@graph"'),
      met: (into, walk) => {
        into.graph = new Graph();
        into.graphAt = walk.start;
      },
      elements: nodeShape<Reading>((into, walk) => `${into.base}/@graph/${walk.index}`),
    },
    creationInfo: {
      members: members(() => ({
        specVersion: text((into, value) => {
          if (value !== undefined) into.graph.specVersions.add(value);
        }),
      })),
    },
  })),
};

export function readSpdx3(opened: Opened): SbomDocument {
  const into = new Reading(opened.pointer);
  const walk = new Walk(opened.bytes, opened.at, into);
  walk.value(sbom);
  const root = { start: opened.at, end: walk.at };
  if (opened.whole) walk.scanner.finish();
  const { graph } = into;
  const specVersion = versionOf(into, opened);
  walk.refuseMisfits();
  const components = finishPackages(graph);
  const roots = markRoots(components, graph.described(), () => graph.edges);
  markDevelopment(components, graph.edges);
  const drafts = rootsFirst(roots, components);
  const document: SbomDocument = {
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
  return keepSource(document, { opened, drafts, root, versionEnd: 0, noteAt: into.graphAt });
}

/** Creation infos name the version; the context does where there is none. */
function versionOf({ contexts, graph }: Reading, opened: Opened): string {
  const context = contexts.map((each) => CONTEXT.exec(each)?.[1]).find((version) => version !== undefined);
  if (context === undefined) throw noSbom(opened);
  const versions = [...graph.specVersions];
  const unknown = versions.find((version) => !VERSIONS.includes(version));
  const version = unknown ?? versions[0] ?? context;
  if (VERSIONS.includes(version)) return version;
  throw unsupportedVersion("SPDX", version, VERSIONS, `${opened.pointer}/@context`);
}
