/**
 * The exact names that enrichment writes. An entry is ours by its whole name, never by its prefix:
 * what others write under a similar one is theirs.
 */

export const COMPONENT_NAMES = [
  "lifecycle:status",
  "lifecycle:product",
  "lifecycle:cycle",
  "lifecycle:eol_date",
  "lifecycle:days_until_eol",
  "lifecycle:days_past_eol",
  "lifecycle:purl_matched",
  "lifecycle:matched_by",
  "lifecycle:extended_support_available",
  "lifecycle:score_url",
  "lifecycle:risk_score",
  "lifecycle:risk_grade",
  "lifecycle:kev_exposed",
  "lifecycle:reason",
  "lifecycle:support_level",
  "lifecycle:last_release",
  "lifecycle:support_evidence_url",
] as const;

export const SUMMARY_NAMES = [
  "lifecycle:summary:components",
  "lifecycle:summary:matched",
  "lifecycle:summary:scored",
  "lifecycle:summary:past_eol",
  "lifecycle:summary:approaching",
  "lifecycle:summary:not_tracked",
  "lifecycle:summary:unique_products",
  "lifecycle:gate:verdict",
  "lifecycle:purl_map_date",
] as const;

/** Registered in the CycloneDX property taxonomy, so documents contain them too: ours by the mark alone, see `mark.ts`. */
export const MILESTONE_NAME = "cdx:lifecycle:milestone:endOfSupport";

export type LifecyclePropertyName =
  | (typeof COMPONENT_NAMES)[number]
  | (typeof SUMMARY_NAMES)[number]
  | typeof MILESTONE_NAME;

const OURS: ReadonlySet<string> = new Set([...COMPONENT_NAMES, ...SUMMARY_NAMES]);
export const isOurName = (name: string | undefined): boolean => name !== undefined && OURS.has(name);

/** A property as one text, for annotations of SPDX. */
export const statementOf = ({ name, value }: LifecycleProperty): string => `${name}=${value}`;

/** Whether a text is one of these statements. Its author is checked elsewhere. */
export function isOurStatement(text: string | undefined): boolean {
  const name = text?.split("=", 1)[0];
  return isOurName(name) || name === MILESTONE_NAME;
}

/** A property as it is written: values are strings in every format. */
export interface LifecycleProperty {
  readonly name: LifecyclePropertyName;
  readonly value: string;
}

/** What is written to one component. Equal properties are the same list, so that their text is made once. */
export type LifecycleProperties = readonly LifecycleProperty[];

/** Everything that enrichment writes into one document. */
export interface Enrichment {
  /** One for each component, in the order of the document's components. */
  readonly components: readonly LifecycleProperties[];
  readonly summary: LifecycleProperties;
  /** `YYYY-MM-DD`: the day for which the properties were computed. */
  readonly asOf: string;
  readonly tool: { readonly name: string; readonly version: string };
}
