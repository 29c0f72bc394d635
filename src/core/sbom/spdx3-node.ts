/** One node of an SPDX 3 graph as it is read. The fields are used again for the next node. */
import { rawText } from "../../bytes/raw.ts";
import { QUOTE } from "../../bytes/scanner.ts";
import { isNull, members, mustBeObject, mustBeText, text, type Shape, type Walk } from "../../bytes/walk.ts";
import { Graph, isPackageType } from "./spdx3-graph.ts";

export interface ExternalIdentifier {
  readonly type: string;
  readonly identifier: string;
}

/** What a node may say, of whatever type it is: the type often comes last. */
export class NodeReading {
  readonly base: string;
  graph = new Graph();
  type = "";
  id: string | undefined;
  name: string | undefined;
  version: string | undefined;
  packageUrl: string | undefined;
  purpose: string | undefined;
  identifierType: string | undefined;
  identifier: string | undefined;
  inlineType: string | undefined;
  inlineIdentifier: string | undefined;
  identifiers: ExternalIdentifier[] = [];
  identifierIds: string[] = [];
  from: string | undefined;
  to: string[] = [];
  relationship = "";
  scope: string | undefined;
  licence: string | undefined;
  specVersion: string | undefined;
  tools: string[] = [];
  rootElements: string[] = [];
  suppliers: string[] = [];
  originators: string[] = [];
  validUntil: string | undefined;
  supportLevels: string[] = [];

  constructor(base: string) {
    this.base = base;
  }

  /** Forgets the node before. Lists are made anew, for a package keeps them. */
  begin(): void {
    this.type = this.relationship = "";
    this.id = this.name = this.version = this.packageUrl = this.purpose = undefined;
    this.identifierType = this.identifier = this.from = this.scope = undefined;
    this.licence = this.specVersion = this.validUntil = undefined;
    if (this.identifiers.length > 0) this.identifiers = [];
    if (this.identifierIds.length > 0) this.identifierIds = [];
    if (this.to.length > 0) this.to = [];
    if (this.tools.length > 0) this.tools = [];
    if (this.rootElements.length > 0) this.rootElements = [];
    if (this.suppliers.length > 0) this.suppliers = [];
    if (this.originators.length > 0) this.originators = [];
    if (this.supportLevels.length > 0) this.supportLevels = [];
  }
}

type TextField =
  | "id"
  | "name"
  | "version"
  | "packageUrl"
  | "purpose"
  | "identifierType"
  | "identifier"
  | "inlineType"
  | "inlineIdentifier"
  | "from"
  | "scope"
  | "licence"
  | "specVersion"
  | "validUntil";
type ListField = "to" | "tools" | "rootElements" | "suppliers" | "originators" | "supportLevels";

const field = <C extends NodeReading>(name: TextField): Shape<C> =>
  text((into, value) => {
    into[name] = value;
  });

/** One that is no text is kept as it is written: what cannot be read is not the same as none. */
const identifierField = <C extends NodeReading>(name: "packageUrl" | "identifier" | "inlineIdentifier"): Shape<C> => ({
  met: (into, walk) => {
    into[name] =
      isNull(walk.scanner) || walk.scanner.peek() === QUOTE ? undefined : rawText(walk.scanner.bytes, walk.start);
  },
  text: (into, walk) => {
    into[name] = walk.text();
  },
});

/** JSON-LD writes a list of one as a list or as its one value. */
const texts = <C extends NodeReading>(list: ListField): Shape<C> => ({
  met: (into) => {
    if (into[list].length > 0) into[list] = [];
  },
  text: (into, walk) => void into[list].push(walk.text()),
  elements: { text: (into, walk) => void into[list].push(walk.text()) },
});

/** Inline, or the id of a node of its own. */
const externalIdentifier = <C extends NodeReading>(): Shape<C> => ({
  open: (into) => {
    into.inlineType = into.inlineIdentifier = undefined;
  },
  members: members(() => ({
    externalIdentifierType: field("inlineType"),
    identifier: identifierField("inlineIdentifier"),
  })),
  close: ({ identifiers, inlineType, inlineIdentifier }) => {
    if (inlineType === undefined || inlineIdentifier === undefined) return;
    identifiers.push({ type: inlineType, identifier: inlineIdentifier });
  },
  text: ({ identifierIds }, walk) => void identifierIds.push(walk.text()),
});

export function nodeMembers<C extends NodeReading>(): Readonly<Record<string, Shape<C>>> {
  // JSON-LD may list several types: that of a package is the one that counts.
  const type: Shape<C> = {
    met: (into) => {
      into.type = "";
    },
    text: (into, walk) => {
      into.type = walk.text();
    },
    elements: {
      text: (into, walk) => {
        if (!isPackageType(into.type)) into.type = walk.text();
      },
    },
    must: mustBeText("the type of a node"),
  };
  return {
    type,
    "@type": type,
    spdxId: field("id"),
    "@id": field("id"),
    name: field("name"),
    software_packageVersion: field("version"),
    software_packageUrl: identifierField("packageUrl"),
    software_primaryPurpose: field("purpose"),
    externalIdentifier: {
      met: (into) => {
        into.identifiers = [];
        into.identifierIds = [];
      },
      ...externalIdentifier<C>(),
      elements: externalIdentifier<C>(),
    },
    externalIdentifierType: field("identifierType"),
    identifier: identifierField("identifier"),
    from: field("from"),
    to: texts("to"),
    relationshipType: text((into, value = "") => {
      into.relationship = value;
    }),
    scope: field("scope"),
    simplelicensing_licenseExpression: field("licence"),
    specVersion: field("specVersion"),
    createdUsing: texts("tools"),
    rootElement: texts("rootElements"),
    suppliedBy: texts("suppliers"),
    originatedBy: texts("originators"),
    validUntilTime: field("validUntil"),
    supportLevel: texts("supportLevels"),
  };
}

export const nodeShape = <C extends NodeReading>(pointer: (into: C, walk: Walk<C>) => string): Shape<C> => ({
  open: (into) => into.begin(),
  close: (into, walk) => into.graph.add(into, pointer(into, walk), walk.start, walk.at),
  members: members(nodeMembers<C>),
  must: mustBeObject("a node of @graph"),
});
