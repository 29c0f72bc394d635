/** Reads who depends on whom when somebody asks. The bytes were checked when the document was read. */
import { members, Walk, type Shape } from "./json/walk.ts";
import { RefGraph, type DependencyGraph } from "./ref-graph.ts";

/** `Ref` is a string for the document's map, an id for its graph. */
interface Reading<Ref> {
  ref: Ref | undefined;
  on: Ref[];
  readonly make: (walk: Walk<Reading<Ref>>) => Ref;
  readonly add: (ref: Ref, on: readonly Ref[]) => void;
}

const dependencies = <Ref>(): Shape<Reading<Ref>> => ({
  elements: {
    open: (into) => {
      into.ref = undefined;
      into.on.length = 0;
    },
    members: members(() => ({
      ref: {
        met: (into) => {
          into.ref = undefined;
        },
        text: (into, walk) => {
          into.ref = into.make(walk);
        },
      },
      dependsOn: {
        met: (into) => {
          into.on.length = 0;
        },
        elements: { text: (into, walk) => void into.on.push(into.make(walk)) },
      },
    })),
    close: ({ ref, on, add }) => {
      if (ref !== undefined) add(ref, on);
    },
  },
});

function read<Ref>(bytes: Uint8Array, at: number | undefined, into: Reading<Ref>): void {
  if (at !== undefined) new Walk(bytes, at, into).value(dependencies<Ref>());
}

/** What a ref that stands several times depends on is put together. */
export function readCycloneDxDependencies(bytes: Uint8Array, at: number | undefined): ReadonlyMap<string, string[]> {
  const map = new Map<string, string[]>();
  const add = (ref: string, on: readonly string[]): void => {
    const before = map.get(ref);
    if (before === undefined) map.set(ref, [...on]);
    else for (const each of on) before.push(each);
  };
  read<string>(bytes, at, { ref: undefined, on: [], make: (walk) => walk.text(), add });
  return map;
}

export function cycloneDxGraph(bytes: Uint8Array, at: number | undefined): DependencyGraph | undefined {
  const graph = new RefGraph(bytes);
  const add = (ref: number, on: readonly number[]): void => {
    for (const each of on) graph.edge(ref, each);
  };
  read<number>(bytes, at, { ref: undefined, on: [], make: (walk) => graph.idIn(walk), add });
  return graph.sound ? graph : undefined;
}
