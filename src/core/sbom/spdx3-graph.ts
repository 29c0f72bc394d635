/** The nodes of an SPDX 3 document by what they are, and the packages put together from them. */
import { asPurl } from "../ids.ts";
import type { ComponentKind } from "../model.ts";
import { append, ComponentDraft } from "./draft.ts";
import { agentName, Edges, isStated } from "./spdx-roles.ts";
import type { Element, ExternalIdentifier } from "./spdx3-node.ts";

interface Package {
  readonly draft: ComponentDraft;
  /** Of a type that is no package: it counts only with a purl or CPE. */
  readonly needsIdentifier: boolean;
  readonly identifiers: readonly ExternalIdentifier[];
  readonly identifierIds: readonly string[];
  readonly suppliers: readonly string[];
  readonly originators: readonly string[];
}

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
const folded = (relation: string): string => relation.replaceAll("_", "").toLowerCase();

/** A type of an extension: a package by its name, or by members that only packages have. */
const isPackageLike = ({ version, packageUrl, downloadLocation }: Element, type: string): boolean =>
  type.endsWith("Package") || version !== undefined || packageUrl !== undefined || downloadLocation !== undefined;

const hasIdentifiers = ({ identifiers, identifierIds }: Element): boolean =>
  identifiers.length > 0 || identifierIds.length > 0;

export class Graph {
  readonly packages: Package[] = [];
  /** Ids of the elements that the document contains, and of those that it imports. */
  readonly ids = new Set<string>();
  readonly imported = new Set<string>();
  /** Elements that relationships and collections name. */
  readonly targets: { readonly id: string; readonly at: number }[] = [];
  readonly specVersions = new Set<string>();
  readonly edges = new Edges();
  readonly identifiers = new Map<string, ExternalIdentifier>();
  readonly names = new Map<string, string>();
  readonly concluded = new Map<string, readonly string[]>();
  readonly declared = new Map<string, readonly string[]>();
  documentId: string | undefined;
  private readonly collections = new Set<string>();
  private readonly rootElements = new Set<string>();
  private readonly describes: { readonly from: string; readonly to: readonly string[] }[] = [];
  private readonly tools = new Set<string>();

  add(element: Element, end: number): void {
    const { id, externalSpdxId } = element;
    const type = shortType(element.type);
    if (id !== undefined) this.ids.add(id);
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

  /** Ids that the document describes, directly or by its bill of materials. */
  described(): ReadonlySet<string> {
    const targets = this.describes.filter(({ from }) => this.collections.has(from)).flatMap(({ to }) => to);
    return new Set([...this.rootElements, ...targets]);
  }

  generator(): string | undefined {
    const names = [...this.tools].map((id) => agentName(this.names.get(id)) ?? id);
    return names.length === 0 ? undefined : names.join("; ");
  }

  private addPackage(node: Element, kind: ComponentKind, end: number, needsIdentifier: boolean): void {
    const { pointer, start } = node;
    const draft = new ComponentDraft(pointer, start);
    draft.span = { start, end };
    draft.kind = kind === "other" ? (PURPOSES.get(node.purpose ?? "") ?? kind) : kind;
    draft.bomRef = node.id;
    draft.name = node.name ?? "";
    draft.version = node.version;
    if (isStated(node.packageUrl)) draft.purls = append(draft.purls, asPurl(node.packageUrl));
    if (node.validUntil !== undefined) {
      const value = node.validUntil;
      draft.declared = append(draft.declared, {
        milestone: "end-of-support",
        value,
        pointer: `${pointer}/validUntilTime`,
      });
    }
    for (const value of node.supportLevels) {
      draft.declared = append(draft.declared, {
        milestone: "support-level",
        value,
        pointer: `${pointer}/supportLevel`,
      });
    }
    const { identifiers, identifierIds, suppliers, originators } = node;
    this.packages.push({ draft, needsIdentifier, identifiers, identifierIds, suppliers, originators });
  }

  private addRelationship({ to, scope, targetsAt }: Element, from: string, relationship: string): void {
    const relation = folded(relationship);
    if (relation === "describes") this.describes.push({ from, to });
    else if (relation === "hasconcludedlicense") this.concluded.set(from, to);
    else if (relation === "hasdeclaredlicense") this.declared.set(from, to);
    const edge = RELATIONS.get(relation);
    if (edge !== undefined || relation === "describes") for (const id of to) this.targets.push({ id, at: targetsAt });
    if (edge === undefined) return;
    const development = scope !== undefined && DEVELOPMENT_SCOPES.has(scope);
    for (const target of to) this.edges.add(from, target, { ...edge, development });
  }

  private addCreationInfo({ specVersion, tools }: Element): void {
    if (specVersion !== undefined) this.specVersions.add(specVersion);
    for (const tool of tools) this.tools.add(tool);
  }

  private addCollection({ id, start, rootElements }: Element, type: string): void {
    if (id !== undefined) this.collections.add(id);
    if (type === "SpdxDocument") this.documentId = id;
    for (const element of rootElements) {
      this.rootElements.add(element);
      this.targets.push({ id: element, at: start });
    }
  }

  private addNamed({ name, license, identifierType, identifier }: Element, id: string): void {
    if (identifierType !== undefined && identifier !== undefined)
      this.identifiers.set(id, { type: identifierType, identifier });
    const text = license ?? name;
    if (text !== undefined) this.names.set(id, text);
  }
}

/** Fills in what other nodes say of the packages, now that all were met. */
export function finishPackages(graph: Graph): ComponentDraft[] {
  return graph.packages.flatMap(({ draft, needsIdentifier, identifiers, identifierIds, suppliers, originators }) => {
    for (const identifier of identifiers) identify(draft, identifier);
    for (const id of identifierIds) {
      const identifier = graph.identifiers.get(id);
      if (identifier !== undefined) identify(draft, identifier);
    }
    if (needsIdentifier && draft.purls.length === 0 && draft.cpes.length === 0) return [];
    draft.supplier = agentName(named(graph, suppliers[0]));
    draft.publisher = agentName(named(graph, originators[0]));
    const id = draft.bomRef ?? "";
    const concluded = licences(graph, graph.concluded.get(id));
    draft.licenses = concluded.length > 0 ? concluded : licences(graph, graph.declared.get(id));
    return [draft];
  });
}

const named = (graph: Graph, id: string | undefined): string | undefined =>
  id === undefined ? undefined : graph.names.get(id);

function identify(draft: ComponentDraft, { type, identifier }: ExternalIdentifier): void {
  if (type === "packageUrl" || type === "purl") {
    const purl = asPurl(identifier);
    if (identifier.trim() !== "" && !draft.purls.includes(purl)) draft.purls = append(draft.purls, purl);
  } else if (type === "cpe23" || type === "cpe22") draft.cpes = append(draft.cpes, identifier);
}

const LISTED = /^https?:\/\/spdx\.org\/licenses\//;

/** A listed licence may be named by its address alone. */
const licences = (graph: Graph, ids: readonly string[] = []): string[] =>
  ids
    .map((id) => graph.names.get(id) ?? (LISTED.test(id) ? id.replace(LISTED, "") : ""))
    .filter((text) => isStated(text));
