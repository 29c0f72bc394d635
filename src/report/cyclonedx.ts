/**
 * CycloneDX 1.6: what was found, with the properties that `enrich` writes. Equal components of several files are one, with
 * each of their locations.
 */
import * as Enums from "@cyclonedx/cyclonedx-library/Enums";
import * as Models from "@cyclonedx/cyclonedx-library/Models";
import * as Serialize from "@cyclonedx/cyclonedx-library/Serialize";
import * as Spec from "@cyclonedx/cyclonedx-library/Spec";
import * as Types from "@cyclonedx/cyclonedx-library/Types";
import { toEnrichment } from "../enrich/lifecycle-properties.ts";
import { formatKev } from "../messages/format.ts";
import type { Component, DocumentReport, Finding, Report } from "../model/index.ts";
import { toFindings } from "../policy/rows.ts";
import { asPurl } from "../text/ids.ts";
import { escapeJson as escaped, truncate } from "./escape.ts";
import { hash, pointerOf } from "./locations.ts";
import type { Reporter } from "./reporter.ts";
import { serialNumber } from "./vex.ts";

export const cyclonedx: Reporter = (report) => {
  const bom = new Models.Bom({ serialNumber: serialNumber(report, "cyclonedx"), version: 1 });
  bom.metadata.timestamp = new Date(report.asOf);
  const tool = new Models.Component(Enums.ComponentType.Application, report.tool.name, {
    version: report.tool.version,
  });
  bom.metadata.tools.components.add(tool);
  const components = new Map<string, Models.Component>();
  for (const document of report.documents) addDocument(report, document, { bom, components });
  for (const component of components.values()) bom.components.add(component);
  const normalized = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
    .makeForBom()
    .normalize(bom, { sortLists: true });
  return `${escaped(JSON.stringify(normalized, null, 1))}\n`;
};

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

interface Collected {
  readonly bom: Models.Bom;
  /** By what they are and what is known of them. */
  readonly components: Map<string, Models.Component>;
}

function addDocument(report: Report, document: DocumentReport, { bom, components }: Collected): void {
  const findings = toFindings(document.rows);
  const { tool, asOf, catalogue, links } = report;
  const enrichment = toEnrichment(
    { findings, verdict: document.verdict },
    { tool, asOf, purlMapDate: catalogue.purlMapDate, scoreCard: links.scoreCard },
  );
  for (const [index, finding] of findings.entries()) {
    const component = withoutMinimum(finding.component);
    // The software that the document describes is not one of its components.
    if (component.kind === "root") continue;
    const properties = [
      ...(enrichment.components[index] ?? []),
      ...exploitation(finding),
      ...minimum(finding.component),
    ];
    const key = keyOf(component, properties);
    const found = components.get(key) ?? toComponent(component, key, properties);
    components.set(key, found);
    const pointer = pointerOf(component);
    found.properties.add(
      new Models.Property("eolgate:location", `${document.file}${pointer === null ? "" : `#${pointer}`}`),
    );
  }
  for (const { name, value } of report.documents.length === 1 ? enrichment.summary : [])
    bom.metadata.properties.add(new Models.Property(name, value));
}

/** The known exploited vulnerabilities that affect the version, which enrichment counts only. */
const exploitation = ({ assessment, distroAssessment }: Finding): readonly NamedValue[] =>
  assessment?.kevBasis === "affected" && distroAssessment === undefined
    ? [{ name: "eolgate:known-exploited", value: formatKev(assessment.kevEntries) }]
    : [];

/** The lowest version that a project supports is not the version of a component. */
const minimum = ({ version, minimum: isMinimum }: Component): readonly NamedValue[] =>
  isMinimum && version !== undefined ? [{ name: "eolgate:minimum-version", value: version }] : [];

function withoutMinimum(component: Component): Component {
  if (!component.minimum) return component;
  const { version: _, purls, ...others } = component;
  return { ...others, purls: purls.map((purl) => asPurl(purl.replace(/@[^@?#]*(?=$|[?#])/, ""))) };
}

const keyOf = ({ group, name, version, purls, cpes }: Component, properties: readonly NamedValue[]): string =>
  JSON.stringify([group, name, version, purls[0], cpes[0], properties]);

/** The limit of the schema. */
const MAX_VERSION_LENGTH = 1024;

const TYPES: Partial<Record<Component["kind"], Enums.ComponentType>> = {
  data: Enums.ComponentType.Data,
  file: Enums.ComponentType.File,
  "operating-system": Enums.ComponentType.OperatingSystem,
  model: Enums.ComponentType.MachineLearningModel,
};

function toComponent(component: Component, key: string, properties: readonly NamedValue[]): Models.Component {
  const { group, name, version, purls, cpes, kind } = component;
  const cpe = cpes.find((each) => Types.isCPE(each));
  return new Models.Component(TYPES[kind] ?? Enums.ComponentType.Library, name, {
    bomRef: hash(key),
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version: truncate(version, MAX_VERSION_LENGTH) }),
    ...(purls[0] !== undefined && { purl: purls[0] }),
    ...(Types.isCPE(cpe) && { cpe }),
    properties: new Models.PropertyRepository(properties.map((each) => new Models.Property(each.name, each.value))),
  });
}
