/** The schema of the statement about a verdict (`--format in-toto`). docs/verdict-predicate.md describes it. */
import { Type } from "typebox";
import { CONDITION_ORDER } from "../../src/policy/conditions.ts";
import { PREDICATE_TYPE, STATEMENT_TYPE } from "../../src/report/in-toto.ts";
import { closedObject } from "../../src/text/schema.ts";
import { allowedSchema, contributionSchema } from "./report.ts";
import { count, day, dayOrNull, integer, oneOf, text, textOrNull } from "../../src/wire/schemas/types.ts";

const SEVERITIES = ["pass", "warn", "fail"] as const;
const verdict = (description: string) => oneOf([...SEVERITIES, "none"], description);

const digest = (description: string) =>
  Type.Record(Type.String(), Type.String({ pattern: "^[0-9a-f]+$" }), { minProperties: 1, description });

const changeSchema = closedObject({
  severity: oneOf(SEVERITIES),
  condition: oneOf(CONDITION_ORDER),
  product: textOrNull("Slug of the product whose release cycle decides"),
  cycle: textOrNull("Name of the release cycle"),
  end: dayOrNull("Last day of its support that counts"),
  waiver: textOrNull("Target of the waiver that expires"),
  components: count(),
});

const nextSchema = Type.Object(
  { verdict: verdict("On the day after validUntil"), exitCode: integer(), changes: Type.Array(changeSchema) },
  { additionalProperties: false, description: "The result of the same check on the day after validUntil" },
);

const predicateSchema = closedObject({
  tool: closedObject({ name: text(), version: text() }),
  asOf: day("The day (UTC) of the check"),
  verdict: verdict("none: no verdict could be given"),
  exit: closedObject({ code: integer(), name: text(), why: text() }),
  validUntil: day("The last day on which the same check has the same verdict and exit code"),
  exitCodeUntil: day("The last day on which it has the same exit code"),
  next: Type.Optional(nextSchema),
  limit: Type.Optional(
    oneOf(
      ["catalogue-age", "service", "support-levels", "no-verdict", "not-computed"],
      "Why nothing is known beyond validUntil; present without `next`",
    ),
  ),
  conditions: Type.Array(
    closedObject({ severity: oneOf(SEVERITIES), condition: oneOf(CONDITION_ORDER), components: count() }),
    { description: "What warns and fails, worst first" },
  ),
  coverage: closedObject({
    assessed: count(),
    notAssessed: count(),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
  }),
  inputs: Type.Array(
    closedObject({ name: text(), format: text(), specVersion: text(), digest: digest("Of the bytes as read") }),
    { description: "The documents that were read" },
  ),
  policy: closedObject({
    digest: digest("Of `fields` as JSON without white space"),
    fields: Type.Record(Type.String(), Type.Unknown(), { description: "The fields that can decide, sorted by name" }),
  }),
  allowed: Type.Optional(Type.Array(allowedSchema)),
  contributions: Type.Optional(Type.Array(contributionSchema)),
  catalogue: closedObject({
    date: day(),
    digest: digest("As `catalogue info` prints it"),
    purlMapDate: day(),
    kevVersion: text(),
  }),
  report: closedObject({
    mediaType: oneOf(["application/json"]),
    digest: digest("Of the JSON report without the lines of its members `settings` and `catalogue`"),
  }),
});

export const verdictSchema = closedObject({
  _type: oneOf([STATEMENT_TYPE]),
  predicateType: oneOf([PREDICATE_TYPE]),
  subject: Type.Array(
    closedObject({
      name: text("As given"),
      digest: digest("By algorithm"),
      annotations: Type.Optional(
        closedObject({ statedBy: text("Only this document states that it is about the artefact") }),
      ),
    }),
    {
      description: "The checked artefacts",
    },
  ),
  predicate: predicateSchema,
});
