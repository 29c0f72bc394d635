/**
 * Relationships of an SPDX 2 document. While the document is read only what it describes is taken from them; who
 * depends on whom is read when a path is asked for.
 */
import { Words } from "./json/members.ts";
import type { Texts } from "./json/texts.ts";
import { members, Walk, type Shape } from "./json/walk.ts";
import { Edges } from "./spdx-roles.ts";

/** What `A relation B` says: `forward` means that A brings B in. */
export interface Relation {
  readonly kind: "forward" | "backward" | "describes" | "described-by";
  /** Needed for developing or testing only. What is needed to build may well be shipped. */
  readonly development?: boolean;
  /** A dependency, and not merely a part. */
  readonly dependency?: boolean;
}

const RELATIONS = new Words<Relation>({
  DESCRIBES: { kind: "describes" },
  DESCRIBED_BY: { kind: "described-by" },
  CONTAINS: { kind: "forward" },
  CONTAINED_BY: { kind: "backward" },
  PACKAGE_OF: { kind: "backward" },
  DEPENDS_ON: { kind: "forward", dependency: true },
  DEPENDENCY_OF: { kind: "backward", dependency: true },
  HAS_PREREQUISITE: { kind: "forward", dependency: true },
  PREREQUISITE_FOR: { kind: "backward", dependency: true },
  STATIC_LINK: { kind: "forward", dependency: true },
  DYNAMIC_LINK: { kind: "forward", dependency: true },
  RUNTIME_DEPENDENCY_OF: { kind: "backward", dependency: true },
  OPTIONAL_DEPENDENCY_OF: { kind: "backward", dependency: true },
  PROVIDED_DEPENDENCY_OF: { kind: "backward", dependency: true },
  OPTIONAL_COMPONENT_OF: { kind: "backward" },
  BUILD_DEPENDENCY_OF: { kind: "backward", dependency: true },
  DEV_DEPENDENCY_OF: { kind: "backward", dependency: true, development: true },
  TEST_DEPENDENCY_OF: { kind: "backward", dependency: true, development: true },
  DEV_TOOL_OF: { kind: "backward", development: true },
  BUILD_TOOL_OF: { kind: "backward" },
  TEST_TOOL_OF: { kind: "backward", development: true },
});

/** One relationship at a time: its kind, and where its two ends stand. */
export interface RelationReading {
  relation: Relation | undefined;
  elementStart: number;
  elementEnd: number;
  relatedStart: number;
  relatedEnd: number;
}
export interface DescribingReading extends RelationReading {
  describes: string[];
  hasDevelopment: boolean;
}

export const relationship = <C extends RelationReading>(close: (into: C, walk: Walk<C>) => void): Shape<C> => ({
  open: (into) => {
    into.relation = undefined;
    into.elementStart = into.relatedStart = -1;
  },
  members: members(() => ({
    relationshipType: {
      met: (into) => {
        into.relation = undefined;
      },
      text: (into, walk) => {
        into.relation = RELATIONS.find(walk);
      },
    },
    spdxElementId: {
      met: (into) => {
        into.elementStart = -1;
      },
      text: (into, walk) => {
        into.elementStart = walk.textStart;
        into.elementEnd = walk.textEnd;
      },
    },
    relatedSpdxElement: {
      met: (into) => {
        into.relatedStart = -1;
      },
      text: (into, walk) => {
        into.relatedStart = walk.textStart;
        into.relatedEnd = walk.textEnd;
      },
    },
  })),
  close: (into, walk) => {
    if (into.relation !== undefined && into.elementStart >= 0 && into.relatedStart >= 0) close(into, walk);
  },
});

/** While the document is read: what it describes, and whether anything is marked as needed for development only. */
export function describedBy<C extends DescribingReading>(into: C, walk: Walk<C>): void {
  if (into.relation?.development === true) into.hasDevelopment = true;
  if (into.relation?.kind === "describes") into.describes.push(walk.textBetween(into.relatedStart, into.relatedEnd));
  if (into.relation?.kind === "described-by") into.describes.push(walk.textBetween(into.elementStart, into.elementEnd));
}

class EdgeReading implements RelationReading {
  readonly edges = new Edges();
  relation: Relation | undefined = undefined;
  elementStart = -1;
  elementEnd = -1;
  relatedStart = -1;
  relatedEnd = -1;
}

const edge = relationship<EdgeReading>((into, walk) => {
  const { relation, edges } = into;
  if (relation?.kind !== "forward" && relation?.kind !== "backward") return;
  const element = walk.textBetween(into.elementStart, into.elementEnd);
  const related = walk.textBetween(into.relatedStart, into.relatedEnd);
  if (relation.kind === "forward") edges.add(element, related, relation);
  else edges.add(related, element, relation);
});

export function readSpdx2Relationships(bytes: Uint8Array, at: number | undefined, texts: Texts): Edges {
  const into = new EdgeReading();
  if (at !== undefined) new Walk(bytes, at, into, texts).value({ elements: edge });
  return into.edges;
}
