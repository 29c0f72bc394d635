/** Relationships of an SPDX 2 document in JSON. */
import type { JsonRow, Schema } from "../../json-rows/schema.ts";
import type { ComponentTable } from "../component-table.ts";
import { SpdxRelations } from "../spdx/relations.ts";
import { SPDX2_RELATIONS, type Relation } from "./vocabulary.ts";

const RELATIONS = Object.values(SPDX2_RELATIONS);
const relationNumbers = Object.fromEntries(Object.keys(SPDX2_RELATIONS).map((type, index) => [type, index + 1]));
/** The field of the row of a relationship. */
const RELATION = 0;
const NO_ID = -1;

/** The state of reading relationships; the reader of the document extends it. */
export class RelationshipReading {
  readonly table: ComponentTable;
  readonly relations = new SpdxRelations();
  element = NO_ID;
  related = NO_ID;

  constructor(table: ComponentTable) {
    this.table = table;
  }

  endRelationship(row: JsonRow): void {
    const relation = RELATIONS[row.field(RELATION) - 1];
    if (relation !== undefined && this.element !== NO_ID && this.related !== NO_ID)
      relate(this.relations, relation, this, row.start);
    this.element = NO_ID;
    this.related = NO_ID;
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
  hashed: true,
  string: (into, value) => set(into, value.withBytes(into.relations.addRef)),
});

export const relationship: Schema<RelationshipReading> = {
  members: () => ({
    relationshipType: { store: { field: RELATION, as: "choice", choices: relationNumbers } },
    spdxElementId: id((into, element) => {
      into.element = element;
    }),
    relatedSpdxElement: id((into, related) => {
      into.related = related;
    }),
  }),
  row: (into, row) => into.endRelationship(row),
};
