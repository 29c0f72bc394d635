/** The schema of a component's support level and its evidence. */
import type { StatementCode, UnknownReason } from "../../model/index.ts";
import { Type } from "typebox";
import { SIGNAL_SOURCES, STATEMENTS } from "../../support/evidence.ts";
import { SUPPORT_LEVELS, UNKNOWN_REASONS } from "../../support/levels.ts";
import { count, day, flag, oneOf, text, url, type Wire } from "./types.ts";

const codes = <Code extends string>(table: Readonly<Record<Code, unknown>>): readonly Code[] =>
  Object.keys(table).filter((code): code is Code => Object.hasOwn(table, code));

const evidenceSchema = Type.Object({
  source: oneOf(["catalogue", ...SIGNAL_SOURCES]),
  statement: oneOf<readonly StatementCode[]>(codes(STATEMENTS), "What the source states; see docs/signals.md"),
  url: url("Where the statement can be read"),
  retrieved_at: day("The day on which the source was asked"),
  date: Type.Optional(day("The day that the statement is about: a release, a commit, an end")),
  replacement: Type.Optional(text("What the maintainers name as the replacement")),
  message: Type.Optional(text("The maintainers' own text: untrusted")),
  aged: Type.Optional(flag("Older than the policy allows; the source could not be asked again")),
});
export type SupportEvidence = Wire<typeof evidenceSchema>;

/** Next to `bom_ref` of every component, when signals were requested. */
export const supportProperties = {
  support_level: Type.Optional(oneOf(SUPPORT_LEVELS, "Present when --signals asks for support levels")),
  support_reason: Type.Optional(
    oneOf<readonly UnknownReason[]>(codes(UNKNOWN_REASONS), "Why the support level is unknown"),
  ),
  end_of_support: Type.Optional(day("End of support of the release cycle")),
  last_release: Type.Optional(day("Last release that a source knows of")),
  replacement: Type.Optional(text("What the maintainers name as the replacement")),
  support_evidence: Type.Optional(
    Type.Array(evidenceSchema, { description: "The statement that decided comes first" }),
  ),
};
const fieldsSchema = Type.Object(supportProperties);
export type SupportFields = Wire<typeof fieldsSchema>;

export const supportCountsSchema = Type.Object(
  {
    determined: count("Components with a support level other than unknown"),
    unknown: count(),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    levels: Type.Object(Object.fromEntries(SUPPORT_LEVELS.map((level) => [level, count()]))),
  },
  { description: "Components by support level; present when signals were asked for" },
);
