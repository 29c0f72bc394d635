/** Elements of an SPDX 3 document while they are read: listed in `@graph`, or written inline where another one names them. */
import { rawText } from "../../bytes/raw.ts";
import { QUOTE } from "../../bytes/scanner.ts";
import { isNull, members, mustBeObject, mustBeText, type Shape } from "../../bytes/walk.ts";
import { Graph, isPackageType } from "./spdx3-graph.ts";

export interface ExternalIdentifier {
  readonly type: string;
  readonly identifier: string;
}

/** What an element states, whatever its type is: the type often comes last. */
export class Element {
  /** JSON pointer. */
  readonly pointer: string;
  readonly start: number;
  type = "";
  id: string | undefined = undefined;
  /** The identifier of JSON-LD. Some generators write it beside `spdxId`. */
  nodeId: string | undefined = undefined;
  name: string | undefined = undefined;
  version: string | undefined = undefined;
  packageUrl: string | undefined = undefined;
  downloadLocation: string | undefined = undefined;
  purpose: string | undefined = undefined;
  identifierType: string | undefined = undefined;
  identifier: string | undefined = undefined;
  externalSpdxId: string | undefined = undefined;
  from: string | undefined = undefined;
  relationship: string | undefined = undefined;
  scope: string | undefined = undefined;
  license: string | undefined = undefined;
  specVersion: string | undefined = undefined;
  validUntil: string | undefined = undefined;
  identifiers: ExternalIdentifier[] = [];
  identifierIds: string[] = [];
  to: string[] = [];
  tools: string[] = [];
  elements: string[] = [];
  rootElements: string[] = [];
  suppliers: string[] = [];
  originators: string[] = [];
  supportLevels: string[] = [];
  /** Where the targets of a relationship begin. */
  targetsAt = 0;

  constructor(pointer: string, start: number) {
    this.pointer = pointer;
    this.start = start;
  }
}

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
    if (element.nodeId !== undefined) this.graph.ids.add(element.nodeId);
    element.id ??= element.nodeId;
    this.graph.add(element, end);
    this.element = this.outer.pop() ?? element;
    return element.id;
  }
}

type TextField =
  | "id"
  | "nodeId"
  | "name"
  | "version"
  | "downloadLocation"
  | "purpose"
  | "identifierType"
  | "externalSpdxId"
  | "relationship"
  | "scope"
  | "license"
  | "specVersion"
  | "validUntil";
type ListField =
  | "to"
  | "tools"
  | "elements"
  | "rootElements"
  | "suppliers"
  | "originators"
  | "supportLevels"
  | "identifierIds";

const field = (name: TextField): Shape<ElementReading> => ({
  met: ({ element }) => {
    element[name] = undefined;
  },
  text: ({ element }, walk) => {
    element[name] = walk.text();
  },
});

/** An identifier that is not a string is kept as it is written: it is invalid and not absent. */
const identifierField = (name: "packageUrl" | "identifier"): Shape<ElementReading> => ({
  met: ({ element }, walk) => {
    const isReadable = isNull(walk.scanner) || walk.scanner.peek() === QUOTE;
    element[name] = isReadable ? undefined : rawText(walk.scanner.bytes, walk.start);
  },
  text: ({ element }, walk) => {
    element[name] = walk.text();
  },
});

/** An element that is written inline where `key` names it; `attach` gets its id. */
const inline = (key: string, attach: (outer: Element, id: string) => void): Shape<ElementReading> => ({
  text: ({ element }, walk) => attach(element, walk.text()),
  open: (into, walk) => into.begin(`${into.element.pointer}/${key}`, walk.start),
  members: members(elementMembers),
  others: () => anyElement,
  close: (into, walk) => {
    const id = into.end(walk.at);
    if (id !== undefined) attach(into.element, id);
  },
});

/** Ids of elements, or the elements themselves. JSON-LD writes a list of one as a list or as its only value. */
const elements = (key: string, list: ListField): Shape<ElementReading> => {
  const attach = (outer: Element, id: string): void => void outer[list].push(id);
  const inList = inline(key, attach);
  return {
    ...inline(key, attach),
    met: (into, walk) => {
      into.element[list] = [];
      if (list === "to") into.element.targetsAt = walk.start;
    },
    elements: {
      ...inList,
      open: (into, walk) => into.begin(`${into.element.pointer}/${key}/${walk.index}`, walk.start),
    },
  };
};

/** The value of a key that has no meaning here. An element in it is read all the same, under the pointer around it. */
export const anyElement: Shape<ElementReading> = {
  open: (into, walk) => into.begin(into.element.pointer, walk.start),
  members: members(elementMembers),
  others: () => anyElement,
  get elements() {
    return anyElement;
  },
  close: (into, walk) => void into.end(walk.at),
};

/** Inline, or the id of an element of its own. */
const externalIdentifier = (): Shape<ElementReading> => ({
  text: ({ element }, walk) => void element.identifierIds.push(walk.text()),
  open: (into, walk) => into.begin(`${into.element.pointer}/externalIdentifier`, walk.start),
  members: members(elementMembers),
  others: () => anyElement,
  close: (into, walk) => {
    const { identifierType: type, identifier } = into.element;
    into.end(walk.at);
    if (type !== undefined && identifier !== undefined) into.element.identifiers.push({ type, identifier });
  },
});

/** JSON-LD may list several types: that of a package is the one that counts. */
const typeField = (): Shape<ElementReading> => ({
  text: ({ element }, walk) => {
    element.type = walk.text();
  },
  elements: {
    text: ({ element }, walk) => {
      if (!isPackageType(element.type)) element.type = walk.text();
    },
  },
  must: mustBeText("the type of an element"),
  sameAs: "type",
});

export function elementMembers(): Readonly<Record<string, Shape<ElementReading>>> {
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
    externalIdentifier: { ...externalIdentifier(), elements: externalIdentifier() },
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
}

/** An entry of `@graph`. */
export const graphElement: Shape<ElementReading> = {
  open: (into, walk) => into.begin(`${into.element.pointer}/@graph/${walk.index}`, walk.start),
  members: members(elementMembers),
  others: () => anyElement,
  close: (into, walk) => void into.end(walk.at),
  must: mustBeObject("an element of @graph"),
};
