/**
 * The JSON report's shape: the answer of POST /v1/sbom and what the gate adds to it. Only the generator of the published
 * schema and the tests load this file; the reporter takes its types. It only grows: a field never leaves, never changes
 * its meaning.
 */
import { Type } from "typebox";
import { MATCHES, VERSION_MATCHES } from "../../core/wire/schemas/lifecycle.ts";
import { gateSchema, REASONS, sbomResultSchema, sbomSchema, unmatchedSchema } from "../../core/wire/schemas/sbom.ts";
import { supportCountsSchema, supportProperties } from "../../core/wire/schemas/support.ts";
import { imageSchema } from "./image-schema.ts";
import {
  count,
  countOrNull,
  day,
  dayOrNull,
  flag,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  url,
  integer,
  type Wire,
} from "../../core/wire/schemas/types.ts";

export const VERDICTS = ["pass", "warn", "fail"] as const;
export const CONDITIONS = [
  "none",
  "eol",
  "approaching",
  "retired",
  "superseded",
  "score",
  "kev",
  "kev-product",
  "unknown",
  "untracked",
  "license",
  "ended-early",
  "declared-mismatch",
  "unmaintained",
  "inactive",
] as const;

const cycleSchema = Type.Object({ product: text(), cycle: text() });

const waiverSchema = Type.Object({
  target: text("A purl, a product, or product:cycle"),
  reason: text(),
  expires: day(),
  approved_by: textOrNull(),
});
export type WaiverObject = Wire<typeof waiverSchema>;

const outcomeSchema = Type.Object({
  severity: oneOf(VERDICTS),
  condition: oneOf(CONDITIONS, "The rule that decided"),
  message: text("The outcome as a sentence; its wording may change"),
  baselined: Type.Optional(flag("The finding is in the baseline: a failure that only warns")),
  track: Type.Optional(text("Support beyond the standard end that turned a failure into a warning")),
});
export type OutcomeObject = Wire<typeof outcomeSchema>;

const destinationSchema = Type.Object({
  version: text(),
  eol_date: dayOrNull("Null: no end announced"),
  days_until_eol: countOrNull(),
  lts: flag(),
  score_card_url: url(),
});
export type ReportUpgradeTargetObject = Wire<typeof destinationSchema>;

const upgradeSchema = Type.Object({
  longest: Type.Optional(destinationSchema),
  nearest: Type.Optional(destinationSchema),
  ends_soon: Type.Optional(flag("Every supported cycle ends within 6 months")),
  successor: Type.Optional(text("The replacement that the maintainers name")),
});
export type UpgradeObject = Wire<typeof upgradeSchema>;

const findingSchema = Type.Object(
  {
    bom_ref: textOrNull(),
    pointer: textOrNull(
      "RFC 6901 pointer to the component in the document; null where it is longer than 2000 characters",
    ),
    line: integer({ minimum: 1, description: "Line of the component in the document" }),
    column: integer({ minimum: 1 }),
    name: text(),
    group: Type.Optional(text()),
    version: textOrNull(),
    purl: textOrNull(),
    licenses: Type.Array(Type.String(), { description: "As written" }),
    scope: oneOfOrNull(["required", "optional", "excluded", "development"]),
    introduced_by: Type.Array(Type.String(), {
      description: "Shortest path of refs from the root, the component last; of more than 64 the first and the last 32",
    }),
    product: textOrNull(),
    cycle: textOrNull(),
    matched_by: oneOfOrNull(MATCHES, "Null for a package that is assessed only by its distribution"),
    version_matched_by: Type.Optional(oneOf(VERSION_MATCHES)),
    distro_maintained: flag("A distribution package that is not a product: product and cycle are the distribution's"),
    maintained_by: Type.Unsafe<Wire<typeof cycleSchema> | null>({
      ...cycleSchema,
      type: ["object", "null"],
      description: "The distribution's release cycle that maintains the package",
    }),
    reason: Type.Optional(
      oneOf(REASONS, "The reason why no release cycle is known, if only the document declares an end"),
    ),
    declared: Type.Optional(
      Type.Array(Type.Object({ milestone: text(), value: text(), pointer: text() }), {
        description: "Ends that the document itself states",
      }),
    ),
    outcome: outcomeSchema,
    waiver: Type.Unsafe<WaiverObject | null>({ ...waiverSchema, type: ["object", "null"] }),
    ...supportProperties,
    baseline_state: Type.Optional(oneOf(["new", "unchanged", "updated"])),
  },
  {
    description: "A component that is resolved, covered by its distribution, or has an end that the document declares",
  },
);
export type FindingObject = Wire<typeof findingSchema>;

const reportUnmatchedSchema = Type.Object({
  ...unmatchedSchema.properties,
  pointer: textOrNull(),
  outcome: Type.Optional(outcomeSchema),
  waiver: Type.Optional(waiverSchema),
});
export type ReportUnmatched = Wire<typeof reportUnmatchedSchema>;

const documentSchema = Type.Object({
  file: text(),
  format: oneOf(["CycloneDX", "SPDX", "pins", "lockfile", "image"]),
  spec_version: text(),
  digest: text("sha256: over the bytes as read"),
  serial_number: textOrNull(),
  generator: textOrNull(),
  wrappers: Type.Array(Type.String()),
  absent_elements: Type.Optional(
    Type.Array(Type.String(), {
      description: "Elements that relationships name and the document does not contain; each counts as not assessed",
    }),
  ),
});

const coverageSchema = Type.Object({
  assessed: count(),
  not_assessed: count(),
  percent: Type.Number({ minimum: 0, maximum: 100 }),
  support_level: Type.Optional(supportCountsSchema),
});

const waiversSchema = Type.Object({
  used: Type.Array(waiverSchema),
  unused: Type.Array(waiverSchema),
  expired: Type.Array(waiverSchema),
});
export type WaiversObject = Wire<typeof waiversSchema>;

/** One document's answer. */
const answer = {
  document: documentSchema,
  ...sbomSchema.properties,
  results: Type.Array(Type.Object({ ...sbomResultSchema.properties, upgrade: Type.Optional(upgradeSchema) })),
  findings: Type.Array(findingSchema),
  unmatched: Type.Array(reportUnmatchedSchema),
  out_of_scope_count: count("Components outside the policy's scope: neither assessed nor listed"),
  coverage: coverageSchema,
};

const policySchema = Type.Object({
  fail_on: Type.Array(Type.String()),
  warn_days: count(),
  strict: flag(),
  min_coverage: Type.Number(),
  allow_unjudged: flag(),
  allow_empty: flag(),
  support: oneOf(["standard", "free", "extended"]),
  contracts: Type.Array(Type.Object({ product: text(), cycle: textOrNull(), vendor: text(), until: day() })),
  scope: oneOf(["all", "runtime"]),
  distro_packages: oneOf(["distro", "upstream", "both"]),
  deny_licenses: Type.Array(Type.String()),
  max_catalogue_age: countOrNull(),
  signals: Type.Optional(
    Type.Object({ source: text(), inactive_months: count() }, { description: "Present with --signals" }),
  ),
  exit_zero: flag(),
});
export type PolicyObject = Wire<typeof policySchema>;

const settingsSchema = Type.Object(
  {
    config_file: textOrNull("Path of the configuration file, relative to the working directory"),
    as_of_origin: text("Origin of the date of the check: clock, or the flag, variable or field that sets it"),
    given: Type.Array(Type.Object({ setting: text(), origin: text() }), {
      description: "The given settings with their origin: a flag, a variable, or a field of the configuration file",
    }),
  },
  { description: "Origins of the effective settings; their values are in policy" },
);
export type SettingsObject = Wire<typeof settingsSchema>;

const failedSchema = Type.Object({
  file: text(),
  kind: text(),
  code: text(),
  message: text(),
  where: textOrNull(),
  hint: textOrNull(),
});
export type FailedObject = Wire<typeof failedSchema>;

const forecastSchema = Type.Object(
  {
    until: day("The last day of the forecast"),
    turns: Type.Array(
      Type.Object({
        day: day("The first day on which the gate fails on them, according to current data"),
        product: textOrNull(),
        cycle: textOrNull(),
        condition: oneOf(CONDITIONS),
        cause: oneOf(["end", "support", "waiver", "score"], "The reason for the failure"),
        components: Type.Array(Type.Object({ name: text(), version: textOrNull(), purl: textOrNull() })),
      }),
    ),
  },
  { description: "Upcoming failures, with --forecast" },
);
export type ForecastObject = Wire<typeof forecastSchema>;

const folderSchema = Type.Object(
  {
    folder: text("As given"),
    read: Type.Array(Type.Object({ kind: text(), files: count() }), {
      description: "Files that were read, by kind, including those without components",
    }),
    not_read: Type.Array(
      Type.Object({
        kind: text(),
        reason: oneOf(["no-lockfile", "not-supported", "too-large"]),
        count: count(),
        examples: Type.Array(text()),
      }),
      { description: "Files that contain components but were not read" },
    ),
    skipped: Type.Object({
      directories: Type.Array(Type.Object({ name: text(), count: count() })),
      git_ignored: count(),
      excluded: count(),
      links: count(),
    }),
  },
  { description: "The files of a checked folder" },
);
export type FolderObject = Wire<typeof folderSchema>;

/** The fields of every report, for one document or several. */
const frame = {
  schema_version: oneOf(["1.0"]),
  tool: Type.Object({ name: text(), version: text() }),
  as_of: day("The date of the assessment"),
  catalogue: Type.Object({
    date: day(),
    digest: text(),
    age_days: integer(),
    purl_map_date: day(),
    kev_version: text(),
    origin: text(),
  }),
  policy: policySchema,
  settings: Type.Optional(settingsSchema),
  waivers: waiversSchema,
  baseline: Type.Optional(Type.Object({ against: text(), gone: count() })),
  forecast: Type.Optional(forecastSchema),
  folders: Type.Optional(Type.Array(folderSchema)),
  images: Type.Optional(Type.Array(imageSchema)),
  exit: Type.Object({ code: integer({ minimum: 0, maximum: 255 }), name: text(), why: text() }),
};
export type FrameObject = Wire<ReturnType<typeof frameOnly>>;
const frameOnly = () => Type.Object(frame);

const single = Type.Object(
  { ...frame, ...answer },
  {
    additionalProperties: true,
    title: "One document",
    description: "The answer of POST /v1/sbom and what the gate adds",
  },
);
const several = Type.Object(
  {
    ...frame,
    components: count("Components of all documents"),
    summary: sbomSchema.properties.summary,
    gate: gateSchema,
    coverage: coverageSchema,
    documents: Type.Array(Type.Object(answer)),
    failed: Type.Array(failedSchema),
  },
  { additionalProperties: true, title: "Several documents, or documents that could not be read" },
);

export const reportSchema = Type.Union([single, several], {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "eolgate report",
});
