/** Wire shape of the answer to POST /v1/sbom: specification 4.6. */
import { Type } from "typebox";
import { MATCHES, scoreSchema, VERSION_MATCHES } from "./lifecycle.ts";
import { count, countOrNull, day, oneOf, text, textOrNull, url, whole, type Wire } from "./types.ts";

export const REASONS = [
  "purl-not-tracked",
  "purl-invalid",
  "name-not-recognised",
  "name-matching-off",
  "model-not-tracked",
  "no-version",
  "version-not-tracked",
  "newer-than-catalogue",
  "version-ambiguous",
  "version-is-range",
  "distro-unknown",
] as const;

const VERDICTS = ["pass", "warn", "fail"] as const;

/** A component of the document, beside the line it belongs to. */
export const sbomComponentSchema = Type.Object({
  bom_ref: textOrNull(),
  name: text(),
  version: textOrNull(),
  purl: textOrNull(),
  matched_by: oneOf(MATCHES),
  version_matched_by: Type.Optional(oneOf(VERSION_MATCHES)),
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
  product: Type.Optional(text("The product, when it is known but its line is not")),
  candidates: Type.Optional(Type.Array(Type.String())),
});
export type UnmatchedComponent = Wire<typeof unmatchedSchema>;

export const gateSchema = Type.Object({
  /** `none`: nothing, or too little, could be judged. It is no pass. */
  verdict: oneOf([...VERDICTS, "none"]),
  warn_days: whole({ minimum: 0 }),
  reasons: Type.Array(
    Type.Object({
      verdict: oneOf(VERDICTS),
      condition: text("eol, approaching, retired, superseded, score, kev, unknown, untracked, license, …"),
      count: count(),
    }),
  ),
});

/** `components` = `matched` + `covered` + `unmatched_count`: the root, files and data sets are nobody's line. */
export const sbomSchema = Type.Object({
  format: oneOf(["CycloneDX", "SPDX", "pins"]),
  spec_version: text(),
  components: count("Components that could have a line"),
  matched: count(),
  matched_by: Type.Object({ purl: count(), name: count(), model: count(), cpe: count() }),
  covered: count("Packages without a product of their own, judged by their distribution's line"),
  scored: count("Matched components whose score is in results"),
  not_scored_count: count(),
  limit_note: Type.Optional(text()),
  summary: Type.Object({
    past_eol: count(),
    approaching: count(),
    supported: count(),
    unknown: count(),
    kev_exposed: count(),
    unique_products: count(),
    highest_score: countOrNull(),
  }),
  gate: gateSchema,
  results: Type.Array(sbomResultSchema),
  unmatched: Type.Array(unmatchedSchema),
  unmatched_count: count(),
  purl_map_date: day(),
  docs: url(),
  keyless_access_notice: Type.Optional(text()),
});
export type SbomAnswer = Wire<typeof sbomSchema>;
