/**
 * Reads SPDX 3.0 JSON-LD. A document is a list of elements in any order that name each other by id, so packages are
 * completed when all elements were read.
 */
import type { Schema } from "../../json-rows/schema.ts";
import { ComponentTable } from "../component-table.ts";
import { createDocument, type ParsedSbom } from "../component.ts";
import { documentMembers, requireEnd, type Opened } from "../envelope.ts";
import { notSbom, requireVersion } from "../refusals.ts";
import { relateComponents } from "../spdx/relations.ts";
import { anyElement, elementMembers, ElementReading, graphElement } from "./element.ts";
import { addPackages, SPDX3_FORMAT } from "./packages.ts";
import { readJson } from "../json-bytes.ts";

const VERSIONS = ["3.0", "3.0.0", "3.0.1"];
const CONTEXT = /^https?:\/\/spdx\.org\/rdf\/v?(3[^/]*)\//;

const context: Schema<ElementReading> = {
  string: ({ contexts }, value) => void contexts.push(value.text()),
  elements: () => ({ string: ({ contexts }, value) => void contexts.push(value.text()) }),
};

const document: Schema<ElementReading> = {
  open: (into, value) => into.begin(into.element.pointer, value.start),
  // Without @graph the document is one element.
  close: (into, value) => void into.end(value.end),
  members: documentMembers<ElementReading>("spdx3", () => ({
    ...elementMembers(),
    "@context": context,
    "@graph": {
      begin: (into, value) => {
        into.graphAt = value.start;
      },
      elements: () => graphElement,
      type: { type: "list", name: '"@graph"' },
    },
  })),
  others: () => anyElement,
};

export function readSpdx3(opened: Opened): ParsedSbom {
  const { source } = opened;
  const into = new ElementReading(opened.pointer);
  const result = readJson(source, opened.at, document, into);
  requireEnd(opened, result.end);
  const { graph } = into;
  const specVersion = versionOf(into, opened);
  result.throwRefusal();
  graph.finish(source);
  const table = new ComponentTable(source, SPDX3_FORMAT);
  addPackages(graph, table);
  const { components, roots } = relateComponents(table, graph.relations);
  return createDocument(opened, {
    fields: {
      format: "SPDX",
      specVersion,
      serialNumber: graph.documentId,
      generator: graph.generator(),
      signed: opened.signed,
    },
    components,
    roots,
    dependencies: () => graph.relations,
    root: { start: opened.at, end: result.end },
    versionEnd: 0,
    noteAt: into.graphAt,
  });
}

/** Creation infos name the version; the context does if there is none. */
function versionOf({ contexts, graph }: ElementReading, opened: Opened): string {
  const context = contexts.map((each) => CONTEXT.exec(each)?.[1]).find((version) => version !== undefined);
  if (context === undefined) throw notSbom(opened);
  const versions = [...graph.specVersions];
  const unknown = versions.find((version) => !VERSIONS.includes(version));
  const version = unknown ?? versions[0] ?? context;
  return requireVersion({ format: "SPDX", version, supported: VERSIONS }, `${opened.pointer}/@context`);
}
