/**
 * Generates the OpenAPI 3.0.3 description from the operations table and the schemas that validate requests.
 * OpenAPI 3.0 has neither `type: null` nor `const`; `nullable` replaces the first.
 */
import type { TSchema } from "typebox";
import { asList, asRecord, getOwn } from "../../text/values.ts";
import * as wire from "../../wire/schemas.ts";
import { METRICS_TYPES } from "../../wire/metrics.ts";
import { OPERATIONS, type Operation } from "../../api/operations/operations.ts";
import { SERVICE_OPERATIONS, BATCH_ENVELOPE_TYPE, queryOf } from "./service-operations.ts";
import { ENDOFLIFE_OPERATIONS } from "./endoflife.ts";
import { TEA_OPERATIONS, uuidOf } from "./tea.ts";
import type { ServerSettings } from "./app-context.ts";

type Json = Readonly<Record<string, unknown>>;

/** Schemas that are named components of the description. */
const NAMED: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [wire.scoreSchema, "Score"],
  [wire.scoreEntrySchema, "ScoreEntry"],
  [wire.statusSchema, "Status"],
  [wire.errorSchema, "Error"],
  [wire.productListSchema, "ProductList"],
  [wire.productSchema, "Product"],
  [wire.batchErrorSchema, "BatchError"],
  [wire.batchEnvelopeSchema, "BatchEnvelope"],
  [wire.sbomSchema, "SbomAnswer"],
  [wire.indexSchema, "Index"],
]);

export type RouteRow = Operation & { readonly status?: number; readonly described?: Operation["body"] };

/** All routes by the part of the interface to which they belong. */
export const ROUTE_GROUPS: Readonly<Record<string, Readonly<Record<string, RouteRow>>>> = {
  "Lifecycle data": OPERATIONS,
  "Keys, watch lists, files": SERVICE_OPERATIONS,
  "endoflife.date": ENDOFLIFE_OPERATIONS,
  "Transparency Exchange API": TEA_OPERATIONS,
};

export interface ExampleCycle {
  readonly slug: string;
  readonly version: string;
}

const NODE: ExampleCycle = { slug: "nodejs", version: "24" };
export const EXAMPLE_EMAIL = "you@example.org";

/** JSON bodies by the name of their row. */
export function exampleBody(name: string, { slug, version }: ExampleCycle): object | undefined {
  if (name === "batch") return { products: [{ slug, version }, { purl: "pkg:npm/express@4.17.1" }] };
  if (name === "checkout") return { tier: "starter" };
  return name === "freeKey" || name === "recoverKeys" ? { email: EXAMPLE_EMAIL } : undefined;
}

/** A value of each parameter of a route that must be given. */
export const exampleValues = ({ path }: Operation, { slug, version }: ExampleCycle) => ({
  slug,
  version,
  uuid: path.includes("/productRelease/") ? uuidOf(slug, version) : uuidOf(slug),
  group: path.includes("/identifiers/") ? "purl" : "lang",
  stack: `${slug}:${version}`,
  tei: `urn:tei:uuid:eol.example.org:${uuidOf(slug, version)}`,
});

/** Version of the HTTP interface, independent of the software's version. */
export const INTERFACE_VERSION = "1.0.0";

export function openApi(version: string, settings: Pick<ServerSettings, "publicUrl">): Json {
  return {
    openapi: "3.0.3",
    info: {
      title: "eolgate",
      version: INTERFACE_VERSION,
      "x-software-version": version,
      description: "End-of-life dates and EOL Risk Scores of software products and of the components of an SBOM",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: settings.publicUrl }],
    tags: Object.keys(ROUTE_GROUPS).map((name) => ({ name })),
    paths: paths(),
    components: {
      schemas: Object.fromEntries([...NAMED].map(([schema, name]) => [name, toOpenApi(schema, false)])),
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        bearer: { type: "http", scheme: "bearer" },
      },
      responses: { Error: { description: "No answer", content: jsonContent(wire.errorSchema) } },
    },
  };
}

function paths(): Json {
  const made: Record<string, Record<string, unknown>> = {};
  for (const [group, rows] of Object.entries(ROUTE_GROUPS)) {
    for (const [name, row] of Object.entries(rows)) {
      if (name === "enrich") continue; // the same path as `sbom`, with another query
      const path = row.path.replaceAll(/:(\w+)/g, "{$1}");
      made[path] = { ...made[path], [row.method.toLowerCase()]: { tags: [group], ...describe(name, row) } };
    }
  }
  return made;
}

function describe(name: string, row: RouteRow): Json {
  const query = queryOf(name, row);
  const body = row.described ?? row.body;
  const parameters = [...parametersOf("path", row.params, row), ...parametersOf("query", query, row)];
  return {
    operationId: name,
    summary: row.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, exampleBody(name, NODE)) }),
    responses: {
      [String(row.status ?? 200)]: {
        description: row.summary,
        ...quotaHeaders(row, "200"),
        content: answerContent(name, row),
      },
      ...(row.cached ? { "304": { description: "Not modified", ...quotaHeaders(row, "304") } } : {}),
      ...errors(name, row),
      default: { $ref: "#/components/responses/Error" },
    },
    security: row.access === "counted" ? [{ apiKey: [] }, { bearer: [] }] : [],
  };
}

function parametersOf(location: "path" | "query", schema: Operation["params"], row: Operation): readonly Json[] {
  const required: readonly string[] = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...type } = toOpenApi(property, true);
    const example = getOwn<string>(exampleValues(row, NODE), name);
    const isRequired = location === "path" || required.includes(name);
    return { name, in: location, required: isRequired, description, ...(example && { example }), schema: type };
  });
}

const ANY_DOCUMENT = { type: "object", additionalProperties: true, description: "CycloneDX or SPDX JSON document" };
const SBOM_MEDIA = [
  "application/json",
  "application/vnd.cyclonedx+json",
  "application/spdx+json",
  "application/ld+json",
] as const;

function requestBody(body: TSchema | "document", example: object | undefined): Json {
  if (body !== "document")
    return {
      required: true,
      content: { "application/json": { schema: toOpenApi(body, true), ...(example && { example }) } },
    };
  return { required: true, content: Object.fromEntries(SBOM_MEDIA.map((type) => [type, { schema: ANY_DOCUMENT }])) };
}

function answerContent(name: string, row: Operation): Json {
  if (row.answer === "text") {
    return Object.fromEntries(
      Object.values(METRICS_TYPES).map((type) => [type.split(";")[0] ?? type, { schema: { type: "string" } }]),
    );
  }
  if (row.answer === "document") return jsonContent(ANY_DOCUMENT);
  if (name === "batch") {
    return {
      "application/json": { schema: { oneOf: [toOpenApi(row.answer, true), ref("BatchEnvelope")] } },
      [BATCH_ENVELOPE_TYPE]: { schema: ref("BatchEnvelope") },
    };
  }
  if (name === "sbom") {
    return {
      "application/json": { schema: { anyOf: [ref("SbomAnswer"), { ...ANY_DOCUMENT, description: "With enrich=1" }] } },
    };
  }
  return jsonContent(row.answer);
}

export const ERRORS = {
  "400": "What is wrong with the request, and where",
  "401": "The API key is missing or not valid",
  "403": "Exceeds the limits of the caller's tier",
  "404": "Not tracked, or an ambiguous version with its candidates",
  "405": "The method is not allowed at this path",
  "413": "The body is too large",
  "415": "The body is not JSON",
  "429": "The quota is exhausted; Retry-After states when to try again",
  "500": "Internal error",
  "501": "Not configured on this server",
  "502": "A service that this server depends on did not answer",
  "503": "Not available now; Retry-After states when to try again",
} as const;

/** The error statuses that are listed for an operation. Others use `default`. */
export function errorStatuses(name: string, row: Operation): readonly (keyof typeof ERRORS)[] {
  const statuses: (keyof typeof ERRORS)[] = ["400", "405", "500", "503", ...(OWN_STATUSES[name] ?? [])];
  if (row.access === "counted") statuses.push("401", "429");
  if (Object.keys(row.params.properties).length > 0) statuses.push("404");
  if (row.body !== undefined) statuses.push("413", "415");
  if (name === "batch") statuses.push("403");
  return [...new Set(statuses)].toSorted();
}

/** Statuses that cannot be derived from the row of an operation. */
const OWN_STATUSES: Readonly<Record<string, readonly (keyof typeof ERRORS)[]>> = {
  index: ["401", "429"],
  upcoming: ["404"],
  TeaV040Discovery: ["404"],
  freeKey: ["429"],
  recoverKeys: ["429"],
  checkout: ["501", "502"],
  webhook: ["501"],
};

const errors = (name: string, row: Operation): Json =>
  Object.fromEntries(
    errorStatuses(name, row).map((status) => [
      status,
      {
        description: ERRORS[status],
        headers: {
          ...quotaHeaders(row, status).headers,
          ...(status === "429" || status === "503" ? RETRY_AFTER_HEADER : {}),
        },
        content: jsonContent(wire.errorSchema),
      },
    ]),
  );

/** The quota is counted after the checks of the key and the method, and before all others. */
function quotaHeaders({ access }: Operation, status: string): { readonly headers?: typeof RATE_LIMIT_HEADERS } {
  return access === "counted" && status !== "401" && status !== "405" ? { headers: RATE_LIMIT_HEADERS } : {};
}

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const jsonContent = (schema: unknown): Json => ({ "application/json": { schema: toOpenApi(schema, true) } });

/** Converts a JSON Schema to OpenAPI 3.0. @param asRef whether a named schema becomes a `$ref` */
function toOpenApi(schema: unknown, asRef: boolean): Json {
  const name = NAMED.get(schema);
  if (asRef && name !== undefined) return ref(name);
  const fields = Object.entries(asRecord(schema)).map(
    ([key, value]) => getOwn(KEYWORDS, key)?.(value) ?? { [key]: value },
  );
  return Object.fromEntries(fields.flatMap(Object.entries<unknown>));
}

/** Keywords that differ in OpenAPI 3.0, or that contain schemas. */
const KEYWORDS: Readonly<Record<string, (value: unknown) => Json>> = {
  type: (type) =>
    Array.isArray(type) ? { type: asList(type).find((each) => each !== "null"), nullable: true } : { type },
  patternProperties: (patterns) => ({ additionalProperties: toOpenApi(Object.values(asRecord(patterns))[0], true) }),
  properties: (properties) => ({
    properties: Object.fromEntries(
      Object.entries(asRecord(properties)).map(([field, each]) => [field, toOpenApi(each, true)]),
    ),
  }),
  items: (items) => ({ items: toOpenApi(items, true) }),
  anyOf: (schemas) => ({ anyOf: asList(schemas).map((each) => toOpenApi(each, true)) }),
  oneOf: (schemas) => ({ oneOf: asList(schemas).map((each) => toOpenApi(each, true)) }),
};

const header = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } }) as const;

/** Headers of counted responses, for tiers with a daily limit. */
const RATE_LIMIT_HEADERS = {
  "RateLimit-Limit": header("Requests per UTC day"),
  "RateLimit-Remaining": header("Requests left today"),
  "RateLimit-Reset": header("Seconds until the next UTC day"),
} as const;

const RETRY_AFTER_HEADER = { "Retry-After": header("Seconds to wait before the next attempt") } as const;
