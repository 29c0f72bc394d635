/**
 * The published schemas of interfaces that the service imitates, in our own words: endoflife.date (versions 0 and 1), the
 * Transparency Exchange API 0.4.0, ECMA-428 (CLE) 1.0.0 and the endpoint badge of shields.io. Members that the schema
 * allows to be absent are absent where nothing is known, and never null unless the schema allows it.
 */
import { Type, type TProperties, type TSchema } from "typebox";

const text = Type.String({ minLength: 1 });
const day = Type.String({ format: "date" });
const uri = Type.String({ format: "uri" });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const dayOrFlag = Type.Union([day, Type.Boolean()]);
const optional =
  (...names: readonly string[]) =>
  (schema: TSchema): TProperties =>
    Object.fromEntries(names.map((name) => [name, Type.Optional(schema)]));

// endoflife.date, version 0: `cycle` of `assets/openapi.yml`.
export const oldCycle = Type.Object({
  eol: dayOrFlag,
  lts: dayOrFlag,
  ...optional("latest", "codename")(text),
  ...optional("releaseDate", "latestReleaseDate")(day),
  ...optional("support", "extendedSupport")(dayOrFlag),
  link: Type.Optional(uri),
});
export const oldCycles = Type.Array(Type.Intersect([oldCycle, Type.Object({ cycle: text })]));

// endoflife.date, version 1: `api_v1/openapi.yml`. Its `releaseDate` is required and has no form for an unknown date: it
// is absent then, because a release cycle that is not listed would look like one that does not exist.
export const link = Type.Object({ name: text, uri });
const summaryFields = {
  name: text,
  aliases: Type.Array(text),
  label: text,
  category: text,
  tags: Type.Array(text, { minItems: 1 }),
};
export const productSummary = Type.Object({ ...summaryFields, uri });
export const productRelease = Type.Object({
  name: text,
  codename: orNull(text),
  label: text,
  isLts: Type.Boolean(),
  ...optional("isEoas", "isDiscontinued")(Type.Boolean()),
  isEol: Type.Boolean(),
  isEoes: Type.Optional(orNull(Type.Boolean())),
  isMaintained: Type.Boolean(),
  releaseDate: Type.Optional(day),
  ltsFrom: orNull(day),
  eolFrom: orNull(day),
  ...optional("eoasFrom", "eoesFrom", "discontinuedFrom")(orNull(day)),
  latest: orNull(Type.Object({ name: text, date: orNull(day), link: orNull(uri) })),
  custom: orNull(Type.Record(Type.String(), orNull(Type.String()))),
});
export const productDetails = Type.Object({
  ...summaryFields,
  versionCommand: orNull(text),
  identifiers: Type.Array(Type.Object({ type: text, id: text })),
  labels: Type.Object({ eol: text, eoas: orNull(text), eoes: orNull(text), discontinued: orNull(text) }),
  links: Type.Object({ html: uri, icon: orNull(uri), releasePolicy: orNull(uri) }),
  releases: Type.Array(productRelease),
});
const head = { schema_version: text, generated_at: Type.String({ format: "date-time" }) };
export const answerOf = (result: TSchema) =>
  Type.Object({ ...head, last_modified: Type.String({ format: "date-time" }), result });
export const listOf = (result: TSchema) => Type.Object({ ...head, total: Type.Integer(), result: Type.Array(result) });

// The schemas of the same names in TEA's OpenAPI description.
const uuid = Type.String({ pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" });
const dateTime = Type.String({ format: "date-time", pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$` });
const identifiers = Type.Array(
  Type.Object({ idType: Type.Enum(["CPE", "TEI", "PURL", "COMPLIANCE_DOCUMENT"]), idValue: text }),
);
export const teaProduct = Type.Object({ uuid, name: text, identifiers });
export const teaRelease = Type.Object({
  uuid,
  product: uuid,
  productName: text,
  version: text,
  createdDate: dateTime,
  releaseDate: Type.Optional(dateTime),
  identifiers,
  components: Type.Array(Type.Object({ uuid })),
});
export const teaPage = (results: TSchema) =>
  Type.Object({
    timestamp: dateTime,
    pageStartIndex: Type.Integer(),
    pageSize: Type.Integer(),
    totalResults: Type.Integer(),
    results: Type.Array(results),
  });

// ECMA-428. Each type of event has members of its own.
const common = { id: Type.Integer({ minimum: 1 }), effective: dateTime, published: dateTime };
const versions = Type.Array(Type.Object({ range: Type.String({ pattern: "^vers:[a-z0-9.+-]+/.+$" }) }), {
  minItems: 1,
});
const event = Type.Union([
  Type.Object({ ...common, type: Type.Literal("released"), version: text }),
  Type.Object({ ...common, type: Type.Enum(["endOfDevelopment", "endOfSupport"]), versions, supportId: text }),
  Type.Object({ ...common, type: Type.Literal("endOfLife"), versions }),
]);
const definitions = Type.Object({
  support: Type.Array(Type.Object({ id: text, description: text, url: Type.Optional(uri) })),
});
export const teaCle = Type.Object({ events: Type.Array(event), definitions });
export const cleDocument = Type.Object({
  $schema: uri,
  identifier: Type.Union([text, Type.Array(text, { minItems: 2 })]),
  updatedAt: dateTime,
  events: Type.Array(event),
  definitions: Type.Optional(definitions),
});

// The schema of shields.io for endpoint badges, with its bounds.
export const endpointBadge = Type.Object(
  {
    schemaVersion: Type.Literal(1),
    label: Type.String(),
    message: text,
    color: Type.Enum(["brightgreen", "green", "yellow", "orange", "red", "lightgrey"]),
    cacheSeconds: Type.Integer({ minimum: 300 }),
  },
  { additionalProperties: false },
);
