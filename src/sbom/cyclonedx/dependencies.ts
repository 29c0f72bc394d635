/** The dependencies of a CycloneDX document. They are read on demand. */
import type { ByteSource } from "../../json-rows/source.ts";
import { EMPTY_GRAPH } from "../../json-rows/graph.ts";
import type { JsonGraph, Schema } from "../../json-rows/schema.ts";
import type { Dependencies, DependencyGraph } from "../../model/index.ts";
import { readJson } from "../json-bytes.ts";

const entry: Schema<undefined> = {
  graph: "node",
  members: () => ({
    ref: { graph: "reference" },
    dependsOn: { elements: () => ({ graph: "edge" }) },
  }),
};
const entries: Schema<undefined> = { elements: () => entry };

/** The list of dependencies at `position`. Several entries with one ref are merged. */
export function readDependencies(source: ByteSource, position: number | undefined): Dependencies {
  const graph = position === undefined ? EMPTY_GRAPH : readJson(source, position, entries, undefined).graph;
  return { graph: new ReadDependencies(graph), nodes: graph.nodes };
}

class ReadDependencies implements DependencyGraph {
  readonly refs: JsonGraph;

  constructor(graph: JsonGraph) {
    this.refs = graph;
  }

  eachDependency(id: number, use: (to: number) => void): void {
    this.refs.eachEdge(id, use);
  }
}
