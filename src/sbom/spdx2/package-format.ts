/** Parts of SPDX 2 documents that several forms share: external references, relationships, and what a package has. */
import { KeyTable } from "../../json-rows/bytes.ts";
import type { ByteSource } from "../../json-rows/source.ts";
import type { JsonRow, Schema } from "../../json-rows/schema.ts";
import { type ComponentFormat, type ComponentTable, FIELD } from "../component-table.ts";
import { createDocument, type ParsedSbom, type ReadParts } from "../component.ts";
import type { Opened } from "../envelope.ts";
import { SpdxRelations, agentName, isStated, relateComponents } from "../spdx/relations.ts";
import { generatorOf, isExternalElement, type Relation, SPDX2_REFERENCES, SPDX2_RELATIONS } from "./vocabulary.ts";
import { NO_MATCH } from "../../json-rows/memory-layout.ts";
import { asPurl } from "../../text/ids.ts";
import { purlPattern } from "../../resolve/purl/pattern.ts";

/** `pointer` is that of the document. */
export const packageFormat = (pointer: string): ComponentFormat => ({
  pointer: (table, index) => `${pointer}/packages/${table.number(index, FIELD.listIndex)}`,
  // What the author of the document concluded wins over what the package declares.
  licenses(table, index) {
    const concluded = table.text(index, FIELD.licenses);
    const license = isStated(concluded) ? concluded : table.text(index, FIELD.declaredLicense);
    return isStated(license) ? [license] : [];
  },
  // Some generators write dozens of CPEs for each package, so they are read on demand.
  cpes(table, index) {
    const position = table.position(index, FIELD.cpe);
    const into: PackageReferences = { cpes: [], kind: undefined, locator: undefined };
    if (position >= 0) table.texts.readJson(position, references, into);
    return into.cpes;
  },
  agent: agentName,
});

type ReferenceKind = "purl" | "cpe";
const KINDS = new KeyTable<ReferenceKind>(SPDX2_REFERENCES);

/** The CPEs among the external references of one package. */
interface PackageReferences {
  readonly cpes: string[];
  kind: ReferenceKind | undefined;
  locator: string | undefined;
}

const reference: Schema<PackageReferences> = {
  open: (into) => {
    into.kind = undefined;
    into.locator = undefined;
  },
  members: () => ({
    referenceType: {
      string: (into, value) => {
        into.kind = value.find(KINDS);
      },
    },
    referenceLocator: {
      begin: (into, value) => {
        into.locator = value.isString ? value.text() : undefined;
      },
    },
  }),
  close: ({ cpes, kind, locator = "" }) => {
    if (kind === "cpe" && locator.trim() !== "") cpes.push(locator);
  },
};
const references: Schema<PackageReferences> = { elements: () => reference };

/** Fields of the row of a reference. */
const REFERENCE = { kind: 0, locator: 1, purlHash: 2 } as const;
/** The types that are purls, each with the same number. */
const purlTypes = Object.fromEntries(
  Object.entries(SPDX2_REFERENCES).flatMap(([type, kind]) => (kind === "purl" ? [[type, 1]] : [])),
);

const NO_POSITION = -1;

const RELATIONS = Object.values(SPDX2_RELATIONS);
const relationNumbers = Object.fromEntries(Object.keys(SPDX2_RELATIONS).map((type, index) => [type, index + 1]));
/** The field of the row of a relationship. */
const RELATION = 0;
const NO_ID = -1;

/** A locator that is not a string, of one reference of a package. */
interface InvalidLocator {
  readonly row: number;
  readonly index: number;
  readonly text: string;
}

/** The state of reading references of packages and relationships; the reader of the document extends it. */
export class ReferenceReading {
  /** The last locator that is not a string. */
  invalid: InvalidLocator | undefined = undefined;
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

  /** Adds a reference whose type is that of purls. */
  addReference(row: JsonRow): void {
    const { table, invalid } = this;
    const { parent } = row;
    const locator = row.field(REFERENCE.locator);
    const position = locator > 0 ? row.start + locator : NO_POSITION;
    const text = invalid?.row === parent && invalid.index === row.index ? invalid.text : undefined;
    if (position < 0 && text === undefined) return;
    const isFirst = table.number(parent, FIELD.purl) === 0;
    if (!isFirst) this.addPurl(parent, text ?? table.texts.at(position));
    else if (text !== undefined) table.setText(parent, FIELD.purl, text);
    else {
      table.setPosition(parent, FIELD.purl, position);
      table.setNumber(parent, FIELD.purlHash, row.field(REFERENCE.purlHash));
    }
  }

  /** Nearly every package has one purl; the further ones are kept as texts. */
  private addPurl(index: number, purl: string): void {
    const extra = this.table.addExtra(index);
    this.table.setNumber(index, FIELD.purlHash, NO_MATCH);
    const first = this.table.text(index, FIELD.purl) ?? "";
    extra.purls = [...(extra.purls ?? [asPurl(first)]), asPurl(purl)].filter((each) => each.trim() !== "");
  }
}

export const externalReference: Schema<ReferenceReading> = {
  members: () => ({
    referenceType: { store: { field: REFERENCE.kind, as: "choice", choices: purlTypes } },
    referenceLocator: {
      store: { field: REFERENCE.locator, as: "text", hash: REFERENCE.purlHash, pattern: purlPattern },
      other: (into, value) => {
        if (!value.isNull) into.invalid = { row: value.row, index: value.index, text: value.raw() };
      },
    },
  }),
  row: (into, row) => into.addReference(row),
  needs: REFERENCE.kind,
  type: { type: "object", name: "an external reference" },
};

/** What the readers of both forms have read. */
interface Spdx2Parts extends Pick<ReadParts, "root" | "versionEnd" | "noteAt"> {
  readonly specVersion: string;
  /** The bytes that positions count in. */
  readonly source: ByteSource;
}
interface Spdx2State {
  readonly table: ComponentTable;
  readonly relations: SpdxRelations;
  readonly namespace: string | undefined;
  readonly creators: readonly string[];
}

/** Elements that are absent are listed if they are only parts of packages. @throws EolgateError `missing-element` */
export function createSpdx2(
  opened: Opened,
  { table, relations, namespace, creators }: Spdx2State,
  { specVersion, ...parts }: Spdx2Parts,
): ParsedSbom {
  relations.requireAll(parts.source, isExternalElement);
  const absentElements = relations.absentParts(parts.source, isExternalElement);
  return createDocument(opened, {
    fields: {
      format: "SPDX",
      specVersion,
      serialNumber: namespace,
      generator: generatorOf(creators),
      signed: opened.signed,
      ...(absentElements.length > 0 && { absentElements }),
    },
    ...relateComponents(table, relations),
    dependencies: () => relations,
    ...parts,
  });
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

const id = (set: (into: ReferenceReading, id: number) => void): Schema<ReferenceReading> => ({
  hashed: true,
  string: (into, value) => set(into, value.withBytes(into.relations.addRef)),
});

export const relationship: Schema<ReferenceReading> = {
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
