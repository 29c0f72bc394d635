/** Reads CycloneDX JSON 1.2 to 1.7. */
import { type Schema, text } from "../../json-rows/schema.ts";
import { ComponentTable, FIELD } from "../component-table.ts";
import type { ByteSource } from "../../json-rows/source.ts";
import { EMPTY_GRAPH } from "../../json-rows/graph.ts";
import type { Dependencies, DependencyGraph } from "../../model/index.ts";
import { readJson } from "../json-bytes.ts";
import { type ParsedSbom, createDocument } from "../component.ts";
import { type Opened, documentMembers, requireEnd } from "../envelope.ts";
import { lazy } from "../../text/values.ts";
import { notSbom, requireVersion } from "../refusals.ts";
import { ComponentReading, component, componentFormat, orderedComponents, rootComponent } from "./component-reading.ts";
import { CYCLONEDX_VERSIONS, parseDocumentVersion } from "./vocabulary.ts";

interface Licenses {
  readonly found: string[];
  unreadable: string | undefined;
}

const license: Schema<Licenses> = { string: ({ found }, value) => void found.push(value.text()) };
/** A string in the place of an object is read, too: a licence that is there must not count as none. */
const licenseEntry: Schema<Licenses> = {
  ...license,
  members: () => ({ license: { ...license, members: () => ({ id: license, name: license }) }, expression: license }),
};
const list: Schema<Licenses> = {
  ...license,
  begin: (into, value) => {
    if (!value.isString && !value.isNull && !value.isList) into.unreadable = value.raw();
  },
  elements: () => licenseEntry,
};

/** None where the component has no licences. A value that is not a list is returned as written, for the policy to refuse. */
export function licensesAt(table: ComponentTable, index: number): readonly string[] {
  const start = table.position(index, FIELD.licenses);
  if (start < 0) return [];
  const into: Licenses = { found: [], unreadable: undefined };
  table.texts.readJson(start, list, into);
  return into.unreadable === undefined ? into.found : [into.unreadable];
}

const node: Schema<undefined> = {
  graph: "node",
  members: () => ({
    ref: { graph: "reference" },
    dependsOn: { elements: () => ({ graph: "edge" }) },
  }),
};
const nodes: Schema<undefined> = { elements: () => node };

/** The list of dependencies at `position`. Several entries with one ref are merged. */
export function readDependencies(source: ByteSource, position: number | undefined): Dependencies {
  const graph = position === undefined ? EMPTY_GRAPH : readJson(source, position, nodes, undefined).graph;
  const eachDependency: DependencyGraph["eachDependency"] = (id, use) => graph.eachEdge(id, use);
  return { graph: { refs: graph, eachDependency }, nodes: graph.nodes };
}

class CycloneDxReading extends ComponentReading {
  bomFormat: string | undefined = undefined;
  specVersion: string | undefined = undefined;
  serialNumber: string | undefined = undefined;
  documentVersion: number | undefined = undefined;
  readonly tools: string[] = [];
  toolNames: string[] = [];
  dependenciesAt: number | undefined = undefined;
  versionEnd = 0;
  metadataAt: number | undefined = undefined;
}

const toolName: Schema<CycloneDxReading> = { string: (into, value) => void into.toolNames.push(value.text()) };
const tool: Schema<CycloneDxReading> = {
  open: (into) => {
    into.toolNames = [];
  },
  close: (into) => void into.tools.push(into.toolNames.join(" ")),
  members: () => ({ vendor: toolName, group: toolName, name: toolName, version: toolName }),
};

const metadata: Schema<CycloneDxReading> = {
  begin: (into, value) => {
    into.metadataAt = value.start;
  },
  members: () => ({
    component: rootComponent,
    tools: { elements: () => tool, members: () => ({ components: { elements: () => tool } }) },
  }),
  type: { type: "object", name: '"metadata"' },
};

const specVersion: Schema<CycloneDxReading> = {
  string: (into, value) => {
    into.specVersion = value.text();
    into.versionEnd = value.end;
  },
};

const bom: Schema<CycloneDxReading> = {
  members: documentMembers<CycloneDxReading>("cyclonedx", () => ({
    bomFormat: text((into, value) => {
      into.bomFormat = value;
    }),
    specVersion,
    serialNumber: text((into, value) => {
      into.serialNumber = value;
    }),
    version: {
      begin: (into, value) => {
        into.documentVersion = parseDocumentVersion(value.raw());
      },
    },
    signature: {
      begin: (into, value) => {
        into.signed ||= !value.isNull;
      },
    },
    metadata,
    components: { elements: () => component, type: { type: "list", name: '"components"' } },
    dependencies: {
      begin: (into, value) => {
        into.dependenciesAt = value.start;
      },
      type: { type: "list", name: '"dependencies"' },
    },
  })),
};

export function readCycloneDx(opened: Opened): ParsedSbom {
  const { source } = opened;
  const into = new CycloneDxReading(new ComponentTable(source, componentFormat(opened.pointer, licensesAt)));
  const result = readJson(source, opened.at, bom, into);
  requireEnd(opened, result.end);
  if (into.bomFormat !== "CycloneDX") throw notSbom(opened);
  const version = requireVersion(
    { format: "CycloneDX", version: into.specVersion, supported: CYCLONEDX_VERSIONS },
    `${opened.pointer}/specVersion`,
  );
  result.throwRefusal();
  const { table, dependenciesAt } = into;
  const { components, roots } = orderedComponents(table);
  return createDocument(opened, {
    fields: {
      format: "CycloneDX",
      specVersion: version,
      serialNumber: into.serialNumber,
      documentVersion: into.documentVersion,
      generator: into.tools.length === 0 ? undefined : into.tools.join("; "),
      signed: opened.signed || into.signed,
    },
    components,
    roots,
    dependencies: lazy(() => readDependencies(source, dependenciesAt)),
    root: { start: opened.at, end: result.end },
    versionEnd: into.versionEnd,
    noteAt: into.metadataAt,
  });
}
