/** The dependencies of a CycloneDX document. They are read on demand. */
import type { ByteSource } from "../../../bytes/byte-source.ts";
import type { Schema } from "../../../bytes/json/schema.ts";
import { EdgeGraph } from "../graph/dependency-graph.ts";
import { RefTable } from "../graph/ref-table.ts";
import { readJson } from "../json-bytes.ts";

const NO_REF = -1;

class Reading {
  readonly graph = new EdgeGraph(new RefTable());
  /** Ids of the entries, in order; one with several entries occurs several times. */
  readonly nodes: number[] = [];
  /** The entry that is being read. */
  ref = NO_REF;
  readonly targets: number[] = [];
  readonly addRef = (bytes: Uint8Array, start: number, end: number, hash: number): number =>
    this.graph.refs.add(bytes, start, end, hash);

  end(): void {
    if (this.ref !== NO_REF) {
      this.nodes.push(this.ref);
      for (let at = 0; at < this.targets.length; at++) this.graph.addEdge(this.ref, this.targets[at] ?? NO_REF);
    }
    this.ref = NO_REF;
    this.targets.length = 0;
  }
}

/** The bytes are only valid during the call, and the table copies them. */
const entry: Schema<Reading> = {
  members: () => ({
    ref: {
      hashed: true,
      string: (into, value) => {
        into.ref = value.withBytes(into.addRef);
      },
    },
    dependsOn: {
      elements: () => ({
        hashed: true,
        string: ({ targets, addRef }, value) => void targets.push(value.withBytes(addRef)),
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
