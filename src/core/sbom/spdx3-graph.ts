/** The nodes of an SPDX 3 document by what they are, and the packages put together from them. */
import { asPurl } from "../ids.ts";
import type { ComponentKind } from "../model.ts";
import { append, ComponentDraft } from "./draft.ts";
import { agentName, Edges, isStated } from "./spdx-roles.ts";
import type { ExternalIdentifier, NodeReading } from "./spdx3-node.ts";

interface Package {
  readonly draft: ComponentDraft;
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

export class Graph {
  readonly packages: Package[] = [];
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

  add(node: NodeReading, pointer: string, start: number, end: number): void {
    const type = shortType(node.type);
    const kind = PACKAGES.get(type);
    if (kind !== undefined) this.addPackage(node, kind, pointer, start, end);
    else if (node.from !== undefined && node.relationship !== "") this.addRelationship(node, node.from);
    else if (type === "CreationInfo") this.addCreationInfo(node);
    else if (COLLECTIONS.has(type)) this.addCollection(node, type);
    else if (node.id !== undefined) this.addNamed(node, node.id);
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

  private addPackage(node: NodeReading, kind: ComponentKind, pointer: string, start: number, end: number): void {
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
    this.packages.push({ draft, identifiers, identifierIds, suppliers, originators });
  }

  private addRelationship({ to, relationship, scope }: NodeReading, from: string): void {
    const relation = folded(relationship);
    if (relation === "describes") this.describes.push({ from, to });
    else if (relation === "hasconcludedlicense") this.concluded.set(from, to);
    else if (relation === "hasdeclaredlicense") this.declared.set(from, to);
    const edge = RELATIONS.get(relation);
    if (edge === undefined) return;
    const development = scope !== undefined && DEVELOPMENT_SCOPES.has(scope);
    for (const target of to) this.edges.add(from, target, { ...edge, development });
  }

  private addCreationInfo({ specVersion, tools }: NodeReading): void {
    if (specVersion !== undefined) this.specVersions.add(specVersion);
    for (const tool of tools) this.tools.add(tool);
  }

  private addCollection({ id, rootElements }: NodeReading, type: string): void {
    if (id !== undefined) this.collections.add(id);
    if (type === "SpdxDocument") this.documentId = id;
    for (const element of rootElements) this.rootElements.add(element);
  }

  private addNamed({ name, licence, identifierType, identifier }: NodeReading, id: string): void {
    if (identifierType !== undefined && identifier !== undefined)
      this.identifiers.set(id, { type: identifierType, identifier });
    const text = licence ?? name;
    if (text !== undefined) this.names.set(id, text);
  }
}

/** Fills in what other nodes say of the packages, now that all were met. */
export function finishPackages(graph: Graph): ComponentDraft[] {
  return graph.packages.map(({ draft, identifiers, identifierIds, suppliers, originators }) => {
    for (const identifier of identifiers) identify(draft, identifier);
    for (const id of identifierIds) {
      const identifier = graph.identifiers.get(id);
      if (identifier !== undefined) identify(draft, identifier);
    }
    draft.supplier = agentName(named(graph, suppliers[0]));
    draft.publisher = agentName(named(graph, originators[0]));
    const id = draft.bomRef ?? "";
    const concluded = licences(graph, graph.concluded.get(id));
    draft.licenses = concluded.length > 0 ? concluded : licences(graph, graph.declared.get(id));
    return draft;
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
