/** Values of CycloneDX that have a meaning here, in JSON and in XML. */
import type { ComponentKind, ComponentScope, DeclaredLifecycle } from "../../model/index.ts";

export const CYCLONEDX_VERSIONS: readonly string[] = ["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"];

/** Kinds by `type`; every other type is `other`. */
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
  | { readonly kind: "milestone"; readonly milestone: DeclaredLifecycle["milestone"] }
  /** The module that an rpm was built from: `nodejs:18:8060020220523160029:ad008a3a`. */
  | { readonly kind: "module" };

/** Names of the CycloneDX property taxonomy, and of the taxonomies of GitLab, Syft, Trivy and ReARM. */
export const PROPERTY_MEANINGS: Readonly<Record<string, PropertyMeaning>> = {
  "cdx:npm:package:development": { kind: "flag" },
  "cdx:composer:package:isDevRequirement": { kind: "flag" },
  "cdx:maven:package:test": { kind: "flag" },
  "cdx:poetry:group": { kind: "group" },
  "cdx:pipenv:category": { kind: "group" },
  "gitlab:dependency_scanning:category": { kind: "group" },
  "cdx:lifecycle:milestone:endOfSupport": { kind: "milestone", milestone: "end-of-support" },
  "cdx:lifecycle:milestone:endOfLife": { kind: "milestone", milestone: "end-of-life" },
  "cdx:lifecycle:milestone:endOfBusinessOperations": { kind: "milestone", milestone: "end-of-support" },
  "reliza:support:levelOfSupport": { kind: "milestone", milestone: "support-level" },
  "syft:metadata:modularityLabel": { kind: "module" },
  "aquasecurity:trivy:Modularitylabel": { kind: "module" },
};
const DEVELOPMENT_GROUPS = new Set(["dev", "develop", "development", "test"]);

export const isDevelopmentGroup = (group: string): boolean => DEVELOPMENT_GROUPS.has(group);

export function parseDocumentVersion(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
