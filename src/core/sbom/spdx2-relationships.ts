/**
 * Relationships of an SPDX 2 document. While the document is read only what it describes is taken from them; who
 * depends on whom is read when a path is asked for.
 */
import { Words } from "../../bytes/members.ts";
import { BACKSLASH } from "../../bytes/scanner.ts";
import { members, place, Walk, type Shape } from "../../bytes/walk.ts";
import { NOWHERE } from "./placed.ts";
import { EdgeGraph, PlacedRefs, type DependencyGraph } from "./ref-graph.ts";
import type { LocalElements } from "./spdx2-elements.ts";
import { Edges } from "./spdx-roles.ts";
import { SPDX2_RELATIONS, type Relation } from "./spdx2-words.ts";

const RELATIONS = new Words<Relation>(SPDX2_RELATIONS);

/** One relationship at a time: its kind, and where its two ends stand. */
export interface RelationReading {
  relation: Relation | undefined;
  elementAt: number;
  relatedAt: number;
}
export interface DescribingReading extends RelationReading {
  readonly elements: LocalElements;
  describes: string[];
  hasDevelopment: boolean;
}

export const relationship = <C extends RelationReading>(close: (into: C, walk: Walk<C>) => void): Shape<C> => ({
  open: (into) => {
    into.relation = undefined;
    into.elementAt = into.relatedAt = NOWHERE;
  },
  members: members(() => ({
    relationshipType: {
      met: (into) => {
        into.relation = undefined;
      },
      text: (into, walk) => {
        into.relation = RELATIONS.find(walk.scanner);
      },
    },
    spdxElementId: place((into, at) => {
      into.elementAt = at;
    }),
    relatedSpdxElement: place((into, at) => {
      into.relatedAt = at;
    }),
  })),
  close: (into, walk) => {
    if (into.relation !== undefined && into.elementAt >= 0 && into.relatedAt >= 0) close(into, walk);
  },
});

/** While the document is read: what it describes, and whether anything is marked as needed for development only. */
export function describedBy<C extends DescribingReading>(into: C, walk: Walk<C>): void {
  for (const at of [into.elementAt, into.relatedAt]) into.elements.name(walk.scanner.textFrom(at), at);
  if (into.relation?.development === true) into.hasDevelopment = true;
  if (into.relation?.kind === "describes") into.describes.push(walk.scanner.textFrom(into.relatedAt));
  if (into.relation?.kind === "described-by") into.describes.push(walk.scanner.textFrom(into.elementAt));
}

class EdgeReading implements RelationReading {
  readonly edges = new Edges();
  relation: Relation | undefined = undefined;
  elementAt = NOWHERE;
  relatedAt = NOWHERE;
}

const edge = relationship<EdgeReading>((into, walk) => {
  const { relation, edges } = into;
  if (relation?.kind !== "forward" && relation?.kind !== "backward") return;
  const element = walk.scanner.textFrom(into.elementAt);
  const related = walk.scanner.textFrom(into.relatedAt);
  if (relation.kind === "forward") edges.add(element, related, relation);
  else edges.add(related, element, relation);
});

export function readSpdx2Relationships(bytes: Uint8Array, at: number | undefined): Edges {
  const into = new EdgeReading();
  if (at !== undefined) new Walk(bytes, at, into).value({ elements: edge });
  return into.edges;
}

class GraphReading implements RelationReading {
  readonly graph: EdgeGraph<PlacedRefs>;
  relation: Relation | undefined = undefined;
  elementAt = NOWHERE;
  relatedAt = NOWHERE;

  constructor(bytes: Uint8Array) {
    this.graph = new EdgeGraph(new PlacedRefs(bytes));
  }
}

const graphEdge = relationship<GraphReading>(({ graph, relation, elementAt, relatedAt }) => {
  const { refs } = graph;
  if (relation?.kind === "forward") graph.edge(refs.idAt(elementAt), refs.idAt(relatedAt));
  else if (relation?.kind === "backward") graph.edge(refs.idAt(relatedAt), refs.idAt(elementAt));
});

/** The same as a graph, for paths. Undefined where anything is written with escapes: equal refs may then differ in bytes. */
export function spdx2Graph(bytes: Uint8Array, at: number | undefined): DependencyGraph | undefined {
  const into = new GraphReading(bytes);
  if (at === undefined) return into.graph;
  const walk = new Walk(bytes, at, into);
  walk.value({ elements: graphEdge });
  return bytes.subarray(at, walk.at).includes(BACKSLASH) ? undefined : into.graph;
}
