/** Parts of a CycloneDX document that are read on demand: licences of a component, as written, and dependencies. */
import type { JsonGraph, Schema } from "../../json-rows/schema.ts";
import { type ComponentTable, FIELD } from "../component-table.ts";
import type { ByteSource } from "../../json-rows/source.ts";
import { EMPTY_GRAPH } from "../../json-rows/graph.ts";
import type { Dependencies, DependencyGraph } from "../../model/index.ts";
import { readJson } from "../json-bytes.ts";

interface Licenses {
  readonly found: string[];
  unreadable: string | undefined;
}

const license: Schema<Licenses> = { string: ({ found }, value) => void found.push(value.text()) };
/** A string in the place of an object is read, too: a licence that is there must not count as none. */
const licenseEntry: Schema<Licenses> = {
  ...license,
  members: () => ({ license: { ...license, members: () => ({ id: license, name: license }) }, expression: license }),
};
const list: Schema<Licenses> = {
  ...license,
  begin: (into, value) => {
    if (!value.isString && !value.isNull && !value.isList) into.unreadable = value.raw();
  },
  elements: () => licenseEntry,
};

/** None where the component has no licences. A value that is not a list is returned as written, for the policy to refuse. */
export function licensesAt(table: ComponentTable, index: number): readonly string[] {
  const start = table.position(index, FIELD.licenses);
  if (start < 0) return [];
  const into: Licenses = { found: [], unreadable: undefined };
  table.texts.readJson(start, list, into);
  return into.unreadable === undefined ? into.found : [into.unreadable];
}

const node: Schema<undefined> = {
  graph: "node",
  members: () => ({
    ref: { graph: "reference" },
    dependsOn: { elements: () => ({ graph: "edge" }) },
  }),
};
const nodes: Schema<undefined> = { elements: () => node };

/** The list of dependencies at `position`. Several entries with one ref are merged. */
export function readDependencies(source: ByteSource, position: number | undefined): Dependencies {
  const graph = position === undefined ? EMPTY_GRAPH : readJson(source, position, nodes, undefined).graph;
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
