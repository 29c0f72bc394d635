/** Reads CycloneDX JSON 1.2 to 1.7. */
import { text, type Schema } from "../../json-rows/schema.ts";
import { ComponentTable } from "../component-table.ts";
import { createDocument, type ParsedSbom } from "../document.ts";
import { DocumentTexts } from "../document-texts.ts";
import { documentMembers, requireEnd, type Opened } from "../envelope.ts";
import { lazy } from "../../text/values.ts";
import { notSbom, requireVersion } from "../refusals.ts";
import { componentFormat, ComponentReading, orderedComponents } from "./component-reading.ts";
import { component, rootComponent } from "./component-schema.ts";
import { licensesAt, readDependencies } from "./on-demand.ts";
import { CYCLONEDX_VERSIONS, parseDocumentVersion } from "./vocabulary.ts";
import { readJson } from "../json-bytes.ts";

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
  const into = new CycloneDxReading(
    new ComponentTable(new DocumentTexts(source), componentFormat(opened.pointer, licensesAt)),
  );
  const result = readJson(source, opened.at, bom, into);
  requireEnd(opened, result.end);
  if (into.bomFormat !== "CycloneDX") throw notSbom(opened);
  const version = requireVersion("CycloneDX", into.specVersion, CYCLONEDX_VERSIONS, opened);
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
