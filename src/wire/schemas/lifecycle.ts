/** The schemas of a release cycle and of the error object. */
import { Type } from "typebox";
import { KEV_STATES } from "../../model/kev.ts";
import {
  count,
  countOrNull,
  day,
  dayOrNull,
  statementDay,
  statementDayOrNull,
  flag,
  flagOrNull,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  url,
  integer,
  type Wire,
} from "./types.ts";

export const STATUSES = ["active", "approaching", "eol", "unknown"] as const;
export const VERSION_MATCHES = ["release-line", "longest", "alias", "rule", "latest-build", "older", "range", "all-ended", "all-builds"] as const;
export const MATCHES = ["purl", "name", "model", "cpe"] as const;

export const precision = oneOf(
  ["month", "quarter", "about"],
  "Present only where the source does not state a day; the date is then the last day of the month or quarter. `about`: an approximate month",
);

/** Where a date comes from. The address and the day are absent if no source is known. */
const provenance = {
  eol_date_source: oneOf([
    "vendor-fetched",
    "vendor-override",
    "vendor-verified",
    "custom",
    "upstream",
    "discrepancy",
  ]),
  eol_date_source_url: Type.Optional(url("Page or API the date came from")),
  eol_date_verified_at: Type.Optional(day("Day on which the source was read; of a month or a year, its first day")),
  eol_date_verified_precision: Type.Optional(oneOf(["day", "month", "year"], "How much of that day is known")),
  eol_date_status: oneOf(["ok", "fallback", "mismatch", "human", "upstream", "custom"]),
  eol_date_agreement: integer({ minimum: 0, maximum: 3, description: "Independent sources stating the served date" }),
  eol_date_confidence: oneOf(["high", "medium", "low"]),
};

/** One source's claim on the end date; the effective one is first. */
export const statementSchema = Type.Object({
  kind: oneOf(["vendor-feed", "override", "human-check", "upstream", "custom", "declared"]),
  source: text("Id of the source"),
  eol_date: dayOrNull(),
  eol_date_precision: Type.Optional(precision),
  eol_boolean: flagOrNull("True: ended, day unknown. False: no end announced. Null with a date, or when nothing is known"),
  url: text("Where it can be read"),
  read_on: statementDay("Day of the content, or its month or year where no day is known"),
  copied: Type.Optional(flag("The record copied this date from the vendor's page")),
  complete: Type.Optional(flag("From a whole feed of the vendor that states the date itself")),
  secondary: Type.Optional(flag("Not the statement of the vendor or the maintainers themselves")),
  basis: Type.Optional(oneOf(["stated", "rule", "declared", "absence"])),
  reason: Type.Optional(text()),
  quarantined: Type.Optional(flag("Not used, because it moves the end by years")),
  via: Type.Optional(text("The copy or list through which it was read")),
});
export type ClaimObject = Wire<typeof statementSchema>;

export const trackSchema = Type.Object({
  name: text(),
  vendor: text(),
  cost: oneOf(["free", "paid"]),
  end_date: dayOrNull(),
  end_date_precision: Type.Optional(precision),
  url: Type.Optional(text()),
});
export type TrackObject = Wire<typeof trackSchema>;

export const kevEntrySchema = Type.Object({
  cve: text(),
  ransomware: flag("CISA knows of its use in ransomware campaigns"),
  affected: text("The affected versions; empty: only release cycles are recorded"),
  fixed_in: textOrNull("First version that it does not affect any more; null: not known"),
});
export type KevEntryObject = Wire<typeof kevEntrySchema>;

export const DOUBTS = ["end-may-have-come", "probably-superseded", "not-checked", "meaning-not-stated"] as const;
export const doubtSchema = Type.Object({
  kind: oneOf(DOUBTS),
  from: dayOrNull("First day on which it applies; null: every day"),
  stated_on: statementDayOrNull("Day of the statement that it is about"),
  url: textOrNull("The page to read"),
  last_release: Type.Optional(
    dayOrNull("Of end-may-have-come where no end is published: the last release; null: not known"),
  ),
  rhythm: Type.Optional(
    Type.Object(
      {
        last_release: day(),
        median_days: Type.Number({ minimum: 0, description: "Median of the newest intervals between releases" }),
        intervals: integer({ minimum: 1, description: "Number of these intervals" }),
        releases: integer({ minimum: 1, description: "Further releases that end the release cycle" }),
        expected_end: day(),
      },
      { description: "Of probably-superseded: the figures" },
    ),
  ),
});
export type DoubtObject = Wire<typeof doubtSchema>;

/** The support that counts: the latest end of standard and free support. */
const supportEnd = {
  support_end_date: dayOrNull("Last day of standard or free support, whichever is later; null: not known or not announced"),
  support_end_date_precision: Type.Optional(precision),
  support_track: textOrNull("The support track with that end; null: standard support"),
  is_supported_by_track: flag("Standard support is not the last one, and the track has not ended"),
};

/** What the gate decides, beside fields whose meaning is that of the standard end. */
export const decisionSchema = Type.Object({
  outcome: oneOf(
    ["pass", "warn", "fail", "waived"],
    "Under the default policy; of a component of a document, under the policy of the request",
  ),
  condition: text("The condition of the policy that decided; `none`: no condition applies"),
  maintained_by: textOrNull(
    "Its distribution, the support track that counts, or the product itself; null: no one, or not known",
  ),
});
export type DecisionObject = Wire<typeof decisionSchema>;

const notice = Type.Optional(text("Before the keyless cut-off: from when on a key is needed"));

export const requestedFields = {
  requested_version: Type.Optional(text("Present when the requested version was resolved to a release cycle")),
  version_matched_by: Type.Optional(oneOf(VERSION_MATCHES)),
  candidates: Type.Optional(Type.Array(Type.String(), { description: "Other cycles that the requested text can mean" })),
};

/** The score object of the HTTP API, of the JSON report and of the library. */
export const scoreSchema = Type.Object({
  product: text("Product slug"),
  product_name: text(),
  version: text("The release cycle"),
  ...requestedFields,
  codename: Type.Optional(text()),
  label: Type.Optional(text()),
  lts: flag("Has long-term support on this day"),
  lts_from: Type.Optional(day("From when on it is one, where that is stated")),
  latest_release: Type.Optional(text("Latest release of the cycle")),
  latest_release_date: Type.Optional(day()),
  release_date: Type.Optional(day()),
  release_date_precision: Type.Optional(precision),
  eol_date: dayOrNull(),
  eol_date_precision: Type.Optional(precision),
  eol_boolean: flagOrNull("Null when there is a date"),
  eol_no_later_than: Type.Optional(day("For a version older than the recorded cycles: the end of the next recorded cycle")),
  eol_no_later_than_precision: Type.Optional(precision),
  older_than: Type.Optional(
    text(
      "For a version older than the recorded cycles: the next recorded cycle. For one that can mean several ended cycles: the one that ended last",
    ),
  ),
  eol_not_before: Type.Optional(day("The vendor states an end not before this day")),
  eol_not_before_precision: Type.Optional(precision),
  status: oneOf(STATUSES),
  days_until_eol: countOrNull(),
  days_past_eol: countOrNull(),
  ...supportEnd,
  gate: decisionSchema,
  score: integer({ minimum: 0, maximum: 100, description: "EOL Risk Score, higher is riskier" }),
  grade: oneOf(["A", "B", "C", "D", "F"]),
  grade_label: text(),
  band: oneOf(["Low", "Medium", "High", "Critical"]),
  score_version: text("Names the scoring method"),
  factors: Type.Object({
    eol_recency: integer({ minimum: 0, maximum: 40 }),
    attack_surface: integer({ minimum: 0, maximum: 30 }),
    cisa_kev_exposure: integer({ minimum: 0, maximum: 20 }),
    extended_support: integer({ minimum: 0, maximum: 10 }),
  }),
  kev_exposed: flag("cisa_kev_exposure is above 0"),
  kev_basis: oneOfOrNull(
    KEV_STATES,
    "affected: a known exploited vulnerability affects the version, or the newest release of the cycle. depends-on-patch: it affects earlier releases of the cycle only. product: entries of CISA's catalogue name the product and no range is known. not-analysed: it is below the affected ranges, and its cycle had ended before the vulnerability was published. not-affected: the ranges are known and it is outside. Null: no entry names the product",
  ),
  kev_fixed_in: textOrNull("First version of the cycle from which no entry affects it; null when none is on record"),
  kev_entries: Type.Array(kevEntrySchema, { description: "The entries of CISA's catalogue that affect it, or earlier releases of the cycle (depends-on-patch)" }),
  extended_support_available: flag(),
  extended_support_vendor: textOrNull(),
  extended_support_date: dayOrNull(),
  extended_support_date_precision: Type.Optional(precision),
  support_tracks: Type.Array(trackSchema),
  rolling: flag("Only the newest cycle is supported, so this one ends when the next one is released"),
  retired: flag("Declared deprecated, archived or superseded by its maintainers"),
  maintenance_only: Type.Optional(flag("No end is announced, and active support has ended. Absent: false")),
  deprecated_date: Type.Optional(day("AI models: the day from which the vendor calls the model deprecated")),
  deprecated_date_precision: Type.Optional(precision),
  declared_by: Type.Optional(text()),
  successor: Type.Optional(text("What the maintainers name as the replacement")),
  ...provenance,
  doubts: Type.Optional(Type.Array(doubtSchema, { description: "What makes its support doubtful, also on later days" })),
  eol_date_statements: Type.Array(statementSchema),
  active_support_statements: Type.Optional(
    Type.Array(statementSchema, { description: "Every claim on the end of active support, where vendors state it" }),
  ),
  extended_support_statements: Type.Optional(
    Type.Array(statementSchema, { description: "The same for the end of extended support" }),
  ),
  cpe: Type.Array(Type.String()),
  purl: Type.Array(Type.String(), { description: "Package URLs without version" }),
  data_source: url("Where the effective date can be read; the methodology page when no source has an address"),
  score_card_url: url("Score page for people"),
  product_url: url(),
  methodology_url: url(),
  as_of: day("The date of the assessment"),
  generated_at: Type.String({ format: "date-time" }),
  keyless_access_notice: notice,
});
/** The answer to a question about one release cycle; docs/api.md describes its fields. */
export type ScoreObject = Wire<typeof scoreSchema>;

export const statusSchema = Type.Object({
  product: text(),
  version: text(),
  ...requestedFields,
  status: oneOf(STATUSES),
  is_eol: flag(),
  is_supported: flag("By the support that counts, as `support_end_date` and `support_track` state it"),
  eol_approaching: flag(),
  eol_date: dayOrNull(),
  days_until_eol: countOrNull(),
  days_past_eol: countOrNull(),
  ...supportEnd,
  gate: decisionSchema,
  latest_release: Type.Optional(text()),
  ...provenance,
  doubts: Type.Optional(Type.Array(doubtSchema, { description: "What makes its support doubtful, also on later days" })),
  as_of: day(),
  keyless_access_notice: notice,
});
export type StatusObject = Wire<typeof statusSchema>;

/** An error: a sentence, a stable code, and what helps to correct the request. */
export const errorSchema = Type.Object(
  {
    error: text("What is wrong, in a sentence"),
    docs: url(),
    code: text("Stable and machine-readable"),
    where: Type.Optional(text("Where in the request")),
    hint: Type.Optional(text("What to do about it")),
    candidates: Type.Optional(Type.Array(Type.String(), { description: "Release cycles that a version is split into" })),
    suggestions: Type.Optional(Type.Array(Type.String())),
    requested_version: Type.Optional(text()),
    not_tracked: Type.Optional(flag()),
    tracked_products: Type.Optional(url()),
    limit: Type.Optional(count()),
    reset_at: Type.Optional(Type.String({ format: "date-time" })),
    keyless_access_notice: notice,
  },
  { additionalProperties: true },
);
export type ErrorObject = Wire<typeof errorSchema>;
