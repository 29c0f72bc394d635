import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import * as fc from "fast-check";
import type { LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS, type Operation } from "../../../src/api/operations/operations.ts";
import { ENDOFLIFE_OPERATIONS } from "../../../src/service/http/endoflife.ts";
import { TEA_OPERATIONS } from "../../../src/service/http/tea.ts";
import { SERVICE_OPERATIONS } from "../../../src/service/http/service-operations.ts";
import { AFTER_CUT_OFF, startService, stopServices, type Service } from "../service.ts";
import { soaked } from "../../soaked.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: {
    readonly type: string;
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
  };
}
interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly headers?: Readonly<Record<string, object>>;
  readonly $ref?: string;
}
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, Response>>;
  readonly security: readonly object[];
}
interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: { readonly Error: { readonly content: Readonly<Record<string, { readonly schema: object }>> } };
  };
}

let service: Service;
let key: string;
let description: Description;
beforeAll(async () => {
  service = await startService({ at: AFTER_CUT_OFF });
  // Of a tier with a daily limit, so that answers have the headers of the quota.
  key = await service.key("starter");
  description = (await service.get("/openapi.json")).json();
});
afterAll(stopServices);

describe("/openapi.json (9)", () => {
  test("passes a public validator", async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(description)));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(description.openapi).toBe("3.0.3");
  });

  test("uses OpenAPI 3.0: nullable, no type lists, no null types, no const", () => {
    const text = JSON.stringify(description);
    expect(text).toContain('"nullable":true');
    for (const foreign of ['"type":["', '"type":"null"', '"const":', '"patternProperties"', "~kind"])
      expect(text).not.toContain(foreign);
  });

  test("describes every route, including its own", () => {
    const rows = Object.values<Operation>({
      ...OPERATIONS,
      ...SERVICE_OPERATIONS,
      ...ENDOFLIFE_OPERATIONS,
      ...TEA_OPERATIONS,
    }).map(({ method, path }) => [method, path.replace("?enrich=1", "").replaceAll(/:(\w+)/g, "{$1}")].join(" "));
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(new Set(described)).toEqual(new Set(rows));
    for (const route of [
      "GET /v1/products",
      "GET /v1/product/{slug}",
      "GET /v1/score/{slug}",
      "GET /v1/score/{slug}/{version}",
      "GET /v1/status/{slug}/{version}",
      "POST /v1/batch",
      "GET /v1/metrics",
      "GET /v1/badge/{slug}/{version}",
      "POST /v1/keys/free",
      "POST /v1/sbom",
      "POST /v1/sbom/watch",
      "GET /openapi.json",
    ]) {
      expect(described).toContain(route);
    }
  });
});

test("every operation has a declared tag, every required parameter and body an example that is answered", async () => {
  const { tags, paths } = JSON.parse(JSON.stringify(description));
  const declared = tags.map(({ name }: { name: string }) => name);
  for (const [path, methods] of Object.entries<Record<string, DescribedExample>>(paths)) {
    for (const [method, { tags: own, parameters = [], requestBody }] of Object.entries(methods)) {
      expect(declared).toContain(own[0]);
      const required = parameters.filter((each) => each.required);
      expect(required.filter(({ example }) => example === undefined)).toEqual([]);
      const body = requestBody?.content["application/json"];
      const isDocument = body?.schema.additionalProperties === true || path === "/v1/sbom/watch";
      if (requestBody !== undefined && !isDocument) expect(body?.example, path).toBeDefined();
      if (method !== "get") continue;
      const url = required.reduce((made, { name, in: where, example = "" }) => {
        const value = encodeURIComponent(example);
        return where === "path" ? made.replace(`{${name}}`, value) : `${made}?${name}=${value}`;
      }, path);
      expect((await service.get(url, { "x-api-key": key })).statusCode, url).toBe(200);
    }
  }
});

interface DescribedExample {
  readonly tags: readonly string[];
  readonly parameters?: readonly { name: string; in: string; required: boolean; example?: string }[];
  readonly requestBody?: {
    readonly content: Record<string, { example?: object; schema: { additionalProperties?: unknown } }>;
  };
}

describe("described statuses and headers", () => {
  test.each([
    ["post /v1/batch", ["200", "400", "401", "403", "405", "413", "415", "429", "500", "503"]],
    ["post /v1/sbom", ["200", "400", "401", "405", "413", "415", "429", "500", "503"]],
    ["get /v1/score/{slug}/{version}", ["200", "304", "400", "401", "404", "405", "429", "500", "503"]],
    ["post /v1/keys/free", ["200", "400", "405", "413", "415", "429", "500", "503"]],
    ["post /v1/checkout", ["200", "400", "405", "413", "415", "500", "501", "502", "503"]],
  ])("of %s", (route, expected) => {
    const [method = "", path = ""] = route.split(" ");
    const statuses = Object.keys(description.paths[path]?.[method]?.responses ?? {});
    expect(statuses.toSorted()).toEqual([...expected, "default"].toSorted());
  });

  test("every route with a quota has its headers, and retryable answers have Retry-After", () => {
    for (const [path, methods] of Object.entries(description.paths)) {
      for (const [method, { responses, security }] of Object.entries(methods)) {
        for (const [status, response] of Object.entries(responses)) {
          const names = Object.keys(response.headers ?? {});
          const counts = security.length > 0 && !["401", "405", "default"].includes(status);
          expect(names.includes("RateLimit-Reset"), `${method} ${path} ${status}`).toBe(counts);
          expect(names.includes("Retry-After"), `${method} ${path} ${status}`).toBe(["429", "503"].includes(status));
        }
      }
    }
  });
});

/** JSON Schema from the description's dialect, for ajv. */
function checker(): (schema: object, value: unknown) => string | undefined {
  const ajv = new Ajv({ strict: false, allowUnionTypes: true, validateFormats: true });
  formats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  ajv.addSchema({ $id: "description", components: description.components });
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"description#/components/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
}

const WORDS = [
  "nodejs",
  "python",
  "node",
  "frobos",
  "20",
  "3.9.1",
  "13.0",
  "nowhere",
  "..",
  "%",
  "ü",
  "",
  "a/b",
  "\u0000",
  "constructor",
];

function valueFor({ schema, name }: Parameter): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...schema.enum, "2");
  if (schema.type === "integer")
    return fc.oneof(
      fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000 }).map(String),
      fc.constantFrom("-1", "x", "1e9"),
    );
  if (name === "stack")
    return fc
      .array(fc.constantFrom("nodejs:20", "python:3.9.1", "x", "frobos:13.0", ":"), { maxLength: 5 })
      .map((pairs) => pairs.join(","));
  // ".." is no name: each client resolves it before it sends the path.
  const isName = (text: string): boolean => !/^\.{1,2}$/.test(text);
  return fc.oneof(fc.constantFrom(...WORDS.filter(isName)), fc.string({ maxLength: 12 }).filter(isName));
}

const component = fc.record(
  {
    type: fc.constantFrom("library", "application", "file", "machine-learning-model"),
    name: fc.constantFrom(...WORDS),
    version: fc.constantFrom(...WORDS),
    purl: fc.constantFrom("pkg:npm/express@3.1.0", "pkg:x", "pkg:npm/left-pad@1"),
  },
  { requiredKeys: ["type", "name"] },
);
const BODIES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  batch: fc.record({
    products: fc.array(
      fc.record(
        {
          slug: fc.constantFrom(...WORDS),
          version: fc.constantFrom(...WORDS),
          purl: fc.constantFrom("pkg:npm/express@3.1.0", "x"),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 6 },
    ),
  }),
  sbom: fc.record({
    bomFormat: fc.constant("CycloneDX"),
    specVersion: fc.constantFrom("1.4", "1.6", "0.1"),
    components: fc.array(component, { maxLength: 6 }),
  }),
};
const anyBody = fc.oneof({ weight: 1, arbitrary: fc.json() }, { weight: 1, arbitrary: fc.string() });

interface Request {
  readonly url: string;
  readonly body?: string;
}
function requestFor(path: string, { operationId, parameters = [], requestBody }: Described): fc.Arbitrary<Request> {
  const values = fc.record(
    Object.fromEntries(
      parameters.map((each) => [
        each.name,
        each.required ? valueFor(each) : fc.option(valueFor(each), { nil: undefined }),
      ]),
    ),
  );
  const own = BODIES[operationId];
  const body =
    requestBody === undefined
      ? fc.constant(undefined)
      : own
        ? fc.oneof({ weight: 4, arbitrary: own.map((value) => JSON.stringify(value)) }, anyBody)
        : anyBody;
  return fc.record({ values, body }).map(({ values, body }) => {
    const query = parameters
      .filter((each) => each.in === "query" && values[each.name] !== undefined)
      .map((each) => `${each.name}=${encodeURIComponent(String(values[each.name]))}`);
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
    return { url: query.length > 0 ? `${url}?${query.join("&")}` : url, ...(body === undefined ? {} : { body }) };
  });
}

/** Compares an answer's status and media type with the description. */
function contradiction(
  answer: LightMyRequestResponse,
  operation: Described,
  check: ReturnType<typeof checker>,
): string | undefined {
  const status = String(answer.statusCode);
  const documented = operation.responses[status];
  if (!documented) return `status ${status} is not described`;
  const missing = Object.keys(answer.headers).filter((name) => isDescribed(name) && !hasHeader(documented, name));
  if (missing.length > 0) return `${missing.join(", ")} of ${status} is not described`;
  const content = documented.content ?? {};
  if (answer.statusCode === 304) return undefined;
  const type = String(answer.headers["content-type"]).split(";")[0] ?? "";
  const schema = content[type]?.schema;
  if (!schema) return `${type} is not described for ${status}`;
  return check(schema, type === "application/json" ? answer.json() : answer.body);
}

/** Headers that a client acts on; those of every answer of the web are not described. */
const isDescribed = (name: string): boolean => name.startsWith("ratelimit-") || name === "retry-after";
const hasHeader = ({ headers = {} }: Response, name: string): boolean =>
  Object.keys(headers).some((header) => header.toLowerCase() === name);

test("requests generated from the description get the described answers", async () => {
  const check = checker();
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      await fc.assert(
        fc.asyncProperty(requestFor(path, operation), fc.boolean(), async ({ url, body }, withKey) => {
          const answer = await service.inject({
            method: method === "post" ? "POST" : "GET",
            url,
            headers: {
              ...(withKey ? { "x-api-key": key } : {}),
              ...(body === undefined ? {} : { "content-type": "application/json" }),
            },
            ...(body === undefined ? {} : { payload: body }),
          });
          expect(answer.statusCode, `${url} ${answer.body.slice(0, 200)}`).not.toBe(500);
          if (operation.security.length > 0 && !withKey) expect([401, 404]).toContain(answer.statusCode);
          expect(
            contradiction(answer, operation, check),
            `${method} ${url} ${answer.statusCode} ${body ?? ""}`,
          ).toBeUndefined();
        }),
        { numRuns: soaked(15, 40), seed: 5 },
      );
    }
  }
});
