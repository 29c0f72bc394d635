/** Elements of an SPDX 3 document while they are read: listed in `@graph`, or written inline where another one names them. */
import { refuseNull } from "../json-bytes.ts";
import type { Schema } from "../../json-rows/schema.ts";
import { lazy } from "../../text/values.ts";
import { Element, Graph, isPackageType } from "./packages.ts";

/** The element that is being read, and those around it. */
export class ElementReading {
  readonly graph = new Graph();
  contexts: string[] = [];
  /** Where `@graph` of the document begins. */
  graphAt: number | undefined = undefined;
  element: Element;
  private readonly outer: Element[] = [];

  constructor(pointer: string) {
    this.element = new Element(pointer, 0);
  }

  /** An element begins inside the current one. */
  begin(pointer: string, start: number): void {
    this.outer.push(this.element);
    this.element = new Element(pointer, start);
  }

  /** The current element ended before `end`. Returns its id. */
  end(end: number): string | undefined {
    const { element } = this;
    if (element.nodeId !== undefined) this.graph.relations.define(this.graph.relations.refs.addText(element.nodeId));
    element.id ??= element.nodeId;
    this.graph.add(element, end);
    this.element = this.outer.pop() ?? element;
    return element.id;
  }
}

type FieldsOf<Value> = { [Field in keyof Element]: Value extends Element[Field] ? Field : never }[keyof Element];
type TextField = FieldsOf<undefined>;
type ListField = Exclude<FieldsOf<string[]>, "identifiers">;

const field = (name: TextField): Schema<ElementReading> => ({
  begin: ({ element }) => {
    element[name] = undefined;
  },
  string: ({ element }, value) => {
    element[name] = value.text();
  },
});

/** An identifier that is not a string is kept as it is written: it is invalid and not absent. */
const identifierField = (name: "packageUrl" | "identifier"): Schema<ElementReading> => ({
  begin: ({ element }, value) => {
    element[name] = value.isString ? value.text() : value.isNull ? undefined : value.raw();
  },
});

/** An element that is written inline where `key` names it; `attach` gets its id. */
const inline = (key: string, attach: (outer: Element, id: string) => void): Schema<ElementReading> => ({
  string: ({ element }, value) => attach(element, value.text()),
  open: (into, value) => into.begin(`${into.element.pointer}/${key}`, value.start),
  members: elementMembers,
  others: () => anyElement,
  close: (into, value) => {
    const id = into.end(value.end);
    if (id !== undefined) attach(into.element, id);
  },
});

/** Ids of elements, or the elements themselves. JSON-LD writes a list of one as a list or as its only value. */
const elements = (key: string, list: ListField): Schema<ElementReading> => {
  const attach = (outer: Element, id: string): void => void outer[list].push(id);
  const inList: Schema<ElementReading> = {
    ...inline(key, attach),
    open: (into, value) => into.begin(`${into.element.pointer}/${key}/${value.index}`, value.start),
  };
  return {
    ...inline(key, attach),
    begin: (into, value) => {
      into.element[list] = [];
      if (list === "to") into.element.targetsAt = value.start;
    },
    elements: () => inList,
  };
};

/** The value of a key that has no meaning here. An element in it is read all the same, under the pointer around it. */
export const anyElement: Schema<ElementReading> = {
  open: (into, value) => into.begin(into.element.pointer, value.start),
  members: elementMembers,
  others: () => anyElement,
  elements: () => anyElement,
  close: (into, value) => void into.end(value.end),
};

/** Inline, or the id of an element of its own. */
const externalIdentifier = (): Schema<ElementReading> => ({
  string: ({ element }, value) => void element.identifierIds.push(value.text()),
  open: (into, value) => into.begin(`${into.element.pointer}/externalIdentifier`, value.start),
  members: elementMembers,
  others: () => anyElement,
  close: (into, value) => {
    const { identifierType: type, identifier } = into.element;
    into.end(value.end);
    if (type !== undefined && identifier !== undefined) into.element.identifiers.push({ type, identifier });
  },
});

/** JSON-LD may list several types: that of a package is the one that counts. */
const typeField = (): Schema<ElementReading> => ({
  string: ({ element }, value) => {
    element.type = value.text();
  },
  elements: () => ({
    string: ({ element }, value) => {
      if (!isPackageType(element.type)) element.type = value.text();
    },
  }),
  type: { type: "string", name: "the type of an element" },
  sameAs: "type",
});

const makeMembers = (): Readonly<Record<string, Schema<ElementReading>>> => {
  const type = typeField();
  return {
    type,
    "@type": type,
    spdxId: field("id"),
    "@id": field("nodeId"),
    name: field("name"),
    software_packageVersion: field("version"),
    software_packageUrl: identifierField("packageUrl"),
    software_downloadLocation: field("downloadLocation"),
    software_primaryPurpose: field("purpose"),
    externalIdentifier: { ...externalIdentifier(), elements: externalIdentifier },
    externalIdentifierType: field("identifierType"),
    identifier: identifierField("identifier"),
    externalSpdxId: field("externalSpdxId"),
    from: inline("from", (outer, from) => {
      outer.from = from;
    }),
    to: elements("to", "to"),
    relationshipType: field("relationship"),
    scope: field("scope"),
    simplelicensing_licenseExpression: field("license"),
    specVersion: field("specVersion"),
    createdUsing: elements("createdUsing", "tools"),
    element: elements("element", "elements"),
    rootElement: elements("rootElement", "rootElements"),
    suppliedBy: elements("suppliedBy", "suppliers"),
    originatedBy: elements("originatedBy", "originators"),
    validUntilTime: field("validUntil"),
    supportLevel: elements("supportLevel", "supportLevels"),
  };
};

const members = lazy(makeMembers);
/** Members of an element. The same ones for each: elements contain each other. */
export function elementMembers(): Readonly<Record<string, Schema<ElementReading>>> {
  return members();
}

/** An entry of `@graph`. */
export const graphElement: Schema<ElementReading> = {
  open: (into, value) => into.begin(`${into.element.pointer}/@graph/${value.index}`, value.start),
  members: elementMembers,
  others: () => anyElement,
  close: (into, value) => void into.end(value.end),
  other: refuseNull("an element of @graph"),
  type: { type: "object", name: "an element of @graph" },
};
