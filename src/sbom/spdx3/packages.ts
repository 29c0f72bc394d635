/** The elements of an SPDX 3 document by what they are, and the packages that are put together from them. */
import type { ByteSource } from "../../json-rows/source.ts";
import { type Purl, asPurl } from "../../text/ids.ts";
import type { ComponentKind } from "../../model/index.ts";
import { type ComponentFormat, type ComponentTable, FIELD } from "../component-table.ts";
import { SpdxRelations, agentName, isStated, setRef } from "../spdx/relations.ts";

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
  /** The identifier of JSON-LD. Some generators write it next to `spdxId`. */
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

interface Package {
  readonly element: Element;
  readonly kind: ComponentKind;
  readonly end: number;
  /** Of a type that is not a package: it counts only with a purl or CPE. */
  readonly needsIdentifier: boolean;
}

/** Every field of an SPDX 3 package was decoded while the document was read. */
export const SPDX3_FORMAT: ComponentFormat = {
  pointer: () => "",
  licenses: () => [],
  cpes: () => [],
  agent: (name) => name,
};

const PACKAGES: ReadonlyMap<string, ComponentKind> = new Map([
  ["Package", "other"],
  ["AIPackage", "model"],
  ["DatasetPackage", "data"],
]);
const PURPOSES: ReadonlyMap<string, ComponentKind> = new Map([
  ["operatingSystem", "operating-system"],
  ["file", "file"],
  ["model", "model"],
  ["data", "data"],
]);
const COLLECTIONS = new Set(["SpdxDocument", "Bom", "Sbom"]);

/** `DEPENDS_ON` in early generators, `dependsOn` in the specification. */
const RELATIONS: ReadonlyMap<string, { readonly dependency: boolean }> = new Map(
  Object.entries({
    contains: { dependency: false },
    dependson: { dependency: true },
    hasstaticlink: { dependency: true },
    hasdynamiclink: { dependency: true },
    hasprerequisite: { dependency: true },
    hasprovideddependency: { dependency: true },
    hasoptionaldependency: { dependency: true },
    hasoptionalcomponent: { dependency: false },
  }),
);
const DEVELOPMENT_SCOPES = new Set(["development", "test"]);

/** `software_Package` and `https://spdx.org/rdf/3.0.1/terms/Software/Package` are the same type. */
const shortType = (type: string): string => type.slice(Math.max(type.lastIndexOf("_"), type.lastIndexOf("/")) + 1);
export const isPackageType = (type: string): boolean => PACKAGES.has(shortType(type));
const normalized = (relation: string): string => relation.replaceAll("_", "").toLowerCase();

/** A type of an extension: a package by its name, or by members that only packages have. */
const isPackageLike = ({ version, packageUrl, downloadLocation }: Element, type: string): boolean =>
  type.endsWith("Package") || version !== undefined || packageUrl !== undefined || downloadLocation !== undefined;

const hasIdentifiers = ({ identifiers, identifierIds }: Element): boolean =>
  identifiers.length > 0 || identifierIds.length > 0;

export class Graph {
  readonly packages: Package[] = [];
  readonly relations = new SpdxRelations();
  readonly specVersions = new Set<string>();
  readonly identifiers = new Map<string, ExternalIdentifier>();
  readonly names = new Map<string, string>();
  readonly concluded = new Map<string, readonly string[]>();
  readonly declared = new Map<string, readonly string[]>();
  documentId: string | undefined;
  private readonly collections = new Set<string>();
  private readonly imported = new Set<string>();
  private readonly describes: { readonly from: string; readonly to: readonly string[] }[] = [];
  private readonly tools = new Set<string>();

  add(element: Element, end: number): void {
    const { id, externalSpdxId } = element;
    const type = shortType(element.type);
    if (id !== undefined) this.relations.define(this.relations.refs.addText(id));
    if (externalSpdxId !== undefined) this.imported.add(externalSpdxId);
    const kind = PACKAGES.get(type) ?? (isPackageLike(element, type) ? "other" : undefined);
    if (kind !== undefined) this.addPackage(element, kind, end, false);
    else this.addOther(element, type, end);
  }

  private addOther(element: Element, type: string, end: number): void {
    const { id, from, relationship = "" } = element;
    if (from !== undefined && relationship !== "") this.addRelationship(element, from, relationship);
    else if (type === "CreationInfo" || element.specVersion !== undefined) this.addCreationInfo(element);
    else if (COLLECTIONS.has(type)) this.addCollection(element, type);
    else {
      if (id !== undefined) this.addNamed(element, id);
      if (hasIdentifiers(element)) this.addPackage(element, type === "File" ? "file" : "other", end, true);
    }
  }

  /**
   * Notes what the document describes, directly or by its bill of materials, and refuses absent elements.
   *
   * @throws EolgateError `missing-element`
   */
  finish(source: ByteSource): void {
    for (const { from, to } of this.describes) if (this.collections.has(from)) for (const id of to) this.describe(id);
    this.relations.requireAll(source, (id) => this.imported.has(id) || INDIVIDUALS.test(id));
  }

  generator(): string | undefined {
    const names = [...this.tools].map((id) => agentName(this.names.get(id)) ?? id);
    return names.length === 0 ? undefined : names.join("; ");
  }

  private addPackage(element: Element, kind: ComponentKind, end: number, needsIdentifier: boolean): void {
    const purpose = kind === "other" ? PURPOSES.get(element.purpose ?? "") : undefined;
    this.packages.push({ element, kind: purpose ?? kind, end, needsIdentifier });
  }

  private addRelationship({ to, scope, targetsAt }: Element, from: string, relationship: string): void {
    const relation = normalized(relationship);
    if (relation === "describes") this.describes.push({ from, to });
    else if (relation === "hasconcludedlicense") this.concluded.set(from, to);
    else if (relation === "hasdeclaredlicense") this.declared.set(from, to);
    const edge = RELATIONS.get(relation);
    if (edge === undefined && relation !== "describes") return;
    const { refs } = this.relations;
    const development = scope !== undefined && DEVELOPMENT_SCOPES.has(scope);
    for (const target of to) {
      const id = refs.addText(target);
      this.relations.name(id, targetsAt);
      if (edge !== undefined) this.relations.addEdge(refs.addText(from), id, { ...edge, development });
    }
  }

  private addCreationInfo({ specVersion, tools }: Element): void {
    if (specVersion !== undefined) this.specVersions.add(specVersion);
    for (const tool of tools) this.tools.add(tool);
  }

  private addCollection({ id, start, rootElements }: Element, type: string): void {
    if (id !== undefined) this.collections.add(id);
    if (type === "SpdxDocument") this.documentId = id;
    for (const element of rootElements) {
      this.describe(element);
      this.relations.name(this.relations.refs.addText(element), start);
    }
  }

  private describe(id: string): void {
    this.relations.describe(this.relations.refs.addText(id));
  }

  nameOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.names.get(id);
  }

  private addNamed({ name, license, identifierType, identifier }: Element, id: string): void {
    if (identifierType !== undefined && identifier !== undefined)
      this.identifiers.set(id, { type: identifierType, identifier });
    const text = license ?? name;
    if (text !== undefined) this.names.set(id, text);
  }
}

/**
 * Individuals of the SPDX 3 model that are not elements:
 * https://spdx.github.io/spdx-spec/v3.0.1/model/Core/Individuals/
 */
const INDIVIDUALS = /^(?:https?:\/\/spdx\.org\/rdf\/3|(?:expandedlicensing_)?(?:No\w*Element|NoAssertion\w*|None\w*)$)/;

/** Adds the packages to the table, with what other elements state about them. */
export function addPackages(graph: Graph, table: ComponentTable): void {
  for (const each of graph.packages) {
    const { purls, cpes } = identifiersOf(graph, each.element);
    if (each.needsIdentifier && purls.length === 0 && cpes.length === 0) continue;
    const index = addPackage(graph, table, each);
    const { element } = each;
    const extra = table.addExtra(index);
    extra.pointer = element.pointer;
    extra.purls = purls;
    extra.cpes = cpes;
    const concluded = licenses(graph, graph.concluded.get(element.id ?? ""));
    extra.licenses = concluded.length > 0 ? concluded : licenses(graph, graph.declared.get(element.id ?? ""));
    extra.declared = declaredBy(element);
  }
}

function addPackage(graph: Graph, table: ComponentTable, { element, kind, end }: Package): number {
  const index = table.add(element.start);
  table.setPosition(index, FIELD.end, end);
  table.setKind(index, kind);
  table.setText(index, FIELD.name, element.name);
  table.setText(index, FIELD.version, element.version);
  table.setText(index, FIELD.ref, element.id);
  table.setText(index, FIELD.supplier, agentName(graph.nameOf(element.suppliers[0])));
  table.setText(index, FIELD.publisher, agentName(graph.nameOf(element.originators[0])));
  if (element.id !== undefined) setRef(table, index, graph.relations, graph.relations.refs.addText(element.id));
  return index;
}

const declaredBy = ({
  validUntil,
  supportLevels,
}: Element): NonNullable<ReturnType<ComponentTable["addExtra"]>["declared"]> => [
  ...(validUntil === undefined
    ? []
    : [{ milestone: "end-of-support", value: validUntil, suffix: "/validUntilTime" } as const]),
  ...supportLevels.map((value) => ({ milestone: "support-level", value, suffix: "/supportLevel" }) as const),
];

function identifiersOf(graph: Graph, element: Element): { readonly purls: Purl[]; readonly cpes: string[] } {
  const purls = new Set<Purl>(isStated(element.packageUrl) ? [asPurl(element.packageUrl)] : []);
  const cpes: string[] = [];
  const named = element.identifierIds.flatMap((id) => graph.identifiers.get(id) ?? []);
  for (const { type, identifier } of [...element.identifiers, ...named]) {
    if (identifier.trim() === "") continue;
    if (type === "packageUrl" || type === "purl") purls.add(asPurl(identifier));
    else if (type === "cpe23" || type === "cpe22") cpes.push(identifier);
  }
  return { purls: [...purls], cpes };
}

const LISTED = /^https?:\/\/spdx\.org\/licenses\//;

/** A listed licence may be named by its address alone. */
const licenses = (graph: Graph, ids: readonly string[] = []): string[] =>
  ids
    .map((id) => graph.names.get(id) ?? (LISTED.test(id) ? id.replace(LISTED, "") : ""))
    .filter((text) => isStated(text));
