/**
 * The schema of an organisation's own catalogue, `eolgate.catalogue.yaml`: its products, cycles, purls, dates and contracts.
 * The published JSON Schema is generated from it.
 */
import { type Static, Type } from "typebox";
import { STORED_DATE } from "../stored-values.ts";
import { closedObject } from "../../text/schema.ts";

const text = Type.String({ minLength: 1, maxLength: 500 });
const slug = Type.String({ pattern: "^[a-z0-9](?:[a-z0-9._+-]*[a-z0-9+])?$", maxLength: 100 });
const day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "a day, YYYY-MM-DD" });
const date = Type.String({
  pattern: STORED_DATE,
  description: "a day, a month (2026-10), about a month (~2026-10) or a quarter (2026-Q4)",
});
const end = Type.Union([date, Type.Boolean()], {
  description: "a date, true (ended, date not published) or false (no end announced)",
});
const optional = Type.Optional;

const OwnCycleSchema = closedObject({
  cycle: Type.Union([text, Type.Integer()], {
    description:
      "name of the release cycle, quoted when it has a dot (3.10 is a number in YAML); `all` contains every version",
  }),
  released: optional(date),
  eoas: optional(end),
  eol: optional(end),
  eoes: optional(end),
  latest: optional(text),
  lts: optional(Type.Boolean()),
  source: optional(Type.String({ pattern: "^https?://", description: "page that states the dates" })),
  read_on: optional(Type.Union([day], { description: "the day that page was read" })),
  reason: optional(Type.String({ minLength: 1, description: "why this date replaces the one of the catalogue" })),
  successor: optional(text),
});
const OwnProduct = closedObject({
  slug,
  name: optional(text),
  category: optional(text),
  aliases: optional(Type.Array(text)),
  attack_surface: optional(Type.Union([Type.Literal("high"), Type.Literal("elevated"), Type.Literal("standard")])),
  policy: optional(Type.String({ pattern: "^https?://" })),
  purls: optional(Type.Array(Type.String({ pattern: "^pkg:" }))),
  cpes: optional(Type.Array(Type.String({ pattern: "^cpe:" }))),
  source: optional(Type.String({ pattern: "^https?://", description: "for cycles that name none" })),
  read_on: optional(day),
  cycles: optional(Type.Array(OwnCycleSchema)),
});
const Contract = closedObject({
  product: slug,
  cycle: optional(Type.Union([text, Type.Integer()])),
  vendor: text,
  until: day,
  source: optional(Type.String({ pattern: "^https?://" })),
});
const PurlTarget = Type.Union([slug, closedObject({ product: slug, min: optional(text), max: optional(text) })]);

export const OwnCatalogueSchema = Type.Object(
  {
    $schema: optional(Type.String()),
    products: optional(Type.Array(OwnProduct)),
    purls: optional(Type.Record(Type.String({ pattern: "^pkg:" }), PurlTarget)),
    contracts: optional(Type.Array(Contract, { description: "extended support that the organisation has bought" })),
    include: optional(Type.Array(text, { description: "CLE (ECMA-428) and OpenEoX documents, beside this file" })),
  },
  {
    additionalProperties: false,
    title: "eolgate own catalogue",
    description:
      "Products, release cycles, purls, dates and contracts of an organisation, merged over eolgate's catalogue.",
  },
);

export type OwnProduct = Static<typeof OwnProduct>;
export type OwnCatalogue = Static<typeof OwnCatalogueSchema>;
export type OwnCycle = Static<typeof OwnCycleSchema>;
export type OwnContract = Static<typeof Contract>;
