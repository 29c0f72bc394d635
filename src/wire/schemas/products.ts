/** The schemas of products, batches and badges on the wire. */
import { Type } from "typebox";
import { precision, requestedFields, scoreSchema, STATUSES } from "./lifecycle.ts";
import { MILESTONE_KINDS } from "../../model/dates.ts";
import { KEV_STATES } from "../../model/kev.ts";
import { type Wire, count, countOrNull, day, dayOrNull, flag, integer, integerOrNull, objectOrNull, oneOf, oneOfOrNull, text, textOrNull, url } from "./types.ts";

const notice = Type.Optional(text());

/** `products` holds plain strings, because published clients expect strings; `items` has more fields. */
export const productListSchema = Type.Object({
  count: count(),
  products: Type.Array(Type.String()),
  items: Type.Array(
    Type.Object({ slug: text(), name: text(), category: text(), product_url: url() }),
  ),
  docs: url(),
  keyless_access_notice: notice,
});
export type ProductList = Wire<typeof productListSchema>;

const versionSchema = Type.Object({
  ...scoreSchema.properties,
  milestones: Type.Array(
    Type.Object({
      kind: oneOf(MILESTONE_KINDS),
      date: day(),
      date_precision: Type.Optional(precision),
      counts: flag("Whether support that counts lasts until this day"),
    }),
    { description: "Every stated day in the life of the cycle, earliest first" },
  ),
});
const gateEndSchema = Type.Object({
  field: oneOf(["eol", "eoas", "eoes", "none"], "The field of the record that is the end of security fixes"),
  basis: oneOf(
    ["label", "record", "vendor", "not-stated"],
    "What says so: the record's label or text, or the vendor's page. not-stated: nothing does, and the field is the careful choice",
  ),
  why: Type.Optional(text()),
});

export const productSchema = Type.Object({
  product: text("Product slug"),
  name: text(),
  aliases: Type.Array(Type.String()),
  category: text(),
  version_count: count(),
  versions: Type.Array(versionSchema, { description: "Every tracked cycle, newest first" }),
  gate_end: Type.Optional(gateEndSchema),
  cpe: Type.Array(Type.String()),
  purl: Type.Array(Type.String()),
  product_url: url(),
  docs: url(),
  keyless_access_notice: notice,
});
export type ProductObject = Wire<typeof productSchema>;

export const batchRequestSchema = Type.Object({
  products: Type.Array(
    Type.Object({
      slug: Type.Optional(text("Product slug; required unless purl is given")),
      version: Type.Optional(text("Without it: the release cycle with the highest risk")),
      purl: Type.Optional(text("Package URL; its own version serves when version is absent")),
    }),
  ),
});
export type BatchRequest = Wire<typeof batchRequestSchema>;

/** The error for an item of a batch, at the position of the item. */
export const batchErrorSchema = Type.Object({
  slug: Type.Optional(text()),
  purl: Type.Optional(text()),
  version: Type.Optional(text()),
  error: text(),
  code: text(),
  candidates: Type.Optional(Type.Array(Type.String())),
  suggestions: Type.Optional(Type.Array(Type.String())),
});

export const batchSchema = Type.Array(Type.Union([scoreSchema, batchErrorSchema]));
export type BatchResponse = Wire<typeof batchSchema>;

export const batchEnvelopeSchema = Type.Object({
  count: count(),
  results: batchSchema,
  tier: text(),
  kev_catalog: text("Version of CISA's catalogue that the answers use"),
  docs: url(),
  keyless_access_notice: notice,
});

/** What shields.io reads from an endpoint. */
export const badgeSchema = Type.Object({
  schemaVersion: integer({ minimum: 1, maximum: 1 }),
  label: text(),
  message: text(),
  color: oneOf(["brightgreen", "yellow", "red", "lightgrey"]),
  cacheSeconds: count(),
});
export type Badge = Wire<typeof badgeSchema>;

/** The published purl map: an exact package URL without version, and the product it names. */
export const purlMapSchema = Type.Object({
  date: day(),
  products: count("Products that the map names"),
  lookup: Type.Record(Type.String(), Type.String()),
});
export type PurlMap = Wire<typeof purlMapSchema>;

/**
 * A score object without the fields that many entries share (the product's identifiers, links, the day) and without the
 * claims of single sources.
 */
export const scoreEntrySchema = Type.Omit(scoreSchema, [
  "product_name",
  "requested_version",
  "version_matched_by",
  "candidates",
  "kev_entries",
  "eol_date_statements",
  "active_support_statements",
  "extended_support_statements",
  "cpe",
  "purl",
  "data_source",
  "product_url",
  "methodology_url",
  "as_of",
  "generated_at",
  "keyless_access_notice",
]);
export type ScoreEntry = Wire<typeof scoreEntrySchema>;

/** In addition to its own fields it has one entry per slug: `{score, grade, label, factors, eolDate, name}`. */
export const scoresSchema = Type.Object(
  {
    date: day(),
    as_of: day("The date of all assessments"),
    methodology_url: url(),
    count: count(),
    scores: Type.Array(scoreEntrySchema, { description: "Every release cycle, by product, newest first" }),
  },
  { additionalProperties: true },
);
export type Scores = Wire<typeof scoresSchema>;

const BASES = ["exact", "evidence", "component", "bundle"] as const;

export const kevSchema = Type.Object({
  product: text(),
  name: text(),
  kev_exposed: flag(),
  kev_basis: oneOfOrNull(KEV_STATES, "affected when any cycle is"),
  count: count(),
  entries: Type.Array(
    Type.Object({
      cve: text(),
      added: day(),
      ransomware: flag(),
      basis: oneOf(BASES),
      cycles: Type.Optional(Type.Array(Type.String(), { description: "Cycles with an affected version" })),
      fixed_in: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: "First version of a cycle that it does not affect" }),
      ),
    }),
    { description: "Newest first" },
  ),
  kev_catalog: text("Version of CISA's catalogue"),
  product_url: url(),
  docs: url(),
  keyless_access_notice: notice,
});
export type KevObject = Wire<typeof kevSchema>;

export const EDGE_STATUSES = ["eos", "within-12-months", "scheduled", "no-date-announced"] as const;

export const edgeDevicesSchema = Type.Object({
  generated: text("Date and time (RFC 3339)"),
  schema_version: text(),
  bod_26_02: Type.Object({ title: text(), issued: day(), url: url() }),
  platforms: Type.Array(
    Type.Object({
      slug: text(),
      name: text(),
      category: text(),
      product_url: url(),
      kev: flag("CISA's catalogue of known exploited vulnerabilities names it"),
      kev_summary: objectOrNull(
        Type.Object({ cve_count: count(), latest_added: day(), known_ransomware_use: flag() }),
      ),
      successor: textOrNull("What the vendor names as the replacement"),
      verification: Type.Object({
        verified_at: dayOrNull("The earliest check of a date"),
        confidence: oneOf(["high", "medium", "low"], "The lowest of a date"),
      }),
      sources: Type.Array(Type.String()),
      lines: Type.Array(
        Type.Object({
          cycle: text(),
          label: text(),
          latest: textOrNull("Latest release"),
          status: oneOf(EDGE_STATUSES, "eos: no security fixes any more"),
          eos: dayOrNull("Last day of security fixes"),
          days_to_eos: integerOrNull("Negative after the end"),
          support_end: dayOrNull("End of active support"),
          eol_final: dayOrNull("End of extended support"),
          release_date: dayOrNull(),
          link: textOrNull("The page that states the end"),
        }),
      ),
    }),
  ),
});
export type EdgeDevices = Wire<typeof edgeDevicesSchema>;

const endingCycle = Type.Object({
  product: text(),
  product_name: text(),
  version: text(),
  eol_date: day(),
  days_until_eol: countOrNull("Null: it has ended"),
  days_past_eol: countOrNull("Null: it has not ended"),
  status: oneOf(STATUSES),
  score: integer({ minimum: 0, maximum: 100 }),
  score_card_url: url(),
});

export const upcomingSchema = Type.Object({
  days: count(),
  total: count("Release cycles that end in this period"),
  count: count("Release cycles listed"),
  lines: Type.Array(endingCycle, { description: "The earliest end first" }),
  as_of: day(),
  docs: url(),
  keyless_access_notice: notice,
});
export type UpcomingObject = Wire<typeof upcomingSchema>;

/** A release cycle to move to. */
export const upgradeTargetSchema = Type.Object({
  version: text(),
  eol_date: dayOrNull("Null: no end announced"),
  days_until_eol: countOrNull(),
  lts: flag(),
  score_card_url: url(),
});
export type UpgradeTargetObject = Wire<typeof upgradeTargetSchema>;

export const upgradeSchema = Type.Object({
  product: text(),
  version: text(),
  ...requestedFields,
  status: oneOf(STATUSES),
  eol_date: dayOrNull(),
  longest: objectOrNull(upgradeTargetSchema, "The cycle of the same family that is supported the longest"),
  nearest: objectOrNull(
    upgradeTargetSchema,
    "The nearest cycle above that is supported for 12 more months, when it is another one",
  ),
  ends_soon: flag("Every supported cycle ends within 6 months"),
  or_newer: Type.Optional(text("The newest recorded cycle, of which a later release was due: move to it or a newer one")),
  successor: Type.Optional(text("What the maintainers name as the replacement")),
  as_of: day(),
  docs: url(),
  keyless_access_notice: notice,
});
export type UpgradeObject = Wire<typeof upgradeSchema>;
