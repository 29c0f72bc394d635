/**
 * The schema of `eolgate diff --format json`. Only the generator of the published schema and the tests load it. Fields
 * are only added.
 */
import { Type } from "typebox";
import { count, day, dayOrNull, flag, oneOf, text, textOrNull, integer } from "../../wire/schemas/types.ts";
import { CONDITION_ORDER } from "../../policy/conditions.ts";
import { VERDICTS } from "../json/finding-schema.ts";

const finding = Type.Object(
  {
    name: text("With its group"),
    version: textOrNull(),
    purl: textOrNull(),
    cycle: textOrNull("The release cycle that decided, as product:cycle"),
    eol_date: dayOrNull("The end of that release cycle"),
    verdict: oneOf(VERDICTS),
    condition: oneOf(CONDITION_ORDER, "Which rule decided"),
    excused: flag("Accepted by a waiver or a support track"),
  },
  { additionalProperties: false },
);

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
