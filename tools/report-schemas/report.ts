/**
 * The schema of the JSON report: for each document the answer of POST /v1/sbom and the fields that the gate adds. The
 * generator of the published schema and the tests load this file. Fields are added, and none is removed or changes its
 * meaning.
 */
import { Type } from "typebox";
import {
  count,
  countOrNull,
  day,
  statementDay,
  dayOrNull,
  flag,
  integer,
  oneOf,
  text,
  textOrNull,
} from "../../src/wire/schemas/types.ts";
import { gateSchema, sbomResultSchema, sbomSchema, supportCountsSchema } from "../../src/wire/schemas/sbom.ts";
import { CONTRIBUTION_KINDS } from "../../src/model/contributions.ts";
import { CONDITION_ORDER } from "../../src/policy/conditions.ts";
import { VERDICTS, findingSchema, reportUnmatchedSchema, upgradeSchema, waiverSchema } from "./finding.ts";
import { kevEntrySchema } from "../../src/wire/schemas/lifecycle.ts";
import { closedObject } from "../../src/text/schema.ts";

export const imageSchema = Type.Object(
  {
    image: text("As given"),
    platform: text("os/architecture; os alone for a root file system"),
    digest: textOrNull("Of its manifest or, without one, of its configuration"),
    evidence: Type.Array(
      Type.Object({
        kind: oneOf(["sbom", "operating-system", "packages", "language-packages", "runtimes", "reference"]),
        source: text("How an SBOM is attached, a path in the image, or variables"),
        components: count(),
        signed_by: Type.Optional(
          text("Id of the key of --image-key that signed an attached SBOM; absent: its signature is not verified"),
        ),
      }),
      { description: "Where the components come from" },
    ),
    not_read: Type.Array(
      Type.Object({
        kind: oneOf(["language-packages", "foreign-attestation", "attachment", "file-system", "system-packages"]),
        detail: text(),
      }),
      { description: "Parts that were not read" },
    ),
  },
  { description: "Contents of a container image" },
);

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

const subjectSchema = Type.Object(
  {
    name: textOrNull(),
    group: textOrNull(),
    version: textOrNull(),
    supplier: textOrNull(),
    serial_number: textOrNull(),
    image_digest: textOrNull("sha256: of the image's manifest; of a checked image as read, otherwise as stated"),
  },
  { description: "The software that the document describes, as it states it" },
);

const share = { assessed: count(), not_assessed: count(), percent: Type.Number({ minimum: 0, maximum: 100 }) };
const coverageSchema = Type.Object({
  ...share,
  pins: Type.Optional(Type.Object(share, { description: "Version pins of project files; present with `packages`" })),
  packages: Type.Optional(
    Type.Object(share, { description: "All other components, where there are version pins, too" }),
  ),
  support_level: Type.Optional(supportCountsSchema),
});

const waiversSchema = Type.Object({
  used: Type.Array(waiverSchema),
  unused: Type.Array(waiverSchema),
  expired: Type.Array(waiverSchema),
});

/** The fields of one document. */
const answer = {
  document: documentSchema,
  subject: subjectSchema,
  labels: Type.Record(Type.String(), Type.String(), { description: "What --label states of the document, by name" }),
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
  superseded_after_days: count("A superseded release cycle warns from this many days after the newer release on"),
  strict: flag(),
  min_coverage: Type.Number(),
  allow_unassessed: flag(),
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

const settingsSchema = Type.Object(
  {
    config_file: textOrNull("Path of the configuration file, relative to the working directory"),
    own_catalogue: textOrNull("Path of the own catalogue, relative to the working directory"),
    as_of_origin: text("Origin of the date of the check: clock, or the flag, variable or field that sets it"),
    given: Type.Array(Type.Object({ setting: text(), origin: text() }), {
      description: "The given settings with their origin: a flag, a variable, or a field of the configuration file",
    }),
  },
  { description: "Origins of the effective settings; their values are in policy" },
);

const answerSchema = Type.Object({
  outcome: text("pass, warn, fail, waived, none (not assessed), or the exit code with its name"),
  condition: textOrNull(),
  product: textOrNull(),
  cycle: textOrNull(),
  end: textOrNull("The last day of the support that counts, or its month or year"),
});

export const contributionSchema = Type.Object(
  {
    kind: oneOf(CONTRIBUTION_KINDS),
    file: text("Relative to the working directory"),
    fields: Type.Array(Type.String(), { description: "Fields of a configuration file" }),
    applied: flag("False: --strict applied none of it that makes an answer weaker"),
    count: count("Components with a replaced answer; for exclude, files and folders that were left out"),
    replaced: Type.Array(
      Type.Object({
        subject: text("The first component, or the exit code"),
        components: count(),
        before: answerSchema,
        after: answerSchema,
      }),
      { description: "The first 20 replaced answers" },
    ),
  },
  { description: "What a file of the checked repository contributed, with the answers that it replaced" },
);

export const failedSchema = Type.Object({
  file: text(),
  kind: text(),
  code: text(),
  message: text(),
  where: textOrNull(),
  hint: textOrNull(),
});

const forecastSchema = Type.Object(
  {
    until: day("The last day of the forecast"),
    turns: Type.Array(
      Type.Object({
        day: day("The first day on which the gate fails on them, according to current data"),
        product: textOrNull(),
        cycle: textOrNull(),
        condition: oneOf(CONDITION_ORDER),
        cause: oneOf(["end", "support", "waiver", "score"], "The reason for the failure"),
        components: Type.Array(Type.Object({ name: text(), version: textOrNull(), purl: textOrNull() })),
      }),
    ),
  },
  { description: "Upcoming failures, with --forecast" },
);

const folderSchema = Type.Object(
  {
    folder: text("As given"),
    read: Type.Array(Type.Object({ kind: text(), files: count() }), {
      description: "Files that were read, by kind, including those without components",
    }),
    not_read: Type.Array(
      Type.Object({
        kind: text(),
        reason: oneOf(["no-lockfile", "not-supported", "too-large", "omitted", "mentions-images"]),
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

export const allowedSchema = Type.Object(
  {
    kind: oneOf(["exploited", "paid-support"]),
    components: count(),
    releases: Type.Array(
      Type.Object({
        subject: text("Name and version of the component"),
        components: count(),
        kev_entries: Type.Array(kevEntrySchema, { description: "The known exploited vulnerabilities that affect it" }),
        support_track: textOrNull("The support that counts; null: standard support"),
        support_end_date: dayOrNull("Of this support"),
      }),
      { description: "The first of them" },
    ),
  },
  { description: "Components that do not fail although they are known to be exploited, or depend on paid support" },
);

/** The fields of a report besides its documents. */
export const frameSchema = Type.Object({
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
    oldest_statement: Type.Optional(
      Type.Object(
        { product: text(), cycle: text(), day: statementDay(), age_days: integer() },
        { description: "The oldest statement that a pass or a warning relies on" },
      ),
    ),
  }),
  policy: policySchema,
  settings: Type.Optional(settingsSchema),
  waivers: waiversSchema,
  contributions: Type.Optional(Type.Array(contributionSchema)),
  allowed: Type.Optional(Type.Array(allowedSchema)),
  baseline: Type.Optional(Type.Object({ against: text(), gone: count() })),
  forecast: Type.Optional(forecastSchema),
  folders: Type.Optional(Type.Array(folderSchema)),
  images: Type.Optional(Type.Array(imageSchema)),
  exit: Type.Object({ code: integer({ minimum: 0, maximum: 255 }), name: text(), why: text() }),
});

export const reportSchema = Type.Object(
  {
    ...frameSchema.properties,
    components: count("Components of all documents"),
    summary: sbomSchema.properties.summary,
    gate: gateSchema,
    coverage: coverageSchema,
    documents: Type.Array(Type.Object(answer), {
      description:
        "Every document that was read, also a single one: the answer of POST /v1/sbom and what the gate adds",
    }),
    failed: Type.Array(failedSchema, { description: "Documents that could not be read" }),
  },
  {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "eolgate report",
    additionalProperties: true,
  },
);

const finding = closedObject({
  name: text("With its group"),
  version: textOrNull(),
  purl: textOrNull(),
  cycle: textOrNull("The release cycle that decided, as product:cycle"),
  eol_date: dayOrNull("The end of that release cycle"),
  verdict: oneOf(VERDICTS),
  condition: oneOf(CONDITION_ORDER, "Which rule decided"),
  excused: flag("Accepted by a waiver or a support track"),
});

export const differenceSchema = Type.Object(
  {
    schema_version: oneOf(["1.0"]),
    tool: Type.Object({ name: text(), version: text() }),
    as_of: day(),
    old: text("The document or report, as given"),
    new: text(),
    added: Type.Array(finding),
    removed: Type.Array(finding),
    changed: Type.Array(Type.Object({ before: finding, after: finding })),
    unchanged: count(),
    exit: Type.Object({ code: integer({ minimum: 0, maximum: 255 }), name: text(), why: text() }),
  },
  { $schema: "https://json-schema.org/draft/2020-12/schema", title: "eolgate difference" },
);
