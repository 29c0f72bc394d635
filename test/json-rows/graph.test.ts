import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "../../src/sbom/json-bytes.ts";
import type { JsonGraph, Schema } from "../../src/json-rows/schema.ts";
import { pieces } from "./pieces.ts";

const node: Schema<undefined> = {
  graph: "node",
  members: () => ({ ref: { graph: "reference" }, to: { elements: () => ({ graph: "edge" }) } }),
};
const nodes: Schema<undefined> = { elements: () => node };

const graphOfText = (text: string, size: number): JsonGraph =>
  readJson(pieces(new TextEncoder().encode(text), size), 0, nodes, undefined).graph;

interface Entry {
  readonly ref?: string | number | undefined;
  readonly to?: readonly (string | null)[] | undefined;
}

/** References by the order in which they occur, their edges, and the nodes. */
function expectedGraph(entries: readonly Entry[]): {
  readonly refs: readonly string[];
  readonly edges: ReadonlyMap<string, readonly string[]>;
  readonly nodes: readonly string[];
} {
  const refs = new Set<string>();
  const edges = new Map<string, string[]>();
  const found: string[] = [];
  for (const entry of entries) {
    const to = (entry.to ?? []).filter((each) => each !== null);
    const { ref } = entry;
    for (const key of Object.keys(entry)) {
      if (key === "ref" && typeof ref === "string") refs.add(ref);
      if (key === "to") for (const each of to) refs.add(each);
    }
    if (typeof ref !== "string") continue;
    found.push(ref);
    edges.set(ref, [...(edges.get(ref) ?? []), ...to]);
  }
  return { refs: [...refs], edges, nodes: found };
}

function printed(graph: JsonGraph): ReturnType<typeof expectedGraph> {
  const refs = Array.from({ length: graph.size }, (_, id) => graph.refOf(id));
  const found = Array.from(graph.nodes, (id) => graph.refOf(id));
  const edgesOf = (ref: string): readonly string[] => {
    const to: string[] = [];
    graph.eachEdge(graph.idOf(ref) ?? -1, (id) => void to.push(graph.refOf(id)));
    return to;
  };
  return { refs, edges: new Map(found.map((ref) => [ref, edgesOf(ref)])), nodes: found };
}

describe("the graph of a document", () => {
  const ref = fc.oneof(fc.constantFrom("a", "b", "c", "", "é", "longer reference"), fc.string({ unit: "grapheme" }));
  const entry: fc.Arbitrary<Entry> = fc.oneof(
    fc.record({ ref: fc.oneof(ref, fc.constant(1)), to: fc.array(fc.option(ref)) }, { requiredKeys: [] }),
    // Generators write the members in both orders.
    fc.record({ to: fc.array(ref), ref }),
  );

  test("has the references, nodes and edges of the document for chunks of any size", () => {
    fc.assert(
      fc.property(fc.array(entry), fc.integer({ min: 1, max: 60 }), (entries, size) => {
        expect(printed(graphOfText(JSON.stringify(entries), size))).toEqual(expectedGraph(entries));
      }),
      { numRuns: 300 },
    );
  });

  test("treats references with escapes as the texts that they stand for", () => {
    const graph = graphOfText(String.raw`[{"ref":"\u0061\n","to":["\ud83d\ude00","a\u000a","\ud800"]}]`, 5);
    expect(printed(graph)).toEqual(expectedGraph([{ ref: "a\n", to: ["😀", "a\n", "\uFFFD"] }]));
    expect(graph.idOf("unknown")).toBeUndefined();
  });

  test("is empty without references", () => {
    const graph = graphOfText('[{"to":[1,null]},{}]', 100);
    expect(printed(graph)).toEqual(expectedGraph([]));
    expect(graph.idOf("a")).toBeUndefined();
  });

  test("of another document does not change one that was read before", () => {
    const first = graphOfText('[{"ref":"a","to":["b"]}]', 100);
    const second = graphOfText('[{"ref":"c","to":["d","e"]}]', 100);
    expect(printed(first)).toEqual(expectedGraph([{ ref: "a", to: ["b"] }]));
    expect(printed(second)).toEqual(expectedGraph([{ ref: "c", to: ["d", "e"] }]));
  });

  // Of all arrays there are many chunks, the slots grow several times, and the graph keeps the memory of its tokenizer.
  test("of 100,000 nodes is complete, with values that are longer than the window of the reader", () => {
    const long = "x".repeat(300_000);
    const entries = Array.from({ length: 100_000 }, (_, index) => {
      const to = [`node-${index * 7}`, `node-${index + 1}`, ...(index % 40_000 === 9 ? [`${long}${index}`] : [])];
      return index % 3 === 0 ? { to, ref: `node-${index}` } : { ref: `node-${index}`, to };
    });
    const all = [
      ...entries,
      { to: Array.from({ length: 50_000 }, (_, index) => `dropped-${index}`) },
      ...entries.slice(5, 8),
    ];
    const graph = graphOfText(JSON.stringify(all), 1_000_000);
    graphOfText('[{"ref":"a","to":["b"]}]', 100);
    const { refs, edges, nodes: found } = printed(graph);
    const expected = expectedGraph(all);
    expect(found).toEqual(expected.nodes);
    expect(refs).toEqual(expected.refs);
    expect([...edges]).toEqual([...expected.edges]);
  }, 30_000);
});
