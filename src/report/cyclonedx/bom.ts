/** What the SBOM and the VEX in CycloneDX 1.6 share: the empty document, a component, and how they are written. */
import * as Enums from "@cyclonedx/cyclonedx-library/Enums";
import * as Models from "@cyclonedx/cyclonedx-library/Models";
import * as Serialize from "@cyclonedx/cyclonedx-library/Serialize";
import * as Spec from "@cyclonedx/cyclonedx-library/Spec";
import type { Component, Report } from "../../model/index.ts";
import { reportNotes } from "../notes.ts";
import { escapeJson, truncate } from "../escape.ts";
import { hash } from "../locations.ts";

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** A document without components, with its serial number, the day of the report and eolgate as its tool. */
export function newBom(report: Report, format: "cyclonedx" | "vex"): Models.Bom {
  const bom = new Models.Bom({ serialNumber: serialNumber(report, format), version: 1 });
  bom.metadata.timestamp = new Date(report.asOf);
  const { name, version } = report.tool;
  bom.metadata.tools.components.add(new Models.Component(Enums.ComponentType.Application, name, { version }));
  return bom;
}

/** The notes of the report, as properties of the document. */
export const noteProperties = (report: Report): readonly NamedValue[] =>
  reportNotes(report).map(({ group, text }) => ({ name: `eolgate:${group}`, value: text }));

/** Equal for the same documents, catalogue, policy and day, so that the report is reproducible. */
function serialNumber({ documents, catalogue, asOf, policy }: Report, format: "cyclonedx" | "vex"): string {
  const subject = JSON.stringify([
    ...(format === "vex" ? [] : [format]),
    documents.map(({ digest }) => digest()),
    catalogue.digest,
    asOf,
    policy,
  ]);
  const digits = hash(subject) + hash(`${subject}|`);
  // RFC 9562, version 8: a custom layout. The variant takes the two highest bits of its group.
  const variant = "89ab"[Number.parseInt(digits[16] ?? "0", 16) % 4] ?? "8";
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
  ];
  return `urn:uuid:${groups.join("-")}-${digits.slice(20, 32)}`;
}

/** The limit of the schema. */
const MAX_VERSION_LENGTH = 1024;

const TYPES: Partial<Record<Component["kind"], Enums.ComponentType>> = {
  data: Enums.ComponentType.Data,
  file: Enums.ComponentType.File,
  "operating-system": Enums.ComponentType.OperatingSystem,
  model: Enums.ComponentType.MachineLearningModel,
};

export function toComponent(
  { group, name, version, purls, kind }: Component,
  bomRef: string,
  properties: readonly NamedValue[],
): Models.Component {
  return new Models.Component(TYPES[kind] ?? Enums.ComponentType.Library, name, {
    bomRef,
    group,
    version: version === undefined ? undefined : truncate(version, MAX_VERSION_LENGTH),
    purl: purls[0],
    properties: toProperties(properties),
  });
}

export const toProperties = (properties: readonly NamedValue[]): Models.PropertyRepository =>
  new Models.PropertyRepository(properties.map(({ name, value }) => new Models.Property(name, value)));

/**
 * The text of a document. The library would state that no component has a dependency, of which nothing is known here, and
 * omits an empty list of vulnerabilities.
 */
export function writeBom(
  bom: Models.Bom,
  { sortLists, vulnerabilities }: { readonly sortLists: boolean; readonly vulnerabilities?: readonly [] },
): string {
  const normalized = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6).makeForBom().normalize(bom, { sortLists });
  const members = { ...normalized, dependencies: undefined, ...(vulnerabilities && { vulnerabilities }) };
  return `${escapeJson(JSON.stringify(members, null, 1))}\n`;
}
