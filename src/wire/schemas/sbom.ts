/** The schema of the answer to POST /v1/sbom. */
import { pageAddress } from "../../messages/pages.ts";
import { Type } from "typebox";
import { REASON_LABELS } from "../../messages/support.ts";
import { keysOf } from "../../text/values.ts";
import { SIGNAL_SOURCES, SUPPORT_LEVELS } from "../../model/support.ts";
import { STATEMENTS } from "../../support/evidence.ts";
import { UNKNOWN_LABELS } from "../../messages/support.ts";
import { type Wire, count, countOrNull, day, statementDay, flag, integer, oneOf, text, textOrNull, url } from "./types.ts";
import { MATCHES, VERSION_MATCHES, decisionSchema, scoreSchema } from "./lifecycle.ts";

export const evidenceSchema = Type.Object({
  source: oneOf(["catalogue", "document", ...SIGNAL_SOURCES]),
  statement: oneOf(keysOf(STATEMENTS), `What the source states; see ${pageAddress("signals.md")}`),
  url: url("Where the statement can be read"),
  retrieved_at: statementDay("The day on which the source was read, or its month or year"),
  date: Type.Optional(day("The day that the statement is about: a release, a commit, an end")),
  replacement: Type.Optional(text("What the maintainers name as the replacement")),
  message: Type.Optional(text("The maintainers' own text: untrusted")),
  aged: Type.Optional(flag("Older than the policy allows; the source could not be read again")),
  newest_version: Type.Optional(text("The newest stable version of the package; of a Go module, one that is newer")),
  newest_released: Type.Optional(text("The month of its release, YYYY-MM, where it is known")),
  majors_behind: Type.Optional(count("Major versions up to the newest version; minor versions while it is 0.x")),
});
export type SupportEvidence = Wire<typeof evidenceSchema>;

/** Next to `bom_ref` of every component, when signals were requested. */
export const supportProperties = {
  support_level: Type.Optional(oneOf(SUPPORT_LEVELS, "Present when --signals asks for support levels")),
  support_reason: Type.Optional(
    oneOf(keysOf(UNKNOWN_LABELS), "Why the support level is unknown"),
  ),
  end_of_support: Type.Optional(day("End of support of the release cycle")),
  last_release: Type.Optional(day("Last release that a source knows of")),
  replacement: Type.Optional(text("What the maintainers name as the replacement")),
  support_evidence: Type.Optional(
    Type.Array(evidenceSchema, { description: "The statement that decided comes first" }),
  ),
};
export const fieldsSchema = Type.Object(supportProperties);
export type SupportFields = Wire<typeof fieldsSchema>;

export const supportCountsSchema = Type.Object(
  {
    determined: count("Components with a support level other than unknown"),
    unknown: count(),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    levels: Type.Object(Object.fromEntries(SUPPORT_LEVELS.map((level) => [level, count()]))),
  },
  { description: "Components by support level; present when signals were requested" },
);

export const REASONS = keysOf(REASON_LABELS);

const VERDICTS = ["pass", "warn", "fail"] as const;

/** A component of the document, next to its release cycle. */
export const sbomComponentSchema = Type.Object({
  bom_ref: textOrNull(),
  name: text(),
  version: textOrNull(),
  purl: textOrNull(),
  matched_by: oneOf(MATCHES),
  version_matched_by: Type.Optional(oneOf(VERSION_MATCHES)),
  gate: decisionSchema,
  ...supportProperties,
});
export type SbomComponent = Wire<typeof sbomComponentSchema>;

export const sbomResultSchema = Type.Object({
  ...scoreSchema.properties,
  components: Type.Array(sbomComponentSchema),
});
export type SbomScore = Wire<typeof sbomResultSchema>;

export const unmatchedSchema = Type.Object({
  component: text("The component's name"),
  bom_ref: textOrNull(),
  version: textOrNull(),
  purl: textOrNull(),
  reason: oneOf(REASONS),
  product: Type.Optional(text("The product, when it is known but its release cycle is not")),
  candidates: Type.Optional(Type.Array(Type.String())),
  evidence: Type.Optional(Type.Array(Type.String(), { description: "The pieces of evidence that contradict each other" })),
  ...supportProperties,
});
export type UnmatchedComponent = Wire<typeof unmatchedSchema>;

export const gateSchema = Type.Object({
  /** `none`: nothing, or too little, could be assessed. It is not a pass. */
  verdict: oneOf([...VERDICTS, "none"]),
  warn_days: integer({ minimum: 0 }),
  reasons: Type.Array(
    Type.Object({
      verdict: oneOf(VERDICTS),
      condition: text("eol, approaching, retired, superseded, score, kev, unknown, untracked, license, …"),
      count: count(),
    }),
  ),
});

/** `components` = `matched` + `distro_maintained` + `unmatched_count`: the root, files and data sets belong to no release cycle. */
export const sbomSchema = Type.Object({
  format: oneOf(["CycloneDX", "SPDX", "pins", "lockfile", "image"]),
  spec_version: text(),
  components: count("Components that could have a release cycle"),
  matched: count(),
  matched_by: Type.Object({ purl: count(), name: count(), model: count(), cpe: count() }),
  distro_maintained: count("Packages without a product of their own, assessed by their distribution's release cycle"),
  scored: count("Matched components whose score is in results"),
  not_scored_count: count(),
  limit_note: Type.Optional(text()),
  not_applicable: Type.Optional(
    Type.Object(
      { root: count(), file: count(), data: count() },
      { description: "Entries besides the components: the described software itself, files and data sets" },
    ),
  ),
  summary: Type.Object(
    {
      failing: count("Components that fail the policy"),
      warning: count("Components that warn"),
      end_of_life: count("Assessed by a cycle that has reached its end of life, by the support that counts"),
      retired: count("Assessed by a cycle that its maintainers retired"),
      superseded: count("Assessed by a cycle that a newer one replaced, where only the newest is supported"),
      ending_soon: count("Assessed by a cycle that ends within warn_days"),
      kev_affected: count("Versions that a known exploited vulnerability affects"),
      highest_score: countOrNull("Of the assessed components"),
      past_eol: count("Assessed by a cycle that is past its standard end"),
      approaching: count("Assessed by a cycle that ends within 90 days"),
      supported: count("Assessed by a cycle that is supported"),
      unknown: count("Assessed by a cycle without a known end"),
      kev_exposed: count("Affected, or of a product with a known exploited vulnerability whose affected versions are not recorded"),
      unique_products: count("Products that were assessed"),
    },
    {
      description:
        "The components that the policy evaluates are counted. Upstream's dates for packages that a distribution maintains are listed in `informational` and are not counted",
    },
  ),
  gate: gateSchema,
  results: Type.Array(sbomResultSchema),
  informational: Type.Array(sbomResultSchema, {
    description: "Upstream's cycles of packages that a distribution maintains: for information, never counted",
  }),
  unmatched: Type.Array(unmatchedSchema),
  unmatched_count: count(),
  support: Type.Optional(supportCountsSchema),
  purl_map_date: day(),
  docs: url(),
  keyless_access_notice: Type.Optional(text()),
});
export type SbomResponse = Wire<typeof sbomSchema>;
