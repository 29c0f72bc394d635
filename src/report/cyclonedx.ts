/**
 * CycloneDX 1.6: what was found, with the properties that `enrich` writes. Equal components of several files are one, with
 * each of their locations.
 */
import * as Models from "@cyclonedx/cyclonedx-library/Models";
import * as Types from "@cyclonedx/cyclonedx-library/Types";
import { toEnrichment } from "../enrich/lifecycle-properties.ts";
import { formatKev } from "../messages/format.ts";
import type { Component, DocumentReport, Finding, Policy, Report } from "../model/index.ts";
import { exploitedBy } from "../policy/deciding.ts";
import { toFindings } from "../policy/rows.ts";
import { asPurl } from "../text/ids.ts";
import { noteProperties, newBom, toComponent, toProperties, writeBom, type NamedValue } from "./cyclonedx/bom.ts";
import { hash, pointerOf } from "./locations.ts";
import type { Reporter } from "./reporter.ts";

export const cyclonedx: Reporter = (report) => {
  const bom = newBom(report, "cyclonedx");
  const components = new Map<string, Models.Component>();
  for (const document of report.documents) addDocument(report, document, { bom, components });
  for (const component of components.values()) bom.components.add(component);
  for (const { name, value } of noteProperties(report)) bom.metadata.properties.add(new Models.Property(name, value));
  return writeBom(bom, { sortLists: true });
};

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
      ...exploitation(finding, report.policy),
      ...minimum(finding.component),
    ];
    const key = keyOf(component, properties);
    const found = components.get(key) ?? identified(component, key, properties);
    components.set(key, found);
    const pointer = pointerOf(component);
    found.properties.add(
      new Models.Property("eolgate:location", `${document.file}${pointer === null ? "" : `#${pointer}`}`),
    );
  }
  if (report.documents.length === 1) bom.metadata.properties = toProperties(enrichment.summary);
}

/** The known exploited vulnerabilities that affect the version, which enrichment counts only. */
function exploitation(finding: Finding, policy: Policy): readonly NamedValue[] {
  const entries = exploitedBy(finding, policy);
  return entries.length === 0 ? [] : [{ name: "eolgate:known-exploited", value: formatKev(entries) }];
}

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

function identified(component: Component, key: string, properties: readonly NamedValue[]): Models.Component {
  const made = toComponent(component, hash(key), properties);
  const cpe = component.cpes.find((each) => Types.isCPE(each));
  if (Types.isCPE(cpe)) made.cpe = cpe;
  return made;
}
