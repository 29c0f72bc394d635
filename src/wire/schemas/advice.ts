/** The schemas of known exploitation, upcoming ends and upgrade targets. */
import { Type } from "typebox";
import { KEV_STATES, STATUSES, VERSION_MATCHES } from "./lifecycle.ts";
import { count, countOrNull, day, dayOrNull, flag, oneOf, oneOfOrNull, text, url, integer, type Wire } from "./types.ts";

const notice = Type.Optional(text());
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

const endingCycle = Type.Object({
  product: text(),
  product_name: text(),
  version: text(),
  eol_date: day(),
  days_until_eol: count(),
  status: oneOf(STATUSES),
  score: integer({ minimum: 0, maximum: 100 }),
  score_card_url: url(),
});

export const upcomingSchema = Type.Object({
  days: count(),
  total: count("Release cycles that end in this period"),
  count: count("Release cycles listed"),
  lines: Type.Array(endingCycle, { description: "The nearest end first" }),
  as_of: day(),
  docs: url(),
  keyless_access_notice: notice,
});
export type UpcomingObject = Wire<typeof upcomingSchema>;

const upgradeTarget = {
  type: ["object", "null"],
  required: ["version", "eol_date", "days_until_eol", "lts", "score_card_url"],
  properties: {
    version: text(),
    eol_date: dayOrNull("Null: no end announced"),
    days_until_eol: countOrNull(),
    lts: flag(),
    score_card_url: url(),
  },
};
export interface UpgradeTargetObject {
  readonly version: string;
  readonly eol_date: string | null;
  readonly days_until_eol: number | null;
  readonly lts: boolean;
  readonly score_card_url: string;
}

export const upgradeSchema = Type.Object({
  product: text(),
  version: text(),
  requested_version: Type.Optional(text()),
  version_matched_by: Type.Optional(oneOf(VERSION_MATCHES)),
  status: oneOf(STATUSES),
  eol_date: dayOrNull(),
  longest: Type.Unsafe<UpgradeTargetObject | null>({
    ...upgradeTarget,
    description: "The cycle of the same family that is supported the longest",
  }),
  nearest: Type.Unsafe<UpgradeTargetObject | null>({
    ...upgradeTarget,
    description: "The nearest cycle above that is supported for 12 more months, when it is another one",
  }),
  ends_soon: flag("Every supported cycle ends within 6 months"),
  successor: Type.Optional(text("What the maintainers name as the replacement")),
  as_of: day(),
  docs: url(),
  keyless_access_notice: notice,
});
export type UpgradeObject = Wire<typeof upgradeSchema>;
