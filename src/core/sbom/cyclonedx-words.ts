/** The words of CycloneDX that mean something to the gate: the same in JSON and in XML. */
import type { ComponentKind, ComponentScope, DeclaredLifecycle } from "../model.ts";

export const CYCLONEDX_VERSIONS: readonly string[] = ["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"];

/** `type` decides what a component is to the gate; every other type is `other`. */
export const CYCLONEDX_KINDS: Readonly<Record<string, ComponentKind>> = {
  file: "file",
  "operating-system": "operating-system",
  "machine-learning-model": "model",
  data: "data",
};
export const CYCLONEDX_SCOPES: Readonly<Record<string, ComponentScope>> = {
  required: "required",
  optional: "optional",
  excluded: "excluded",
};

export type PropertyMeaning =
  | { readonly kind: "flag" }
  /** May appear several times: development only when no other group is named. */
  | { readonly kind: "group" }
  | { readonly kind: "milestone"; readonly milestone: DeclaredLifecycle["milestone"] };

/** Names of the CycloneDX property taxonomy and of GitLab's. */
export const PROPERTY_MEANINGS: Readonly<Record<string, PropertyMeaning>> = {
  "cdx:npm:package:development": { kind: "flag" },
  "cdx:composer:package:isDevRequirement": { kind: "flag" },
  "cdx:maven:package:test": { kind: "flag" },
  "cdx:poetry:group": { kind: "group" },
  "cdx:pipenv:category": { kind: "group" },
  "gitlab:dependency_scanning:category": { kind: "group" },
  "cdx:lifecycle:milestone:endOfSupport": { kind: "milestone", milestone: "end-of-support" },
  "cdx:lifecycle:milestone:endOfLife": { kind: "milestone", milestone: "end-of-life" },
};
const DEVELOPMENT_GROUPS = new Set(["dev", "develop", "development", "test"]);

/** What the properties of one component say together. */
export interface Markers {
  development: boolean;
  otherGroup: boolean;
}
export const noMarkers = (): Markers => ({ development: false, otherGroup: false });

export function mark(markers: Markers, kind: "flag" | "group", value: string): void {
  if (kind === "flag") markers.development ||= value === "true";
  else if (DEVELOPMENT_GROUPS.has(value)) markers.development = true;
  else markers.otherGroup = true;
}

export const isForDevelopment = ({ development, otherGroup }: Markers): boolean => development && !otherGroup;
