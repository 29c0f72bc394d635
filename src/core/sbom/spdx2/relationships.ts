/** Relationships of an SPDX 2 document in JSON. */
import { KeyTable } from "../../../bytes/key-table.ts";
import type { Schema } from "../../../bytes/json/schema.ts";
import type { ComponentTable } from "../component-table.ts";
import { SpdxRelations } from "../spdx/relations.ts";
import { SPDX2_RELATIONS, type Relation } from "./vocabulary.ts";

const RELATIONS = new KeyTable<Relation>(SPDX2_RELATIONS);
const NO_ID = -1;

/** The state of reading relationships; the reader of the document extends it. */
export class RelationshipReading {
  readonly table: ComponentTable;
  readonly relations = new SpdxRelations();
  relation: Relation | undefined = undefined;
  element = NO_ID;
  related = NO_ID;

  constructor(table: ComponentTable) {
    this.table = table;
  }

  beginRelationship(): void {
    this.relation = undefined;
    this.element = NO_ID;
    this.related = NO_ID;
  }
  endRelationship(position: number): void {
    if (this.relation !== undefined && this.element !== NO_ID && this.related !== NO_ID)
      relate(this.relations, this.relation, this, position);
  }
}

/** Notes the relationship that is written at `position`. */
export function relate(
  relations: SpdxRelations,
  relation: Relation,
  { element, related }: { readonly element: number; readonly related: number },
  position: number,
): void {
  nameElements(relations, relation, { element, related }, position);
  switch (relation.kind) {
    case "describes":
      relations.describe(related);
      return;
    case "described-by":
      relations.describe(element);
      return;
    case "forward":
      relations.addEdge(element, related, relation);
      return;
    case "backward":
      relations.addEdge(related, element, relation);
  }
}

function nameElements(
  relations: SpdxRelations,
  { kind, dependency, development }: Relation,
  { element, related }: { readonly element: number; readonly related: number },
  position: number,
): void {
  const isPart = dependency !== true && development !== true;
  if (isPart && kind === "forward") relations.namePart(element, related, position);
  else if (isPart && kind === "backward") relations.namePart(related, element, position);
  else {
    relations.name(element, position);
    relations.name(related, position);
  }
}

const id = (set: (into: RelationshipReading, id: number) => void): Schema<RelationshipReading> => ({
  string: (into, value) => set(into, value.withBytes(into.relations.addRef)),
});

export const relationship: Schema<RelationshipReading> = {
  open: (into) => into.beginRelationship(),
  members: () => ({
    relationshipType: {
      string: (into, value) => {
        into.relation = value.find(RELATIONS);
      },
    },
    spdxElementId: id((into, element) => {
      into.element = element;
    }),
    relatedSpdxElement: id((into, related) => {
      into.related = related;
    }),
  }),
  close: (into, value) => into.endRelationship(value.start),
};
