/** The dependencies of a CycloneDX document. They are read when somebody asks for them. */
import type { ByteSource } from "../../../bytes/byte-source.ts";
import { readJson } from "../../../bytes/json/reader.ts";
import type { Schema } from "../../../bytes/json/schema.ts";
import { EdgeGraph } from "../graph/dependency-graph.ts";
import { RefTable } from "../graph/ref-table.ts";

const NO_REF = -1;

class Reading {
  readonly graph = new EdgeGraph(new RefTable());
  /** Ids of the entries, in order. */
  readonly nodes = new Set<number>();
  /** The entry that is being read. */
  ref = NO_REF;
  readonly targets: number[] = [];

  end(): void {
    if (this.ref !== NO_REF) {
      this.nodes.add(this.ref);
      for (const target of this.targets) this.graph.addEdge(this.ref, target);
    }
    this.ref = NO_REF;
    this.targets.length = 0;
  }
}

/** The bytes are only valid during the call, and the table copies them. */
const entry: Schema<Reading> = {
  members: () => ({
    ref: {
      string: (into, value) => {
        into.ref = value.withBytes((bytes, start, end) => into.graph.refs.add(bytes, start, end));
      },
    },
    dependsOn: {
      elements: () => ({
        string: ({ graph, targets }, value) =>
          void targets.push(value.withBytes((bytes, start, end) => graph.refs.add(bytes, start, end))),
      }),
    },
  }),
  close: (into) => into.end(),
};
const entries: Schema<Reading> = { elements: () => entry };

/** The list of dependencies at `position`. Several entries with one ref are merged. */
export function readDependencies(source: ByteSource, position: number | undefined): Pick<Reading, "graph" | "nodes"> {
  const into = new Reading();
  if (position !== undefined) readJson(source, position, entries, into);
  return into;
}
