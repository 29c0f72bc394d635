/** The schemas of one component in the JSON report: its finding, or the reason why it is not tracked. */
import { Type } from "typebox";
import { CONDITION_ORDER } from "../../src/policy/conditions.ts";
import { upgradeTargetSchema } from "../../src/wire/schemas/products.ts";
import { MATCHES, VERSION_MATCHES } from "../../src/wire/schemas/lifecycle.ts";
import { REASONS, supportProperties, unmatchedSchema } from "../../src/wire/schemas/sbom.ts";
import {
  day,
  dayOrNull,
  flag,
  objectOrNull,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  integer,
} from "../../src/wire/schemas/types.ts";

export const VERDICTS = ["pass", "warn", "fail"] as const;
const cycleSchema = Type.Object({ product: text(), cycle: text() });

export const waiverSchema = Type.Object({
  target: text("A purl, a product, or product:cycle"),
  reason: text(),
  expires: day(),
  approved_by: textOrNull(),
});

const outcomeSchema = Type.Object({
  severity: oneOf(VERDICTS),
  condition: oneOf(CONDITION_ORDER, "The rule that decided"),
  message: text("The outcome as a sentence; its wording may change"),
  baselined: Type.Optional(flag("The finding is in the baseline: a failure that only warns")),
  track: Type.Optional(text("The support track that decided, because it lasts longer than standard support")),
  support_end_date: Type.Optional(dayOrNull("The last day of that track; null: no end announced")),
});

export const upgradeSchema = Type.Object({
  longest: Type.Optional(upgradeTargetSchema),
  nearest: Type.Optional(upgradeTargetSchema),
  ends_soon: Type.Optional(flag("Every supported cycle ends within 6 months")),
  or_newer: Type.Optional(
    text("The newest recorded cycle, of which a later release was due: move to it or a newer one"),
  ),
  successor: Type.Optional(text("The replacement that the maintainers name")),
});

const requirerSchema = Type.Object({
  name: text(),
  version: textOrNull(),
  range: textOrNull("As written; null where the document states none"),
  admits_supported: Type.Union([Type.Boolean(), Type.Null()], {
    description: "Whether the range admits a supported release; null without a range",
  }),
});

export const findingSchema = Type.Object(
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
    direct: Type.Optional(
      flag("Whether the project itself requires it; of an ended release cycle, where it is stated"),
    ),
    required_by: Type.Optional(
      Type.Array(requirerSchema, {
        description:
          "The components of other release cycles that require it; of an ended release cycle, where it is stated",
      }),
    ),
    product: textOrNull(),
    cycle: textOrNull(),
    matched_by: oneOfOrNull(MATCHES, "Null for a package that is assessed only by its distribution"),
    version_matched_by: Type.Optional(oneOf(VERSION_MATCHES)),
    distro_maintained: flag("A distribution package that is not a product: product and cycle are the distribution's"),
    maintained_by: objectOrNull(cycleSchema, "The distribution's release cycle that maintains the package"),
    reason: Type.Optional(
      oneOf(REASONS, "The reason why no release cycle is known, if only the document declares an end"),
    ),
    declared: Type.Optional(
      Type.Array(Type.Object({ milestone: text(), value: text(), pointer: text() }), {
        description: "Ends that the document itself states",
      }),
    ),
    outcome: outcomeSchema,
    waiver: objectOrNull(waiverSchema),
    ...supportProperties,
    baseline_state: Type.Optional(oneOf(["new", "unchanged", "updated"])),
  },
  {
    description: "A component that is resolved, distro-maintained, or has an end that the document declares",
  },
);

export const reportUnmatchedSchema = Type.Object({
  ...unmatchedSchema.properties,
  pointer: textOrNull(),
  outcome: Type.Optional(outcomeSchema),
  waiver: Type.Optional(waiverSchema),
});
